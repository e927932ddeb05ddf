import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { awsAdvice } from '../../cli/aws-errors.ts';
import { openDeployedService } from '../../cli/deployed-service.ts';
import { chainNames } from '../../lambda/chains/chains.ts';

const cloudFormation = mockClient(CloudFormationClient);
const environmentBefore = { ...process.env };
beforeEach(() => {
  cloudFormation.reset();
  process.env.AWS_REGION = 'eu-central-1';
});
afterAll(() => {
  process.env = environmentBefore;
});

const stack = (...outputs: [string, string][]) => ({
  Stacks: [
    {
      ...{
        StackName: 'ChainInsights-dev',
        CreationTime: new Date(),
        StackStatus: 'CREATE_COMPLETE' as const,
      },
      Outputs: outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  ],
});

test('the table is the one that the stack tells of, and the chains those of the stage', async () => {
  cloudFormation.on(DescribeStacksCommand).resolves(stack(['TableName', 'Metrics-1']));
  const service = await openDeployedService('dev');
  expect(service).toMatchObject({
    title: 'ChainInsights-dev',
    flags: ' --stage dev',
    table: { name: 'Metrics-1' },
  });
  expect(service.chains.map(({ name }) => name)).toEqual(chainNames);
  expect(service.chains[0]).toMatchObject({ from: '2026-11-01', confirmations: undefined });
  const [asked] = cloudFormation.commandCalls(DescribeStacksCommand);
  expect(asked?.args[0].input).toEqual({ StackName: 'ChainInsights-dev' });
});

test('an unknown stage is refused with those that there are, before AWS is asked', async () => {
  await expect(openDeployedService('live')).rejects.toThrow('stage: expected one of dev, prod, and not live');
  expect(cloudFormation.calls()).toEqual([]);
});

test('a stage that is not deployed is refused with where it was looked for, and how to deploy it', async () => {
  const refusal = new CloudFormationServiceException({
    ...{ name: 'ValidationError', $fault: 'client', $metadata: {} },
    message: 'Stack with id ChainInsights-prod does not exist',
  });
  cloudFormation.on(DescribeStacksCommand).rejects(refusal);
  await expect(openDeployedService('prod')).rejects.toThrow(
    'There is no stack ChainInsights-prod in eu-central-1 of this account: check the credentials and the region, ' +
      'or deploy it with npx cdk deploy -c stage=prod.',
  );
});

test('a stack from other code, without what a command needs of it, is to be deployed again', async () => {
  cloudFormation.on(DescribeStacksCommand).resolves(stack(['TableName', 'Metrics-1']));
  const { output } = await openDeployedService('dev');
  expect(() => output('BackfillArn')).toThrow(/has no output BackfillArn.*npx cdk deploy -c stage=dev/);
});

test.each([
  ['CredentialsProviderError', 'Could not load credentials', /no AWS credentials.*AWS_PROFILE/],
  ['Error', 'Region is missing', /set AWS_REGION/],
  ['Error', 'Region not accepted: region=""', /set AWS_REGION/],
  ['ExpiredTokenException', 'The security token is expired', /sign in again/],
  [
    'AccessDeniedException',
    'not authorized to perform: states:StopExecution',
    /states:StopExecution.*docs\/operations\.md/,
  ],
])('%s of AWS comes with what to do', (name, message, advice) => {
  expect(awsAdvice(Object.assign(new Error(message), { name }))).toMatch(advice);
});

test('a network that does not lead to AWS is told as such', () => {
  const error = Object.assign(new Error('getaddrinfo ENOTFOUND sts.eu-central-1.amazonaws.com'), {
    code: 'ENOTFOUND',
  });
  expect(awsAdvice(error)).toMatch(/^AWS cannot be reached \(getaddrinfo ENOTFOUND .*check the network/);
});

test('any other error has no advice', () => {
  expect(awsAdvice(new TypeError('x is undefined'))).toBeUndefined();
  expect(awsAdvice('x')).toBeUndefined();
});
