# Functions for the commands of docs/operate/deploy.md, docs/operate/releases.md and docs/operate/runbook.md, in bash or zsh:
#   STACK=ChainInsights-prod; . docs/examples/aws.sh

# output <name>: an output of the stack.
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" --output text \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue"
}

# resource <type> <beginning of the logical ID>: the physical ID of a resource.
resource() {
  aws cloudformation list-stack-resources --stack-name "$STACK" --output text \
    --query "StackResourceSummaries[?ResourceType=='$1' && starts_with(LogicalResourceId, '$2')].PhysicalResourceId"
}

# run_query <log group> <minutes to look back> <query>: a query of CloudWatch Logs Insights.
run_query() {
  local id
  id=$(aws logs start-query --log-group-name "$1" --start-time $(($(date +%s) - $2 * 60)) --end-time "$(date +%s)" \
    --query-string "$3" --query queryId --output text)
  while aws logs get-query-results --query-id "$id" --query status --output text | grep -qE 'Scheduled|Running'; do
    sleep 1
  done
  aws logs get-query-results --query-id "$id" --query "results[*].join(' ', [?field!='@ptr'].value)" --output json
}

# insights <beginning of the log group's logical ID> <minutes to look back> <query>
insights() {
  local group
  for group in $(resource AWS::Logs::LogGroup "$1"); do run_query "$group" "$2" "$3"; done
}

# saved <name> <minutes to look back> [chain]: a query that the stack has saved.
saved() {
  local group query
  query=$(aws logs describe-query-definitions --query-definition-name-prefix "$STACK/$1" \
    --query 'queryDefinitions[0].queryString' --output text)
  for group in $(aws logs describe-query-definitions --query-definition-name-prefix "$STACK/$1" \
    --query 'queryDefinitions[0].logGroupNames' --output text); do
    run_query "$group" "$2" "${query/ETHEREUM/${3:-ETHEREUM}}"
  done
}

# lost_runs: the messages in the queue of lost runs, which stay there.
lost_runs() {
  aws sqs receive-message --queue-url "$(output LostRunsQueueUrl)" --max-number-of-messages 10 \
    --visibility-timeout 0 --wait-time-seconds 5 --message-attribute-names All --output json \
    --query 'Messages[].[MessageAttributes.[SCHEDULED_TIME,SCHEDULE_ARN,ERROR_CODE,ERROR_MESSAGE][].StringValue,Body]'
}

# throttled: the requests to the table that were throttled in the last hour, by the limit that they exceeded.
throttled() {
  local metric table now
  table=$(output TableName)
  now=$(date +%s)
  for metric in ReadMaxOnDemandThroughput ReadKeyRangeThroughput ReadAccountLimit WriteMaxOnDemandThroughput \
    WriteKeyRangeThroughput; do
    echo "$metric: $(aws cloudwatch get-metric-statistics --namespace AWS/DynamoDB \
      --metric-name "${metric}ThrottleEvents" --dimensions Name=TableName,Value="$table" --statistics Sum \
      --period 3600 --start-time $((now - 3600)) --end-time "$now" --query 'Datapoints[].Sum' --output text)"
  done
}

# delete_item <chain> <sort key>: deletes one item of the table. After a day, delete its chain's coverage too.
delete_item() {
  aws dynamodb delete-item --table-name "$(output TableName)" \
    --key "{\"chain\": {\"S\": \"$1\"}, \"date\": {\"S\": \"$2\"}}"
}

# days_of_host <chain> <host> <first day>: the days of which a host gave blocks, with the hosts that confirmed them.
days_of_host() {
  aws dynamodb query --table-name "$(output TableName)" --key-condition-expression 'chain = :chain AND #date >= :first' \
    --filter-expression 'contains(endpoint_hosts, :host)' --expression-attribute-names '{"#date": "date"}' \
    --expression-attribute-values "{\":chain\": {\"S\": \"$1\"}, \":host\": {\"S\": \"$2\"}, \":first\": {\"S\": \"$3\"}}" \
    --query 'Items[].[date.S, evidence.S, endpoint_hosts.L[].S, confirmed_by.L[].S]' --output json
}

