import { nameOf, permissionsOf, propertiesOf, templateOf } from '#test/support/aws/stack.ts';

const template = templateOf();
const own = (type: string, from = template) =>
  Object.entries(from.findResources(type))
    .filter(([id]) => id.startsWith('Backup'))
    .map(([, { Properties }]) => Properties);

test('tries a failed export twice more, and then sends it to the queue of lost runs', () => {
  const [config] = own('AWS::Lambda::EventInvokeConfig');
  expect(config).toMatchObject({ MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 21_600 });
  expect(nameOf(config.DestinationConfig.OnFailure.Destination)).toMatch(/^IngestLostRuns/);
});

test('keeps exports private, encrypted and versioned for 35 days', () => {
  expect(own('AWS::S3::Bucket')).toEqual([
    {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: [
          expect.objectContaining({
            ExpirationInDays: 35,
            NoncurrentVersionExpiration: { NoncurrentDays: 35 },
            Status: 'Enabled',
          }),
        ],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      VersioningConfiguration: { Status: 'Enabled' },
    },
  ]);
  expect(own('AWS::S3::BucketPolicy')[0].PolicyDocument.Statement).toEqual([
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
  ]);
});

test('writes to the bucket that the stage names, and then creates none', () => {
  const given = templateOf({ exportBucket: 'elsewhere' });
  expect(own('AWS::S3::Bucket', given)).toEqual([]);
  expect(given.toJSON().Outputs.ExportBucketName.Value).toBe('elsewhere');
  const [exporter] = own('AWS::Lambda::Function', given);
  expect(exporter.Environment.Variables).toMatchObject({ EXPORT_BUCKET: 'elsewhere' });
  const statements = propertiesOf(given, 'AWS::IAM::Policy').flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
  const writing = statements.filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
  expect(writing.map(({ Resource }) => nameOf(Resource))).toEqual(['arn::s3:::elsewhere/exports/*']);
});

test.each([
  ['on-call@example.com', 1],
  ['none', 0],
])('learns who gets the pages where somebody wants them: %s', (alarmEmail, expected) => {
  const given = templateOf({ alarmEmail });
  const [exporter] = own('AWS::Lambda::Function', given);
  expect(Number('PAGE_TOPIC' in exporter.Environment.Variables)).toBe(expected);
  const rights = Object.values(permissionsOf(given))
    .flat()
    .filter(({ actions }) => actions.includes('sns:ListSubscriptionsByTopic'));
  expect(rights.map(({ resources }) => resources)).toEqual(
    Array(expected).fill([expect.stringMatching(/^MonitoringPages/)]),
  );
});
