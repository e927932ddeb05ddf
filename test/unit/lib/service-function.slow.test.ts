import { Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { ServiceFunction } from '#lib/service-function.ts';
import { newApp, type Properties, permissionsOf, propertiesOf, theOnly } from '#test/support/aws/stack.ts';

/*
 * Proves the rights and the settings of one function. chain-insights-stack.slow.test.ts lists the rights of all functions of a stage,
 * and encrypted-resources.test.ts those to its key.
 */

const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/1';

/** Returns a stack with one function. */
function templateWith(
  change: (stack: Stack) => Partial<ConstructorParameters<typeof ServiceFunction>[2]> = () => ({}),
) {
  const stack = new Stack(newApp(), 'Test', { env: { account: '111122223333', region: 'eu-central-1' } });
  new ServiceFunction(stack, 'One', {
    entry: 'get-details',
    description: 'a function',
    memorySize: 512,
    timeout: Duration.seconds(20),
    config: { protect: false, logRetentionDays: 30, kmsKeyArn: undefined },
    ...change(stack),
  });
  return Template.fromStack(stack);
}
const tableIn = (stack: Stack) =>
  new TableV2(stack, 'Table', { partitionKey: { name: 'chain', type: AttributeType.STRING } });
const actionsIn = (template: Template) =>
  Object.values(permissionsOf(template))
    .flat()
    .flatMap(({ actions }) => actions);

test('without a table, a function may only write its own logs', () => {
  const template = templateWith();
  expect(actionsIn(template)).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  expect(theOnly(template, 'AWS::IAM::Role')).not.toHaveProperty('ManagedPolicyArns');
  const { Architectures, LoggingConfig, Environment, VpcConfig } = theOnly(template, 'AWS::Lambda::Function');
  expect([Architectures, LoggingConfig.LogFormat, Environment, VpcConfig]).toEqual([
    ['arm64'],
    'JSON',
    undefined,
    undefined,
  ]);
});

test.each([
  ['reads', ['dynamodb:GetItem'], ['kms:Decrypt', 'kms:DescribeKey']],
  [
    'writes',
    ['dynamodb:GetItem', 'dynamodb:PutItem'],
    [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
  ],
] as const)('a function that %s the table may use its key for that alone', (_, tableActions, keyActions) => {
  const given = (kmsKeyArn: string | undefined) =>
    actionsIn(
      templateWith((stack) => ({
        ...{ table: tableIn(stack), tableActions },
        config: { protect: false, logRetentionDays: 30, kmsKeyArn },
      })),
    ).filter((action) => !action.startsWith('logs:'));
  expect(given(undefined)).toEqual(tableActions);
  expect(given(KEY).toSorted()).toEqual([...tableActions, ...keyActions].toSorted());
});

test('a function is told the name of its table, and other variables by their names', () => {
  const template = templateWith((stack) => ({
    table: tableIn(stack),
    tableActions: ['dynamodb:GetItem'],
    variables: { stackName: 'Test' },
  }));
  const { Environment } = theOnly(template, 'AWS::Lambda::Function');
  expect(Object.keys(Environment.Variables).toSorted()).toEqual(['STACK_NAME', 'TABLE_NAME']);
});

test('events that are lost go to a queue, which the function may write and not read', () => {
  const template = templateWith((stack) => ({ lostRuns: new Queue(stack, 'Lost'), retryAttempts: 1 }));
  const { DestinationConfig } = theOnly(template, 'AWS::Lambda::EventInvokeConfig') as Properties;
  expect(DestinationConfig.OnFailure.Destination).toBeDefined();
  expect(actionsIn(template).filter((action) => action.startsWith('sqs:'))).toEqual(['sqs:SendMessage']);
});

test('in a network, a function may manage its interfaces', () => {
  const network = { subnets: ['subnet-0a'], securityGroups: ['sg-1'] };
  const template = templateWith(() => ({ network }));
  expect(theOnly(template, 'AWS::Lambda::Function').VpcConfig).toEqual({
    SubnetIds: ['subnet-0a'],
    SecurityGroupIds: ['sg-1'],
  });
  expect(actionsIn(template)).toContain('ec2:CreateNetworkInterface');
  expect(propertiesOf(template, 'AWS::EC2::VPC')).toEqual([]);
});
