import { ArnFormat, Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { environment } from '../../lambda/environment.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import type { QueryApi } from '../api/query-api.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { Config } from '../config.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { ServiceFunction } from '../service-function.ts';
import { keyStatements } from '../stage-key.ts';
import { createAlarms } from './alarms.ts';
import { createBudget } from './budget.ts';
import { createDashboard } from './dashboard.ts';
import { chainMetrics } from './metrics.ts';
import { saveQueries } from './queries.ts';
import { alarmTopics } from './topics.ts';

interface Props {
  readonly table: TableV2;
  readonly ingest: Ingest;
  /** The daily export, which also sends the daily mail. */
  readonly exporter: ServiceFunction;
  readonly backfill: Backfill;
  readonly api: QueryApi;
  readonly config: Config;
}

/** The alarms with their mails, one dashboard, saved queries of the logs, and a budget. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { ingest, api, exporter, config } = props;
    const { stackName } = Stack.of(this);
    const chains = config.chains.map(({ name }) => chainMetrics(stackName, name));
    const topics = alarmTopics(this, config);
    const alarms = createAlarms(this, {
      ...props,
      chains,
      exporter: exporter.function,
      actions: { page: new SnsAction(topics.page), notice: new SnsAction(topics.notice) },
      described: { stackName, probeCommand: probeCommand(api) },
    });
    sendDailyMail(exporter, topics.notice, config);
    const functions = [ingest.ingest, ...api.functions];
    createDashboard(this, { ...props, chains, alarms: [...alarms.paging, ...alarms.notices], functions });
    saveQueries(this, ingest.ingest, api.functions);
    createBudget(this, config);
  }
}

/** Returns the command that shows why the API fails: a call of the probe, or the errors of a function. */
function probeCommand({ probe, functions: [query] }: QueryApi): string {
  if (probe) return `aws lambda invoke --function-name ${probe.function.functionName} /dev/stdout`;
  return `aws logs tail ${query?.logGroup.logGroupName} --since 1h --filter-pattern ERROR`;
}

/** Lets the daily export read which notices are open, and publish them to their topic. */
function sendDailyMail(exporter: ServiceFunction, topic: Topic, config: Config): void {
  const stack = Stack.of(topic);
  exporter.function.addEnvironment(environment.noticeTopic, topic.topicArn);
  exporter.function.addEnvironment(environment.stackName, stack.stackName);
  const alarms = stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: '*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  acknowledgeWildcards(
    exporter.role,
    [alarms],
    'A request for alarms by prefix needs the right to read all.',
  );
  exporter.allow(
    new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: [alarms] }),
    new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] }),
    ...keyStatements(config, 'sns', 'kms:Decrypt', 'kms:GenerateDataKey'),
  );
}
