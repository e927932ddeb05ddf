import { ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { environment } from '../../lambda/environment.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { acknowledgeWildcards } from '../acknowledge.ts';
import type { QueryApi } from '../api/query-api.ts';
import { arnOf } from '../arns.ts';
import { type Config, mailedAddress } from '../config.ts';
import { keyStatements, stageKey } from '../encrypted-resources.ts';
import { output } from '../output.ts';
import type { ServiceFunction } from '../service-function.ts';
import { NO_MAIL } from '../stages/stage-schema.ts';
import type { Severity } from './alarm-texts.ts';
import { createAlarms, type Monitored } from './alarms.ts';
import { createDashboard } from './dashboard.ts';
import { saveQueries } from './queries.ts';
import { repositoryOf } from './repository.ts';

interface Props extends Monitored {
  readonly config: Config;
}

/** The alarms with their emails, one dashboard, saved queries of the logs, and a budget. */
export class Monitoring extends Construct {
  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    const { ingest, api, exporter, config } = props;
    const { stackName } = Stack.of(this);
    const topics = alarmTopics(this, config);
    const resources = {
      ...props,
      chains: config.chains.map(({ name }) => name),
      actions: { page: new SnsAction(topics.page), notice: new SnsAction(topics.notice) },
      described: { stackName, probeCommand: probeCommand(api), repository: repositoryOf(packageJson) },
    };
    createDashboard(this, resources, createAlarms(this, resources));
    announceEnds(this, topics.page, config);
    sendDailyMail(exporter, topics.notice, config);
    if (config.alarmEmail !== NO_MAIL) watchSubscribers(exporter, topics.page);
    saveQueries(this, ingest.ingest, api.functions);
    createBudget(this, config);
  }
}

/** Returns the command that shows why the API fails: a call of the probe, or the errors of a function. */
function probeCommand({ probe, functions: [query] }: QueryApi): string {
  if (probe) return `aws lambda invoke --function-name ${probe.function.functionName} /dev/stdout`;
  return `aws logs tail ${query?.logGroup.logGroupName} --since 1h --filter-pattern ERROR`;
}

const alarmArn = (scope: Construct, name: string): string =>
  arnOf(scope, 'cloudwatch', 'alarm', name, ArnFormat.COLON_RESOURCE_NAME);

/**
 * Sends an email when a page ends, with the fields by which pagers know an alarm. An OK action would also send one for each alarm of a new
 * stage, whose first state is the lack of data. A page that the API's suppressed began with no email.
 */
function announceEnds(scope: Construct, topic: Topic, config: Config): void {
  const [alarmName, state] = [[{ prefix: `${Stack.of(scope).stackName}-page-` }], { value: ['OK'] }];
  const previousState = { value: ['ALARM'], actionsSuppressedBy: [{ exists: false }, 'WaitPeriod'] };
  const input = RuleTargetInput.fromObject({
    AlarmName: EventField.fromPath('$.detail.alarmName'),
    NewStateValue: 'OK',
    OldStateValue: 'ALARM',
    StateChangeTime: EventField.time,
  });
  // By a role, because it needs no change of the policies of the topic and of its key.
  const role = new Role(scope, 'PageEndedRole', { assumedBy: new ServicePrincipal('events.amazonaws.com') });
  for (const statement of publishStatements(topic, config)) role.addToPolicy(statement);
  new Rule(scope, 'PageEnded', {
    description: 'Sends an email when an alarm that paged ends',
    eventPattern: {
      source: ['aws.cloudwatch'],
      detailType: ['CloudWatch Alarm State Change'],
      detail: { alarmName, state, previousState },
    },
    targets: [{ bind: () => ({ arn: topic.topicArn, role, input }) }],
  });
}

/** Allows publishing to a topic, which may have the stage's key. */
const publishStatements = (topic: Topic, config: Config): PolicyStatement[] => [
  new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] }),
  ...keyStatements(config, 'sns', 'kms:Decrypt', 'kms:GenerateDataKey'),
];

/** Lets the daily export read which notices are open, and publish them to their topic. */
function sendDailyMail(exporter: ServiceFunction, topic: Topic, config: Config): void {
  exporter.function.addEnvironment(environment.noticeTopic, topic.topicArn);
  exporter.function.addEnvironment(environment.stackName, Stack.of(topic).stackName);
  const alarms = alarmArn(topic, '*');
  acknowledgeWildcards(
    exporter.role,
    [alarms],
    'A request for alarms by prefix needs the right to read all.',
  );
  exporter.allow(
    new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: [alarms] }),
    ...publishStatements(topic, config),
  );
}

/** Lets the daily email say that nobody gets the pages. */
function watchSubscribers(exporter: ServiceFunction, { topicArn }: Topic): void {
  exporter.function.addEnvironment(environment.pageTopic, topicArn);
  exporter.allow(new PolicyStatement({ actions: ['sns:ListSubscriptionsByTopic'], resources: [topicArn] }));
}

/**
 * Creates a monthly budget of the account, if the stage has one: usage plans and the table's limits are targets, which AWS may exceed. It
 * covers everything in the account, because metrics and data transfer carry no tag of the stack. It has no name: names are unique in an
 * account, and another address replaces it.
 */
function createBudget(scope: Construct, config: Config): void {
  const address = mailedAddress(config);
  if (config.budgetUsd === undefined || address === undefined) return;
  const notify = (notificationType: string) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: config.budgetUsd, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('FORECASTED'), notify('ACTUAL')],
  });
}

/** Creates a topic for each severity, so that a pager can subscribe to one of them. The stage's address gets both. */
function alarmTopics(scope: Construct, config: Config): Record<Severity, Topic> {
  const email = mailedAddress(config);
  const topicOf = (severity: Severity, id: string): Topic => {
    const masterKey = stageKey(scope, id, config);
    const topic = new Topic(scope, id, { enforceSSL: true, ...(masterKey && { masterKey }) });
    allowAlarms(topic);
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    output(scope, `${id}TopicArn`, topic.topicArn, `Topic that receives alarms of the severity ${severity}`);
    return topic;
  };
  return { page: topicOf('page', 'Pages'), notice: topicOf('notice', 'Notices') };
}

/** Allows CloudWatch to publish: enforceSSL adds a policy, which replaces the default that does. */
function allowAlarms(topic: Topic): void {
  const stack = Stack.of(topic);
  const conditions = {
    StringEquals: { 'aws:SourceAccount': stack.account },
    ArnLike: { 'aws:SourceArn': alarmArn(topic, `${stack.stackName}-*`) },
  };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
}
