import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { findDeployedService } from '#cli/deployed-service.ts';
import { defaultChainNames } from '#core/chains/chains.ts';

const cloudFormation = mockClient(CloudFormationClient);
beforeEach(() => {
  cloudFormation.reset();
  process.env.AWS_REGION = 'eu-central-1';
});

const stack = (...outputs: [string, string][]) => ({
  Stacks: [
    {
      StackName: 'ChainInsights-dev',
      CreationTime: new Date(),
      StackStatus: 'CREATE_COMPLETE' as const,
      Outputs: outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  ],
});

test('opens the table of the stack and the chains of the stage', async () => {
  cloudFormation.on(DescribeStacksCommand).resolves(stack(['TableName', 'Metrics-1']));
  const service = await findDeployedService('dev');
  expect(service).toMatchObject({
    title: 'ChainInsights-dev',
    flags: ' --stage dev',
    table: { name: 'Metrics-1' },
  });
  // A new table throttles.
  expect(await service.table.client.config.maxAttempts()).toBe(10);
  expect(service.chains.map(({ name }) => name)).toEqual(defaultChainNames);
  expect(service.chains[0]).toMatchObject({ from: undefined, evidence: 'proven' });
  const [described] = cloudFormation.commandCalls(DescribeStacksCommand);
  expect(described?.args[0].input).toEqual({ StackName: 'ChainInsights-dev' });
});

test('refuses an unknown stage without a request to AWS', async () => {
  await expect(findDeployedService('live')).rejects.toThrow('Unknown stage live: expected one of dev, prod.');
  expect(cloudFormation.calls()).toEqual([]);
});

test('names the region and the deploy command for a stage that is not deployed', async () => {
  const refusal = new CloudFormationServiceException({
    name: 'ValidationError',
    $fault: 'client',
    $metadata: {},
    message: 'Stack with id ChainInsights-prod does not exist',
  });
  cloudFormation.on(DescribeStacksCommand).rejects(refusal);
  await expect(findDeployedService('prod')).rejects.toThrow(
    'Stack ChainInsights-prod does not exist in eu-central-1 of this account. Check the credentials and the region, ' +
      'or deploy it with npx cdk deploy -c stage=prod.',
  );
});

test('asks to deploy a stack of another version that lacks an output', async () => {
  cloudFormation.on(DescribeStacksCommand).resolves(stack(['TableName', 'Metrics-1']));
  const { output } = await findDeployedService('dev');
  expect(() => output('BackfillArn')).toThrow(/has no output BackfillArn.*npx cdk deploy -c stage=dev/);
});

test.each([
  ['ROLLBACK_COMPLETE', /its first deployment failed\. Delete .*runbook.*npx cdk deploy -c stage=prod\.$/],
  ['ROLLBACK_FAILED', /its first deployment failed\. Delete /],
  ['CREATE_FAILED', /its first deployment failed\. Delete /],
  ['REVIEW_IN_PROGRESS', /it was never deployed\. Deploy it with npx cdk deploy -c stage=prod\.$/],
  ['CREATE_IN_PROGRESS', /Wait until this ends/],
  ['ROLLBACK_IN_PROGRESS', /Wait until this ends/],
  ['DELETE_FAILED', /Delete what blocks it/],
] as const)(
  'names the state %s of a stack without outputs, and the next step',
  async (StackStatus, advice) => {
    const [described] = stack().Stacks;
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves({
        Stacks: [{ StackName: '', CreationTime: new Date(), ...described, StackStatus, Outputs: [] }],
      });
    const opening = findDeployedService('prod');
    await expect(opening).rejects.toThrow(`Stack ChainInsights-prod is in the state ${StackStatus}`);
    await expect(opening).rejects.toThrow(advice);
  },
);
