import {
  nameOf,
  type Properties,
  permissionsOf,
  propertiesOf,
  templateOf,
  theOnly,
} from '#test/support/aws/stack.ts';

/* The customer-managed key of a stage. */

const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/1';
const env = { account: '111122223333', region: 'eu-central-1' };
const given = templateOf({ env, kmsKeyArn, apiLogRole: 'existing' });

test('the key encrypts the table, all logs, the queues, the reports, the exports and the alarms', () => {
  const [replica] = theOnly(given, 'AWS::DynamoDB::GlobalTable').Replicas;
  expect(replica.SSESpecification).toEqual({ KMSMasterKeyId: kmsKeyArn });
  for (const [type, field, count] of [
    ['AWS::Logs::LogGroup', 'KmsKeyId', 9],
    ['AWS::SQS::Queue', 'KmsMasterKeyId', 1],
    ['AWS::SNS::Topic', 'KmsMasterKeyId', 2],
  ] as const) {
    const found = propertiesOf(given, type).map(({ [field]: key }) => key);
    expect(found).toEqual(Array(count).fill(kmsKeyArn));
  }
  const buckets = propertiesOf(given, 'AWS::S3::Bucket');
  expect(buckets).toHaveLength(2);
  for (const { BucketEncryption } of buckets) {
    expect(BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      {
        BucketKeyEnabled: true,
        ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: kmsKeyArn },
      },
    ]);
  }
});

test('each role may use the key through the services that it needs alone', () => {
  const used = Object.entries(permissionsOf(given)).map(([role, statements]) => [
    role.replace(/.{8}$/, ''),
    statements
      .filter(({ resources }) => resources.includes(kmsKeyArn))
      .map(({ actions, condition }) => [
        nameOf((condition as Properties).StringEquals['kms:ViaService']),
        actions,
      ]),
  ]);
  const read = ['dynamodb..amazonaws.com', ['kms:Decrypt', 'kms:DescribeKey']];
  const send = ['sqs..amazonaws.com', ['kms:Decrypt', 'kms:GenerateDataKey']];
  expect(Object.fromEntries(used)).toEqual({
    IngestRole: [
      [
        'dynamodb..amazonaws.com',
        [
          ...['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
          ...['kms:ReEncryptFrom', 'kms:ReEncryptTo'],
        ],
      ],
      send,
    ],
    IngestSchedulesRole: [send],
    BackupExportRole: [
      read,
      send,
      ['s3..amazonaws.com', ['kms:Decrypt', 'kms:GenerateDataKey']],
      ['sns..amazonaws.com', ['kms:Decrypt', 'kms:GenerateDataKey']],
    ],
    BackupRole: [send],
    MonitoringPageEndedRole: [['sns..amazonaws.com', ['kms:Decrypt', 'kms:GenerateDataKey']]],
    BackfillRole: [['s3..amazonaws.com', ['kms:Decrypt', 'kms:GenerateDataKey']]],
    ApigettransactioncountRole: [read],
    ApigetfeesRole: [read],
    ApigetdetailsRole: [read],
    ApigettodayRole: [read],
    ApipagesRole: [],
  });
});
