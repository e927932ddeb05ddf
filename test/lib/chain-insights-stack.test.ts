import { Template } from 'aws-cdk-lib/assertions';
import { chainNames } from '../../lambda/chains/chains.ts';
import type { Stage } from '../../lib/config.ts';
import { stages } from '../../lib/stages.ts';
import { permissionsOf, propertiesOf, stackOf, templateOf, theOnly } from '../support/stack.ts';

const template = templateOf();

const XRAY = {
  actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
  resources: ['*'],
};

/** What Step Functions needs to log and to trace; AWS lets neither be granted for less. */
const LOG_AND_TRACE = {
  actions: [
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:DescribeLogGroups',
    'logs:DescribeResourcePolicies',
    'logs:GetLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:UpdateLogDelivery',
    'xray:GetSamplingRules',
    'xray:GetSamplingTargets',
    'xray:PutTelemetryRecords',
    'xray:PutTraceSegments',
  ],
  resources: ['*'],
};

/** Rights by the first words of their role's logical ID, with what hashes CDK adds taken out. */
const rights = (given: Stage = {}) =>
  Object.fromEntries(
    Object.entries(permissionsOf(templateOf(given))).map(([role, statements]) => [
      withoutHash(role),
      statements.map(({ resources, ...rest }) => ({ ...rest, resources: resources.map(withoutHash) })),
    ]),
  );
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}(?=$|\/)/, '');

const logRights = (handler: string) => ({
  actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  resources: [`Api${handler}Logs`],
});
const queryRights = (handler: string) => [
  logRights(handler),
  { actions: ['dynamodb:GetItem', 'dynamodb:Query'], resources: ['MetricsTable'] },
  XRAY,
];

test('each role may do what its function does, and nothing else', () => {
  expect(rights()).toEqual({
    IngestRole: [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: ['IngestLogs'] },
      {
        actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
        resources: ['MetricsTable'],
      },
      XRAY,
      { actions: ['sqs:SendMessage'], resources: ['IngestCrashes'] },
    ],
    IngestSchedulesRole: [
      { actions: ['lambda:InvokeFunction'], resources: ['IngestFunction'] },
      { actions: ['sqs:SendMessage'], resources: ['IngestMissed'] },
    ],
    BackfillRole: [
      { actions: ['lambda:InvokeFunction'], resources: ['IngestFunction'] },
      {
        actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        resources: ['BackfillReports/reports/*'],
      },
      LOG_AND_TRACE,
      { actions: ['states:StartExecution'], resources: ['BackfillStateMachine'] },
      {
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: ['arn::states:::execution:BackfillStateMachine/*'],
      },
      { actions: ['states:DescribeMapRun'], resources: ['arn::states:::mapRun:BackfillStateMachine/*'] },
    ],
    ApigettransactioncountRole: queryRights('gettransactioncount'),
    ApigetfeesRole: queryRights('getfees'),
    // Whoever loads a page reaches no table.
    ApipagesRole: [logRights('pages'), XRAY],
  });
});

test('the ingest may read the parameters that are named, and no other', () => {
  const { IngestRole } = rights({
    chains: {
      BSC: { endpointsParameter: '/nodes/bsc' },
      BASE: { endpointsParameter: '/nodes/base' },
      POLYGON: { endpointsParameter: '/nodes/polygon', enabled: false },
    },
  });
  expect(IngestRole).toContainEqual({
    actions: ['ssm:GetParameter'],
    resources: ['arn::ssm:::parameter/nodes/base', 'arn::ssm:::parameter/nodes/bsc'],
  });
  expect(JSON.stringify(IngestRole)).not.toContain('kms:');
});

test('a key of one’s own is used to decrypt these parameters only', () => {
  const endpointsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/1';
  const { IngestRole } = rights({
    endpointsKeyArn,
    chains: { BSC: { endpointsParameter: '/nodes/bsc' } },
  });
  expect(IngestRole).toContainEqual({
    actions: ['kms:Decrypt'],
    resources: [endpointsKeyArn],
    condition: {
      StringEquals: {
        'kms:EncryptionContext:PARAMETER_ARN': [expect.anything()],
        'kms:ViaService': expect.anything(),
      },
    },
  });
});

/** Names that are made as the backfill runs. */
const OWN_RUNS = [
  /^BackfillReports\w{8}\/reports\/\*$/,
  /^arn::states:[\w-]*:\d*:(execution|mapRun):BackfillStateMachine\w{8}\/\*$/,
];

test.each([...Object.keys(stages), 'test'])(
  'no statement of %s has a wildcard but those for which AWS offers nothing narrower',
  (name) => {
    for (const { actions, resources } of Object.values(permissionsOf(templateOf(stages[name]))).flat()) {
      expect(actions.join()).not.toContain('*');
      const wild = resources.filter(
        (resource) => resource.includes('*') && !OWN_RUNS.some((pattern) => pattern.test(resource)),
      );
      if (wild.length > 0) {
        expect([XRAY, LOG_AND_TRACE]).toContainEqual({ actions, resources });
      }
    }
  },
);

test('no role has a policy that AWS manages', () => {
  for (const role of propertiesOf(template, 'AWS::IAM::Role')) expect(role.ManagedPolicyArns).toBeUndefined();
});

