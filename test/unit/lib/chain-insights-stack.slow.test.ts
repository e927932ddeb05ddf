import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { chainNames } from '#core/chains/chains.ts';
import type { Stage } from '#lib/chain-insights-stack.ts';
import { stages } from '#lib/stages/stages.ts';
import {
  newApp,
  permissionsOf,
  propertiesOf,
  stackOf,
  templateOf,
  theOnly,
} from '#test/support/aws/stack.ts';

const template = templateOf();

/** Rights that Step Functions needs to log. AWS supports no resources for them. */
const DELIVER_LOGS = {
  actions: [
    'logs:CreateLogDelivery',
    'logs:DeleteLogDelivery',
    'logs:DescribeLogGroups',
    'logs:DescribeResourcePolicies',
    'logs:GetLogDelivery',
    'logs:ListLogDeliveries',
    'logs:PutResourcePolicy',
    'logs:UpdateLogDelivery',
  ],
  resources: ['*'],
};

/** Right to describe alarms by the prefix of their names. */
const DESCRIBE_ALARMS = { actions: ['cloudwatch:DescribeAlarms'], resources: ['arn::cloudwatch:::alarm:*'] };

/** Returns statements by role, without the hashes that CDK appends to logical IDs. */
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
];

test('grants each role exactly these rights', () => {
  expect(rights()).toEqual({
    MonitoringPageEndedRole: [{ actions: ['sns:Publish'], resources: ['MonitoringPages'] }],
    IngestRole: [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: ['IngestLogs'] },
      {
        actions: [
          'dynamodb:ConditionCheckItem',
          'dynamodb:DeleteItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
        ],
        resources: ['MetricsTable'],
      },
      { actions: ['sqs:SendMessage'], resources: ['IngestLostRuns'] },
      {
        actions: ['events:PutEvents'],
        resources: ['arn::events:::event-bus/default'],
        condition: {
          'ForAllValues:StringEquals': { 'events:source': 'chain-insights' },
          StringEquals: { 'events:detail-type': ['Day Final', 'Day Restated', 'Day Priced'] },
        },
      },
    ],
    IngestSchedulesRole: [
      { actions: ['lambda:InvokeFunction'], resources: ['IngestFunction'] },
      { actions: ['sqs:SendMessage'], resources: ['IngestLostRuns'] },
    ],
    BackupExportRole: [
      { actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: ['BackupExportLogs'] },
      { actions: ['dynamodb:GetItem', 'dynamodb:Query'], resources: ['MetricsTable'] },
      { actions: ['sqs:SendMessage'], resources: ['IngestLostRuns'] },
      { actions: ['s3:ListBucket'], resources: ['arn::s3:::BackupExports'] },
      { actions: ['s3:GetObject', 's3:PutObject'], resources: ['arn::s3:::BackupExports/exports/*'] },
      DESCRIBE_ALARMS,
      { actions: ['sns:Publish'], resources: ['MonitoringNotices'] },
    ],
    BackupRole: [
      { actions: ['lambda:InvokeFunction'], resources: ['BackupExportFunction'] },
      { actions: ['sqs:SendMessage'], resources: ['IngestLostRuns'] },
    ],
    BackfillRole: [
      { actions: ['lambda:InvokeFunction'], resources: ['IngestFunction'] },
      {
        actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        resources: ['BackfillReports/reports/*'],
      },
      DELIVER_LOGS,
      { actions: ['states:StartExecution'], resources: ['BackfillStateMachine'] },
      {
        actions: ['states:DescribeExecution', 'states:StopExecution'],
        resources: ['arn::states:::execution:BackfillStateMachine/*'],
      },
      { actions: ['states:DescribeMapRun'], resources: ['arn::states:::mapRun:BackfillStateMachine/*'] },
    ],
    ApigettransactioncountRole: queryRights('gettransactioncount'),
    ApigetfeesRole: queryRights('getfees'),
    ApigetdetailsRole: queryRights('getdetails'),
    ApigettodayRole: queryRights('gettoday'),
    ApipagesRole: [logRights('pages')],
  });
});

test('lets the ingest read the configured parameters only', () => {
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
});

