import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { environment } from '../../lambda/environment.ts';
import { acknowledgeWildcards } from '../acknowledge.ts';
import type { Config } from '../config.ts';
import type { ServiceFunction } from '../service-function.ts';
import { keyStatements } from '../stage-key.ts';

/** Lets the daily export read which notices are open, and publish them to their topic. */
export function sendDailyMail(exporter: ServiceFunction, topic: Topic, config: Config): void {
  const { stackName } = Stack.of(topic);
  exporter.function.addEnvironment(environment.noticeTopic, topic.topicArn);
  exporter.function.addEnvironment(environment.stackName, stackName);
  const alarms = Stack.of(topic).formatArn({
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
  const statements = [
    new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: [alarms] }),
    new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] }),
    ...keyStatements(config, 'sns', 'kms:Decrypt', 'kms:GenerateDataKey'),
  ];
  for (const statement of statements) exporter.role.addToPrincipalPolicy(statement);
}
