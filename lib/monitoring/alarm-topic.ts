import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { stageKey } from '../stage-key.ts';

/** Creates the topic that receives alarms, with the stage's e-mail address as subscriber. */
export function alarmTopic(scope: Construct, config: Pick<Config, 'alarms' | 'kmsKeyArn'>): Topic {
  const masterKey = stageKey(scope, 'Alarms', config);
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true, ...(masterKey && { masterKey }) });
  // enforceSSL adds a policy, which replaces the default that lets CloudWatch publish.
  const { account, stackName } = Stack.of(scope);
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: {
          'aws:SourceArn': Stack.of(scope).formatArn({
            service: 'cloudwatch',
            resource: 'alarm',
            resourceName: `${stackName}-*`,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  const { email } = config.alarms;
  if (email) topic.addSubscription(new EmailSubscription(email));
  new CfnOutput(scope, 'AlarmTopicArn', {
    key: 'AlarmTopicArn',
    value: topic.topicArn,
    description: 'Topic that receives alarms',
  });
  return topic;
}