# schedule <chain> [query]: the schedule of a chain's ingest. Its logical ID ends with 8 characters of a hash.
schedule() {
  local id=IngestSchedules${1//_/}
  aws scheduler get-schedule --group-name "$(resource AWS::Scheduler::ScheduleGroup IngestSchedulesGroup)" \
    --name "$(aws cloudformation list-stack-resources --stack-name "$STACK" --output text --query "StackResourceSummaries[?
      starts_with(LogicalResourceId, '$id') && length(LogicalResourceId) == \`$((${#id} + 8))\`].PhysicalResourceId")" \
    --query "${2:-[State, ScheduleExpression, Target.Input]}" --output "${3:-text}"
}

# set_schedule <chain> ENABLED|DISABLED: an update replaces all settings of a schedule, so this sends them back.
set_schedule() {
  schedule "$1" "{GroupName: GroupName, Name: Name, Description: Description, ScheduleExpression: ScheduleExpression,
    ScheduleExpressionTimezone: ScheduleExpressionTimezone, FlexibleTimeWindow: FlexibleTimeWindow, Target: Target,
    State: '$2'}" json > schedule.json
  aws scheduler update-schedule --cli-input-json file://schedule.json
}

# run_ingest <chain>: one run with the event of the chain's schedule, which takes at most 5 minutes. Without the timeout
# and the single attempt, the CLI would start a second run.
run_ingest() {
  schedule "$1" Target.Input > event.json
  AWS_MAX_ATTEMPTS=1 aws lambda invoke --function-name "$(output IngestFunctionName)" --payload fileb://event.json \
    --cli-read-timeout 330 report.json
}

# restore_copy <time>: restores the table's state of a time, such as 2026-11-20T08:00:00Z, to the table $STACK-restored.
restore_copy() {
  aws dynamodb restore-table-to-point-in-time --source-table-name "$(output TableName)" \
    --target-table-name "$STACK-restored" --restore-date-time "$1"
  until aws dynamodb wait table-exists --table-name "$STACK-restored"; do :; done
}

# restore_deleted <backup ARN> <max reads> <max writes>: restores a deleted table under its name, with the limits of the stage.
restore_deleted() {
  local table
  table=$(output TableName)
  aws dynamodb restore-table-from-backup --target-table-name "$table" --backup-arn "$1" \
    --on-demand-throughput-override "MaxReadRequestUnits=$2,MaxWriteRequestUnits=$3"
  until aws dynamodb wait table-exists --table-name "$table"; do :; done
  aws dynamodb update-continuous-backups --table-name "$table" \
    --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true
}

# empty_buckets: deletes the reports of backfills, and all versions of all exports in the stack's own bucket.
empty_buckets() {
  local bucket versions
  aws s3 rm --recursive "s3://$(output BackfillBucketName)"
  bucket=$(resource AWS::S3::Bucket BackupExports)
  until [ -z "$bucket" ]; do
    # One page: delete-objects takes at most 1,000.
    versions=$(aws s3api list-object-versions --bucket "$bucket" --no-paginate --output json \
      --query '{Objects: [Versions, DeleteMarkers][].{Key: Key, VersionId: VersionId}}')
    case $versions in
      *VersionId*) aws s3api delete-objects --bucket "$bucket" --delete "$versions" --query Errors ;;
      *) return ;;
    esac
  done
}

# stack_failures: what failed in the last deployments, and why.
stack_failures() {
  aws cloudformation describe-stack-events --stack-name "$STACK" --output text \
    --query "StackEvents[?ends_with(ResourceStatus, 'FAILED')].[LogicalResourceId, ResourceStatusReason]"
}

# export_now: one run of the daily export, which takes at most 15 minutes, and writes its manifest to manifest.json. It has a timeout and a
# single attempt for the reason of run_ingest.
export_now() {
  AWS_MAX_ATTEMPTS=1 aws lambda invoke --function-name "$(output ExportFunctionName)" --cli-read-timeout 930 manifest.json
}
