import { ArnFormat, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type Config, mailedAddress } from '../config.ts';
import { output } from '../output.ts';
import { stageKey } from '../stage-key.ts';

export type Severity = 'page' | 'notice';

/**
 * Creates a topic for each severity, so that a pager can subscribe to one of them. The stage's address gets both. Notices come in a daily
 * mail.
 */
export function alarmTopics(
  scope: Construct,
  config: Pick<Config, 'alarmEmail' | 'kmsKeyArn'>,
): Record<Severity, Topic> {
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
  const alarmsOfStack = stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: `${stack.stackName}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const conditions = {
    StringEquals: { 'aws:SourceAccount': stack.account },
    ArnLike: { 'aws:SourceArn': alarmsOfStack },
  };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
}
