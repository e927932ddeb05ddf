import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import type { ChainName } from '#core/chains/chains.ts';
import { addDays, dayOf } from '#core/figures/calendar.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { dayKey } from '#core/store/table/keys.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { chainsHandler } from '#lambda/api/chains-handler.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { days } from '#lambda/api/series/days.ts';
import { distribution } from '#lambda/api/series/distribution.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { environment } from '#lambda/environment.ts';
import { type EmbeddedTable, embeddedCredentials, startEmbeddedTable } from '#local/embedded-table.ts';
import { fillTable } from '#test/support/generators/rows/filled-table.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';
import { type S3Server, startS3Server } from '#test/support/servers/s3-server.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

/* The export function, a bucket, the command import and the functions of the API. */

const FROM = '2025-11-17';
const CHAINS: readonly ChainName[] = ['BSC', 'BASE'];
const PLACE = `s3://exports/exports/${dayOf(Date.now() / 1_000)}`;
const { table, cli } = useAnnouncedTable(FROM, 'BSC');
const restore = (...parameters: string[]) => cli(['import', PLACE, ...parameters], { BSC: [], BASE: [] });

let lost: EmbeddedTable;
let bucket: S3Server;
let before: readonly unknown[];

beforeAll(async () => {
  jest.spyOn(console, 'info').mockImplementation(() => {});
  lost = await startEmbeddedTable();
  bucket = await startS3Server({ bucket: 'exports', objects: new Map() });
  await fillTable(lost, 40);
  Object.assign(process.env, embeddedCredentials, bucket.environment, {
    AWS_ENDPOINT_URL_DYNAMODB: lost.endpoint,
    [environment.tableName]: lost.name,
    [environment.exportBucket]: 'exports',
    [environment.stackName]: 'ChainInsights-dev',
    [environment.noticeTopic]: 'arn:aws:sns:eu-central-1:111122223333:Notices',
  });
  // No S3 server says which alarms there are, or sends an email.
  mockClient(CloudWatchClient).on(DescribeAlarmsCommand).resolves({});
  mockClient(SNSClient).on(PublishCommand).resolves({});
  const { handler } = await import('#lambda/export.ts');
  await handler();
  before = await responsesOf(lost);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await lost.close();
  await bucket[Symbol.asyncDispose]();
});

const context = {} as Context;

/** Returns the bodies and headers of every series, interval and format of both chains, and the row of each chain. */
async function responsesOf(table: Table): Promise<readonly unknown[]> {
  const responses: unknown[] = [];
  for (const handler of [
    queryHandler(days, table),
    queryHandler(fees, table),
    queryHandler(transactionCount, table),
    queryHandler(distribution, table),
  ]) {
    for (const chain of CHAINS) {
      for (const interval of ['hour', 'day', 'week', 'month']) {
        for (const accept of ['application/json', 'text/csv']) {
          const query = { chain, start_date: FROM, end_date: '2025-12-31', interval };
          const event = apiEvent({
            headers: { accept },
            multiValueQueryStringParameters: parametersOf(query),
          });
          const { statusCode, body, headers } = await handler(event, context);
          // A distribution has no hours.
          if (statusCode === 400) continue;
          expect([statusCode, headers?.ETag]).toEqual([200, expect.stringContaining(chain)]);
          responses.push({ body, headers });
        }
      }
    }
  }
  return [...responses, ...(await chainRows(table))];
}

async function chainRows(table: Table): Promise<Record<string, unknown>[]> {
  const handler = chainsHandler(
    CHAINS.map((name) => ({ name, startDate: FROM })),
    table,
  );
  const { body } = await handler(apiEvent({}), context);
  // The lag is not exported: the next run of the ingest saves it.
  return JSON.parse(body).map((row: object) => ({ ...row, seconds_behind: null }));
}

test('a restored table gives the bodies and entity tags of the lost one, byte for byte', async () => {
  expect((await restore()).code).toBe(0);
  expect(await responsesOf(table())).toEqual(before);
  expect(before.length).toBe(62);
});

test('a day that cannot be read is restored alone, and caches read it again', async () => {
  await restore();
  const key = dayKey({ chain: 'BSC' }, addDays(FROM, 9));
  await table().putIf({ ...(await table().getItem(key)), blob_fees: 'free' });
  await table().deleteItem(key);
  const { code, stdout } = await restore('--chain', 'BSC', '--json');
  expect([code, JSON.parse(stdout).chains[0]]).toMatchObject([0, { added: 1, already_final: 39 }]);
  expect(await getCoverage(chainStore(table(), 'BSC'))).toMatchObject({ last_day: '2025-12-27' });
  expect((await responsesOf(table())).slice(-2)).toEqual(before.slice(-2));
});
