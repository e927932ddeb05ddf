import { mockClient } from 'aws-sdk-client-mock';
import { folderOf } from '#core/backup/export-files.ts';
import { MANIFEST } from '#core/backup/export-folder.ts';
import type { Table } from '#core/store/table/table.ts';
import { environment } from '#lambda/environment.ts';
import { type EmbeddedTable, embeddedCredentials } from '#local/embedded-table.ts';
import { type S3Fault, type S3Request, startS3Server } from '#test/support/servers/s3-server.ts';
import { useTable } from '#test/support/tables/table.ts';

/** The bucket, the alarms and the subscribers that the function finds. */
export interface ExportGiven {
  readonly fault?: (request: S3Request) => S3Fault | undefined;
  readonly variables?: Record<string, string>;
  /** Days of each chain in the export of yesterday. */
  readonly before?: Record<string, number>;
  /** States of the subscriptions to pages. */
  readonly subscribers?: readonly string[];
  readonly alarms?: readonly { AlarmName: string; AlarmDescription: string }[] | Error;
}

const PAGES = 'arn:aws:sns:eu-central-1:111122223333:pages';
const YESTERDAY = `${folderOf('2026-01-02')}/${MANIFEST}`;

const manifestOf = (days: Record<string, number>) =>
  Buffer.from(
    JSON.stringify({
      format: 1,
      exported_at: '2026-01-02T02:30:00.000Z',
      software_version: '0',
      chains: Object.entries(days).map(([chain, count]) => ({
        chain,
        sha256: '',
        bytes: 1,
        items: count,
        days: count,
        first_day: '2025-11-18',
        last_day: '2025-11-22',
      })),
    }),
  );

/** Returns mocks of CloudWatch with these active alarms, and of SNS with these subscribers. */
async function mockMail(alarms: NonNullable<ExportGiven['alarms']>, subscribers: readonly string[]) {
  const { CloudWatchClient, DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
  const { ListSubscriptionsByTopicCommand, PublishCommand, SNSClient } = await import('@aws-sdk/client-sns');
  const cloudWatch = mockClient(CloudWatchClient);
  const describing = cloudWatch.on(DescribeAlarmsCommand);
  if (alarms instanceof Error) describing.rejects(alarms);
  else describing.resolves({ MetricAlarms: [...alarms] });
  const sns = mockClient(SNSClient);
  sns.on(PublishCommand).resolves({});
  const Subscriptions = subscribers.map((SubscriptionArn) => ({ SubscriptionArn }));
  sns.on(ListSubscriptionsByTopicCommand, { TopicArn: PAGES }).resolves({ Subscriptions });
  const asked = () => cloudWatch.commandCalls(DescribeAlarmsCommand).map(({ args: [{ input }] }) => input);
  return { asked, mails: () => sns.commandCalls(PublishCommand).map(({ args: [{ input }] }) => input) };
}

/** Runs the export function for the tests of a file, on 2026-01-03 at 02:30, with a new table for each. */
export function useExport() {
  const table = useTable();
  const environmentBefore = { ...process.env };
  beforeEach(() => {
    jest.resetModules();
    jest.useFakeTimers({
      now: new Date('2026-01-03T02:30:00Z'),
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout'],
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    process.env = { ...environmentBefore };
  });
  return { table, runExport: (given?: ExportGiven) => runExport(table(), given) };
}

/** Runs the function with a bucket. */
async function runExport(
  table: Pick<EmbeddedTable, 'endpoint'> & Table,
  { fault, variables = {}, before, alarms = [], subscribers = [`${PAGES}:1`] }: ExportGiven = {},
) {
  const objects = new Map<string, Buffer>();
  if (before) objects.set(YESTERDAY, manifestOf(before));
  await using bucket = await startS3Server({ bucket: 'exports', objects, ...(fault && { fault }) });
  Object.assign(process.env, embeddedCredentials, bucket.environment, {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    [environment.tableName]: table.name,
    [environment.exportBucket]: 'exports',
    [environment.noticeTopic]: 'arn:aws:sns:eu-central-1:111122223333:notices',
    [environment.pageTopic]: PAGES,
    [environment.stackName]: 'ChainInsights-prod',
    [environment.offeredChains]: 'BSC,BASE',
    ...variables,
  });
  const mail = await mockMail(alarms, subscribers);
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const info = jest.spyOn(console, 'info').mockImplementation(() => {});
  const { handler } = await import('#lambda/export.ts');
  const result = await handler().catch((error: Error) => error);
  objects.delete(YESTERDAY);
  return { result, objects, logged: info.mock.calls.flat(), requests: bucket.requests, ...mail };
}
