import { ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { environment } from '../../lambda/environment.ts';
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
import { chainMetrics } from './metrics.ts';
import { saveQueries } from './queries.ts';

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
      chains: config.chains.map(({ name }) => chainMetrics(stackName, name)),
      actions: { page: new SnsAction(topics.page), notice: new SnsAction(topics.notice) },
      described: { stackName, probeCommand: probeCommand(api) },
    };
    createDashboard(this, resources, createAlarms(this, resources));
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
    new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] }),
    ...keyStatements(config, 'sns', 'kms:Decrypt', 'kms:GenerateDataKey'),
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