test('lets the ingest decrypt those parameters only, whichever key encrypts them', () => {
  const { IngestRole } = rights({ chains: { BSC: { endpointsParameter: '/nodes/bsc' } } });
  expect(IngestRole).toContainEqual({
    actions: ['kms:Decrypt'],
    resources: ['arn::kms:::key/*'],
    condition: {
      StringEquals: {
        'kms:EncryptionContext:PARAMETER_ARN': expect.anything(),
        'kms:ViaService': expect.anything(),
      },
    },
  });
  expect(JSON.stringify(rights())).not.toContain('kms:');
});

test('lets the ingest list and read the bucket with era files only, and names it', () => {
  const stage = { eraBucket: 'era-files' };
  const { IngestRole } = rights(stage);
  const own = IngestRole?.filter(({ actions }) => actions.join().includes('s3:'));
  expect(own).toEqual([
    { actions: ['s3:ListBucket'], resources: ['arn::s3:::era-files'] },
    { actions: ['s3:GetObject'], resources: ['arn::s3:::era-files/*'] },
  ]);
  expect(templateOf(stage).toJSON().Outputs.EraBucketName.Value).toBe('era-files');
});

test('lets the probe read what exports counted, and no data of theirs', () => {
  const { ApiprobeRole } = rights({ probe: true, exportBucket: 'elsewhere' });
  const own = ApiprobeRole?.filter(({ actions }) => actions.join().includes('s3:'));
  expect(own).toEqual([
    { actions: ['s3:ListBucket'], resources: ['arn::s3:::elsewhere'] },
    { actions: ['s3:GetObject'], resources: ['arn::s3:::elsewhere/exports/*/manifest.json'] },
  ]);
  const variables = propertiesOf(
    templateOf({ probe: true, exportBucket: 'elsewhere' }),
    'AWS::Lambda::Function',
  );
  expect(
    variables.filter(({ Environment }) => Environment.Variables.EXPORT_BUCKET === 'elsewhere'),
  ).toHaveLength(2);
});

/** Resources whose names are chosen at run time. */
const RUN_TIME_NAMES = [
  /^BackfillReports\w{8}\/reports\/\*$/,
  /^arn::s3:::BackupExports\w{8}\/exports\/\*$/,
  /^arn::s3:::BackupExports\w{8}\/exports\/\*\/manifest\.json$/,
  /^arn::states:[\w-]*:\d*:(execution|mapRun):BackfillStateMachine\w{8}\/\*$/,
];

test.each([...Object.keys(stages), 'test'])(
  'uses wildcards in the stage %s only where AWS supports nothing narrower',
  (name) => {
    for (const { actions, resources } of Object.values(
      permissionsOf(templateOf({ ...stages[name], protect: false })),
    ).flat()) {
      expect(actions.join()).not.toContain('*');
      const wild = resources.filter(
        (resource) => resource.includes('*') && !RUN_TIME_NAMES.some((pattern) => pattern.test(resource)),
      );
      if (wild.length > 0) {
        expect([DELIVER_LOGS, DESCRIBE_ALARMS]).toContainEqual({ actions, resources });
      }
    }
  },
);

test('attaches no AWS managed policy', () => {
  for (const role of propertiesOf(template, 'AWS::IAM::Role')) expect(role.ManagedPolicyArns).toBeUndefined();
});

test('attaches one AWS managed policy when the stage creates the account’s log role', () => {
  const managed = propertiesOf(templateOf({ apiLogRole: 'create' }), 'AWS::IAM::Role').flatMap(
    ({ ManagedPolicyArns = [] }) => ManagedPolicyArns,
  );
  expect(managed).toHaveLength(1);
  expect(JSON.stringify(managed)).toContain('AmazonAPIGatewayPushToCloudWatchLogs');
});

test('keys the table by chain and date, with point-in-time recovery and a cap on throughput', () => {
  const { Replicas, ...table } = theOnly(templateOf({ requestsPerSecond: 15 }), 'AWS::DynamoDB::GlobalTable');
  expect(table).toMatchObject({
    KeySchema: [
      { AttributeName: 'chain', KeyType: 'HASH' },
      { AttributeName: 'date', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 200 },
  });
  expect(Replicas).toEqual([
    expect.objectContaining({
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 300 },
    }),
  ]);
});