test('the only policies that AWS manages come with the log role of the account, when it is asked for', () => {
  const managed = propertiesOf(templateOf({ apiLogRole: 'create' }), 'AWS::IAM::Role').flatMap(
    ({ ManagedPolicyArns = [] }) => ManagedPolicyArns,
  );
  expect(managed).toHaveLength(1);
  expect(JSON.stringify(managed)).toContain('AmazonAPIGatewayPushToCloudWatchLogs');
});

test('the table is keyed by chain and date, can be restored, and is capped', () => {
  const { Replicas, ...table } = theOnly(
    templateOf({ table: { readUnits: 300, writeUnits: 40 } }),
    'AWS::DynamoDB::GlobalTable',
  );
  expect(table).toMatchObject({
    KeySchema: [
      { AttributeName: 'chain', KeyType: 'HASH' },
      { AttributeName: 'date', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 40 },
  });
  expect(Replicas).toEqual([
    expect.objectContaining({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 300 },
    }),
  ]);
});

test.each([
  [true, 'Retain', 'RetainExceptOnCreate'],
  [false, 'Delete', 'Delete'],
])(
  'with protect %p, the stack ends with its table %s, its logs and its reports %s',
  (protect, table, logs) => {
    const given = templateOf({ protect, apiLogRole: 'existing' });
    const policies = (type: string) =>
      Object.values(given.findResources(type)).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(policies('AWS::DynamoDB::GlobalTable')).toEqual([table]);
    expect(policies('AWS::Logs::LogGroup')).toEqual(Array(7).fill(logs));
    expect(policies('AWS::S3::Bucket')).toEqual([logs]);
    const [replica] = theOnly(given, 'AWS::DynamoDB::GlobalTable').Replicas;
    expect(replica.DeletionProtectionEnabled).toBe(protect);
  },
);

test.each([
  ['prod', 'Retain', true],
  ['dev', 'Delete', false],
])('the stage %s ends with its table %s', (name, policy, isProtected) => {
  const stack = stackOf(stages[name] ?? {});
  expect(stack.terminationProtection ?? false).toBe(isProtected);
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  expect(table?.DeletionPolicy).toBe(policy);
  expect(table?.Properties.Replicas[0].DeletionProtectionEnabled).toBe(isProtected);
});

test('nothing but the table, the logs, the reports and an account’s log role outlives its stack', () => {
  const given = templateOf({ protect: true, apiLogRole: 'create' }).toJSON().Resources;
  const kept = Object.values<{ Type: string; DeletionPolicy?: string }>(given)
    .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'))
    .map(({ Type }) => Type);
  expect(new Set(kept)).toEqual(
    new Set([
      'AWS::DynamoDB::GlobalTable',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::IAM::Role',
      'AWS::ApiGateway::Account',
    ]),
  );
});

test('each function runs on the runtime of the tests, is traced, and has logs of its own that end', () => {
  const functions = propertiesOf(template, 'AWS::Lambda::Function');
  expect(functions).toHaveLength(4);
  const groups = functions.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref);
  expect(new Set(groups).size).toBe(4);
  for (const found of functions) {
    expect(found).toMatchObject({
      Runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
      Architectures: ['arm64'],
      LoggingConfig: { LogFormat: 'JSON' },
      TracingConfig: { Mode: 'Active' },
    });
  }
  const knowTheTable = functions.filter(({ Environment }) => Environment.Variables.TABLE_NAME);
  expect(knowTheTable).toHaveLength(3);
  templateOf({ logRetentionDays: 90 }).allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 90 });
});

test('queues are encrypted, and refuse what does not come by TLS', () => {
  const queues = propertiesOf(template, 'AWS::SQS::Queue');
  expect(queues).toHaveLength(2);
  for (const queue of queues)
    expect(queue).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 1_209_600 });
  const policies = propertiesOf(template, 'AWS::SQS::QueuePolicy');
  expect(policies).toHaveLength(2);
  for (const { PolicyDocument } of policies) {
    expect(PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ]);
  }
});

test('no key and no URL of a node is in the template', () => {
  const endpointsParameter = '/nodes/all';
  const chains = Object.fromEntries(chainNames.map((name) => [name, { endpointsParameter }]));
  const given = templateOf({ chains });
  given.resourceCountIs('AWS::ApiGateway::ApiKey', 0);
  expect(JSON.stringify(given.toJSON())).not.toMatch(/resolve:|publicnode|drpc/);
});

test('a stage that says where it lives is deployed nowhere else, and a protected one not destroyed by mistake', () => {
  const env = { account: '111122223333', region: 'eu-central-1' };
  expect(stackOf({ env, protect: true })).toMatchObject({ ...env, terminationProtection: true });
});

test('what a person needs to go on is an output', () => {
  expect(Object.keys(template.toJSON().Outputs).toSorted()).toEqual([
    'AlarmTopicArn',
    'BackfillArn',
    'BackfillBucketName',
    'CrashQueueUrl',
    'DashboardName',
    'IngestFunctionName',
    'MissedQueueUrl',
    'TableName',
    'Url',
    'UsagePlanIdStandard',
  ]);
});
