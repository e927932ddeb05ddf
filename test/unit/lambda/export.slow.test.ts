import { createServer } from 'node:http';
import { mockClient } from 'aws-sdk-client-mock';
import { folderOf } from '#core/backup/export-files.ts';
import { MANIFEST } from '#core/backup/export-folder.ts';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { deleteUnsentEvent, listUnsentEvents, noteUnsentEvent } from '#core/store/days/notes.ts';
import { chainStore } from '#core/store/table/table.ts';
import { environment } from '#lambda/environment.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { fillTable } from '#test/support/generators/rows/filled-table.ts';
import { type S3Fault, type S3Request, startS3Server } from '#test/support/servers/s3-server.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { useTable } from '#test/support/tables/table.ts';

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

interface Given {
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
async function mockMail(alarms: NonNullable<Given['alarms']>, subscribers: readonly string[]) {
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

/** Runs the function with a bucket. */
async function runExport({
  fault,
  variables = {},
  before,
  alarms = [],
  subscribers = [`${PAGES}:1`],
}: Given = {}) {
  const objects = new Map<string, Buffer>();
  if (before) objects.set(YESTERDAY, manifestOf(before));
  await using bucket = await startS3Server({ bucket: 'exports', objects, ...(fault && { fault }) });
  Object.assign(process.env, embeddedCredentials, bucket.environment, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    [environment.tableName]: table().name,
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

const keys = ['BSC.ndjson.gz', 'BASE.ndjson.gz', 'manifest.json'].map((name) => `exports/2026-01-03/${name}`);

test('writes the files of today under the prefix, the manifest last, and logs what it wrote', async () => {
  await fillTable(table());
  const { objects, logged, result } = await runExport();
  expect([[...objects.keys()].toSorted(), [...objects.keys()].at(-1)]).toEqual([
    keys.toSorted(),
    keys.at(-1),
  ]);
  expect(logged).toEqual([{ export: 's3://exports/exports/2026-01-03', ...result }]);
  expect(result).toEqual(JSON.parse(String(objects.get(keys[2] ?? ''))));
});

test('fails without a manifest, after the other files, when the bucket refuses one', async () => {
  await fillTable(table());
  const { result, objects, logged, mails } = await runExport({
    fault: ({ key }) => (key.includes('BSC') ? { status: 403, code: 'AccessDenied' } : undefined),
  });
  expect(result).toMatchObject({
    message: expect.stringMatching(/^BSC could not be exported: AccessDenied/),
  });
  expect([...objects.keys()]).toEqual(keys.slice(1, 2));
  expect([logged, mails()]).toEqual([[], []]);
});

test('opens the days of other chains, and does not fail, where a row of one cannot be read', async () => {
  await fillTable(table());
  await table().putIf({ chain: 'BSC', date: '2026-01-01', transaction_count: 'x' });
  const { result, objects, mails } = await runExport({ variables: { [environment.publicDays]: '60' } });
  expect(result).not.toBeInstanceOf(Error);
  expect(mails()[0]?.Message).toContain('The pages show no open days of BSC: The item BSC 2026-01-01');
  const { chains } = JSON.parse(String(objects.get('public/days.json')));
  const counts = new Map(chains.map(({ chain, rows }: Record<string, unknown[]>) => [chain, rows?.length]));
  expect([counts.get('BSC'), counts.get('BASE')]).toEqual([0, 1]);
});

test('emails once that the open days were refused, instead of an error that repeats the export', async () => {
  const { result, mails } = await runExport({
    variables: { [environment.publicDays]: '60' },
    fault: ({ key }) => (key.includes('public/') ? { status: 403, code: 'AccessDenied' } : undefined),
  });
  expect([result instanceof Error, mails()[0]?.Message]).toEqual([
    false,
    expect.stringContaining('The open days of the pages were not written: AccessDenied'),
  ]);
});

test('opens the latest days of each chain to the pages, as /days returns them, where the stage says so', async () => {
  await fillTable(table());
  // Of BSC, the table has 2025-11-18 to 2025-11-22.
  const { objects } = await runExport({ variables: { [environment.publicDays]: '45' } });
  const { chains } = JSON.parse(String(objects.get('public/days.json')));
  const bsc = chains.find(({ chain }: { chain: string }) => chain === 'BSC');
  expect(bsc.rows.map(({ date }: { date: string }) => date)).toEqual([
    '2025-11-19',
    '2025-11-20',
    '2025-11-21',
    '2025-11-22',
  ]);
  expect(bsc.rows[0]).toMatchObject({
    fees: expect.stringMatching(/^\d+\.\d{18}$/),
    evidence: expect.any(String),
    first_block: { hash: expect.any(String) },
  });
});

test('writes all days of each chain as files, and their index last, where the stage names a licence', async () => {
  await fillTable(table());
  const { objects, mails } = await runExport({ variables: { [environment.publicFiles]: 'CC0-1.0' } });
  const names = [...objects.keys()].filter((key) => key.startsWith('public/'));
  expect(names).toEqual(
    ['BSC.csv', 'BSC.parquet', 'BASE.csv', 'BASE.parquet', 'index.json'].map((name) => `public/${name}`),
  );
  expect(JSON.parse(String(objects.get('public/index.json')))).toMatchObject({
    written_at: '2026-01-03T02:30:00.000Z',
    licence: 'CC0-1.0',
    chains: [
      { chain: 'BSC', days: 5, first_day: '2025-11-18', last_day: '2025-11-22' },
      { chain: 'BASE', days: 1 },
    ],
  });
  expect(mails()[0]?.Message ?? '').not.toContain('open days');
});

describe('the daily email', () => {
  async function fillWithoutEvents(): Promise<void> {
    await fillTable(table());
    for (const chain of ['BSC', 'BASE'] as const) {
      const store = chainStore(table(), chain);
      for (const event of await listUnsentEvents(store)) await deleteUnsentEvent(store, event);
    }
  }

  const bodyOf = async (given: Given) => {
    const { result, mails } = await runExport(given);
    expect(result).toMatchObject({ format: 1 });
    expect(mails().length).toBeLessThanOrEqual(1);
    return mails()[0];
  };

  test('has the notices that are active, and asks for no other alarm', async () => {
    await fillWithoutEvents();
    const alarms = [
      { AlarmName: 'ChainInsights-prod-notice-run-lost', AlarmDescription: 'A run was lost. Read it.' },
    ];
    const { mails, asked } = await runExport({ alarms });
    expect(asked()[0]).toMatchObject({ AlarmNamePrefix: 'ChainInsights-prod-notice-', StateValue: 'ALARM' });
    expect(mails()).toEqual([
      {
        TopicArn: 'arn:aws:sns:eu-central-1:111122223333:notices',
        Subject: 'ChainInsights-prod: 1 notice',
        Message: 'Nothing here needs anyone at night.\n\n- run-lost: A run was lost. Read it.\n',
      },
    ]);
  });

  test('is sent each Monday, with the newest day of each chain', async () => {
    await fillWithoutEvents();
    expect(await bodyOf({})).toBeUndefined();
    jest.resetModules();
    jest.setSystemTime(new Date('2026-01-05T02:30:00Z'));
    const mail = await bodyOf({});
    expect(mail).toMatchObject({
      Subject: 'ChainInsights-prod: all is well',
      Message: expect.stringMatching(
        /^There are no notices\.\n\nThe newest final day of each chain:\nBSC \d{4}-\d\d-\d\d\nBASE \d{4}-\d\d-\d\d\n$/,
      ),
    });
  });

  test.each([[[]], [['PendingConfirmation']], [['Deleted']]])(
    'says that nobody gets the pages, of subscriptions %j',
    async (subscribers) => {
      await fillWithoutEvents();
      const mail = await bodyOf({ subscribers });
      expect(mail?.Subject).toBe('ChainInsights-prod: 1 notice');
      expect(mail?.Message).toContain(
        'Nobody is subscribed to the pages (docs/operate/deploy.md#alarms). First: npx --no chain-insights doctor --stage prod',
      );
    },
  );

  test('says which chains have conflicts and events that are not sent', async () => {
    await fillWithoutEvents();
    const store = chainStore(table(), 'BASE');
    await saveConflict(store, {
      day: '2025-11-19',
      reason: 'Other figures.',
      since: Date.parse('2026-01-01'),
    });
    await store.table.commit([noteUnsentEvent(store, { day: '2025-11-19', revision: 1, position: 1 })]);
    const mail = await bodyOf({});
    expect(mail?.Subject).toBe('ChainInsights-prod: 2 notices');
    expect(mail?.Message).toContain(
      'BASE 2025-11-19, since 2026-01-01T00:00:00.000Z: Other figures. First: npx --no chain-insights status --stage prod --chain BASE',
    );
    expect(mail?.Message).toContain('BASE: 1 event not sent, the first of 2025-11-19.');
  });

  test.each<[string, Given, string]>([
    [
      'the alarms',
      { alarms: new Error('AccessDenied') },
      'Nobody knows whether the alarms has notices: Error: AccessDenied',
    ],
    [
      'the export of yesterday',
      {
        fault: ({ operation }) =>
          operation === 'GetObject' ? { status: 403, code: 'AccessDenied' } : undefined,
      },
      'The export of yesterday cannot be read',
    ],
  ])('says that %s could not be read, and the export succeeds', async (_, given, text) => {
    await fillWithoutEvents();
    expect((await bodyOf(given))?.Message).toContain(text);
  });

  describe('with the public files of another service', () => {
    let served = new Map<string, Buffer>();
    const url = useServer(
      createServer(({ url = '' }, response) => {
        const bytes = served.get(url.slice(1));
        return response.writeHead(bytes ? 200 : 404).end(bytes);
      }),
    );

    /** Serves what this service would, after a change of one file. */
    async function serveOwn(change: (csv: string) => string) {
      const { objects } = await runExport({ variables: { [environment.publicFiles]: 'CC0-1.0' } });
      jest.resetModules();
      const changed = Buffer.from(change(String(objects.get('public/BSC.csv'))));
      served = objects.set('public/BSC.csv', changed);
    }

    test('says which day differs by one wei, and with which command all do', async () => {
      await fillWithoutEvents();
      await serveOwn((csv) => csv.replaceAll('1.000000000000000001', '1.000000000000000002'));
      const mail = await bodyOf({ variables: { [environment.compareWith]: url() } });
      expect(mail?.Message).toMatch(
        /BSC: \d days of \S+ differ\. 2025-11-\d\d: \w+ 1\.0{17}1 here, 1\.0{17}2 there; evidence proven here, proven there\./,
      );
      expect(mail?.Message).toContain(
        `First: npx --no chain-insights compare --stage prod --chain BSC --with ${url()}`,
      );
    });

    test('says nothing of equal days', async () => {
      await fillWithoutEvents();
      await serveOwn((csv) => csv);
      expect(await bodyOf({ variables: { [environment.compareWith]: url() } })).toBeUndefined();
    });

    test('says that the files cannot be read, and the export succeeds', async () => {
      await fillWithoutEvents();
      served.clear();
      const mail = await bodyOf({ variables: { [environment.compareWith]: url() } });
      expect(mail?.Message).toContain(
        `Nobody knows whether the comparison with ${url()} has notices: Error: ${url()}/public/index.json cannot be read: status 404.`,
      );
    });
  });

  test('says that a broken chain was not checked, and checks the others', async () => {
    await fillWithoutEvents();
    await table().putIf({ chain: 'BSC', date: 'coverage', from_day: 7 });
    const mail = await bodyOf({ before: { BASE: 2 } });
    expect(mail?.Message).toContain('Nobody knows whether BSC has notices: InvalidItemError');
    expect(mail?.Message).toContain('BASE: the export shrank from 2 to 1 day.');
  });
});