test('keeps the logical ID of the table, with which docs/operate/releases.md imports a kept table', () => {
  const [, id] =
    /"(MetricsTable\w+)": { "TableName"/.exec(readFileSync('docs/operate/releases.md', 'utf8')) ?? [];
  expect(Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'))).toEqual([id]);
});

test.each([
  [true, 'Retain', 'RetainExceptOnCreate'],
  [false, 'Delete', 'Delete'],
])(
  'with protect %p, deleting the stack applies %s to the table and %s to logs, reports and exports',
  (protect, table, logs) => {
    const given = templateOf({ protect, apiLogRole: 'existing' });
    const policies = (type: string) =>
      Object.values(given.findResources(type)).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(policies('AWS::DynamoDB::GlobalTable')).toEqual([table]);
    expect(policies('AWS::Logs::LogGroup')).toEqual(Array(9).fill(logs));
    expect(policies('AWS::S3::Bucket')).toEqual([logs, logs]);
    const [replica] = theOnly(given, 'AWS::DynamoDB::GlobalTable').Replicas;
    expect(replica.DeletionProtectionEnabled).toBe(protect);
  },
);

test('keeps only the table, logs, reports, exports and the account’s log role when a protected stack is deleted', () => {
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

test('runs each function on the Node version of the tests, with its own log group', () => {
  const functions = propertiesOf(template, 'AWS::Lambda::Function');
  expect(functions).toHaveLength(7);
  const groups = functions.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref);
  expect(new Set(groups).size).toBe(7);
  for (const found of functions) {
    expect(found).toMatchObject({
      Runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
      Architectures: ['arm64'],
      LoggingConfig: { LogFormat: 'JSON' },
    });
  }
  const withTable = functions.filter(({ Environment }) => Environment.Variables.TABLE_NAME);
  expect(withTable).toHaveLength(6);
  templateOf({ logRetentionDays: 90 }).allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 90 });
});

test('contains no API key and no node URL', () => {
  const endpointsParameter = '/nodes/all';
  const chains = Object.fromEntries(chainNames.map((name) => [name, { endpointsParameter }]));
  const given = templateOf({ chains });
  given.resourceCountIs('AWS::ApiGateway::ApiKey', 0);
  expect(JSON.stringify(given.toJSON())).not.toMatch(/resolve:|publicnode|drpc/);
});

test('pins a stage to its account and region, and protects the stack from termination', () => {
  const env = { account: '111122223333', region: 'eu-central-1' };
  expect(stackOf({ env, protect: true })).toMatchObject({ ...env, terminationProtection: true });
});

test('takes the permissions boundary and the bootstrap of the app, as CDK names them', () => {
  const app = newApp();
  app.node.setContext('@aws-cdk/core:permissionsBoundary', { name: 'boundary' });
  app.node.setContext('@aws-cdk/core:bootstrapQualifier', 'org1');
  const given = Template.fromStack(stackOf({ apiLogRole: 'create' }, app));
  const roles = propertiesOf(given, 'AWS::IAM::Role');
  expect(roles.length).toBeGreaterThan(6);
  for (const role of roles) expect(JSON.stringify(role.PermissionsBoundary)).toContain('policy/boundary');
  expect(given.toJSON().Parameters.BootstrapVersion.Default).toBe('/cdk-bootstrap/org1/version');
  expect(JSON.stringify(template.toJSON())).not.toContain('PermissionsBoundary');
});

describe('with a network', () => {
  const vpc = { subnets: ['subnet-0a', 'subnet-0b'], securityGroups: ['sg-0c'] };
  const given = { vpc, probe: true };

  test('the functions that call nodes, the API and the bucket of exports run in it, and no other', () => {
    const networks = Object.entries(templateOf(given).findResources('AWS::Lambda::Function')).flatMap(
      ([id, { Properties }]) => (Properties.VpcConfig ? [[withoutHash(id), Properties.VpcConfig]] : []),
    );
    const network = { SubnetIds: vpc.subnets, SecurityGroupIds: vpc.securityGroups };
    expect(Object.fromEntries(networks)).toEqual({
      IngestFunction: network,
      BackupExportFunction: network,
      ApiprobeFunction: network,
    });
  });

  test('these functions, and no other, may manage network interfaces', () => {
    const managers = Object.entries(rights(given)).flatMap(([role, statements]) =>
      statements.some(({ actions }) => actions.join().includes('ec2:')) ? [role] : [],
    );
    expect(managers).toEqual(['IngestRole', 'BackupExportRole', 'ApiprobeRole']);
  });
});
