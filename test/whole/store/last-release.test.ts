import type { Context } from 'aws-lambda';
import { SOFTWARE_VERSION } from '#core/software-version.ts';
import { getCheckpoint } from '#core/store/checkpoints.ts';
import { figuresOf, type StoredDay } from '#core/store/day-item.ts';
import { putDay } from '#core/store/days.ts';
import { refreshCoverage } from '#core/store/refresh-coverage.ts';
import { replaceDay } from '#core/store/restatements.ts';
import { formerNames } from '#core/store/shared-attributes.ts';
import { getStoredDay, putStoredDay } from '#core/store/stored-days.ts';
import { days } from '#lambda/api/days.ts';
import { fees } from '#lambda/api/fees.ts';
import { CSV_TYPE, JSON_TYPE } from '#lambda/api/formats.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { transactionCount } from '#lambda/api/transaction-count.ts';
import { environment } from '#lambda/environment.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { hashOf, provenance } from '#test/support/generators/builders.ts';
import { answerFrom } from '#test/support/generators/sample-chain.ts';
import { completeDays, DAY, sampleBlocks, storedDays } from '#test/support/generators/sample-days.ts';
import { emptyAfter, restatedDay, storedDay } from '#test/support/generators/stored-days.ts';
import { blocksRead, type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { loadFunction, type QueryFunction } from '#test/support/processes/last-release.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { useStore } from '#test/support/tables/table.ts';

/* A deployment replaces the ingest at once and query functions later, and a rollback may follow: each version reads the other's items. */

const { table, store } = useStore('ETHEREUM');
const context = { getRemainingTimeInMillis: () => 300_000 } as Context;

const environmentBefore = { ...process.env };
beforeAll(() => jest.spyOn(console, 'info').mockReturnValue());
beforeEach(() => {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    [environment.tableName]: table().name,
    [environment.metricsNamespace]: 'ChainInsights/test',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
});
afterAll(() => {
  jest.restoreAllMocks();
  process.env = environmentBefore;
});

/** Returns the response to a query of all days, without the version at the end of its entity tag and the header that is new. */
async function respond(handler: QueryFunction, Accept: string) {
  const query = { chain: 'ETHEREUM', start_date: DAY, end_date: '2026-11-21' };
  const event = apiEvent({ headers: { Accept }, multiValueQueryStringParameters: parametersOf(query) });
  const { headers: { 'X-Days-Not-Over': _, ...headers } = {}, ...response } = await handler(event, context);
  const ETag = String(headers.ETag).replace(/;[^;]*$/, '');
  return { ...response, headers: Object.entries({ ...headers, ETag }) };
}

/** Checks that the last release and this version respond alike, and returns the dates of the rows. */
async function compareResponses(name: 'get-fees' | 'get-transaction-count'): Promise<string[]> {
  const current = () =>
    name === 'get-fees' ? queryHandler(fees, table()) : queryHandler(transactionCount, table());
  expect(await respond(loadFunction(name), CSV_TYPE)).toEqual(await respond(current(), CSV_TYPE));
  const response = await respond(loadFunction(name), JSON_TYPE);
  expect(response).toEqual(await respond(current(), JSON_TYPE));
  expect(response.statusCode).toBe(200);
  return JSON.parse(response.body).map(({ date }: { date: string }) => date);
}

/** Runs the ingest of the last release. */
async function runLastRelease(node: JsonRpcServer, given: object = {}) {
  using _nodes = leadAllTo(node.url);
  return await loadFunction('ingest')({ chain: 'ETHEREUM', start_date: DAY, ...given }, context);
}

const startNode = (finalized?: number) =>
  startJsonRpcServer(answerFrom(sampleBlocks, finalized === undefined ? {} : { finalized }));
/** The second day has blocks 5 to 7. */
const HALF_OF_SECOND_DAY = 6;
const [FIRST, SECOND, THIRD] = [DAY, '2026-11-19', '2026-11-20'];

const restatement = { reason: 'a node lied', requestedAt: '2026-11-21T08:00:00Z' };
const restate = { reason: restatement.reason, requested_at: restatement.requestedAt };

/** Adds attributes to an item that neither version knows. */
async function addUnknown(date: string): Promise<void> {
  const unknown = {
    parent_hash: hashOf(0),
    linked_to: 'the day before',
    seen_by: ['a.example'],
    of: { a: 1 },
  };
  const item = await table().getItem({ chain: 'ETHEREUM', date });
  expect(await table().putIf({ ...item, ...unknown })).toBe(true);
}

test.each(['get-fees', 'get-transaction-count'] as const)(
  'days of this version make %s of the last release respond as this version does, byte for byte',
  async (name) => {
    const day = (given: Partial<StoredDay>) => figuresOf(storedDay(given));
    const all = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'] as const;
    const [first, empty, restated, imported] = all;
    const fees = { execution_fees: 10n ** 38n - 1n, retryable_double_count: 3n };
    await putDay(store(), day({ date: first, ...fees }), provenance());
    await putDay(store(), day({ date: empty, ...emptyAfter(4) }), provenance());
    await putDay(store(), day({ date: restated }), provenance());
    await replaceDay(store(), day({ date: restated, transaction_count: 8 }), provenance(), restatement);
    await putStoredDay(table(), restatedDay({ chain: 'ETHEREUM', date: imported }), 0);
    await refreshCoverage(store(), DAY, [restated]);
    for (const date of [...all, 'coverage']) await addUnknown(date);
    expect(await compareResponses(name)).toEqual(all);
  },
);

test('days of the last release are served byte for byte as it serves them, and stay as they are', async () => {
  await using node = await startNode();
  await runLastRelease(node);
  await runLastRelease(node, { restate: { ...restate, date: SECOND } });
  expect(await compareResponses('get-fees')).toEqual([FIRST, SECOND, THIRD]);
  expect(await compareResponses('get-transaction-count')).toEqual([FIRST, SECOND, THIRD]);

  const rows = async () => JSON.parse((await respond(queryHandler(days, table()), JSON_TYPE)).body);
  const before = await rows();
  const checked = { evidence: 'checked' };
  const restatements = [{ reason: restate.reason }];
  expect(before).toMatchObject([checked, { ...checked, restatements }, checked]);
  expect(await runIngest(table(), [node])).toMatchObject({ outcome: 'up to date', days: [], restated: [] });
  expect(await rows()).toEqual(before);
});

test('the ingest of the last release continues after days of this version, and starts a half-read day over', async () => {
  await using half = await startNode(HALF_OF_SECOND_DAY);
  expect(await runIngest(table(), [half])).toMatchObject({ days: [FIRST], blocks: 6 });
  expect((await getCheckpoint(store(), SECOND)).progress?.totals.blocks).toBe(2);
  await using node = await startNode();
  expect(await runLastRelease(node)).toMatchObject({ outcome: 'up to date', days: [SECOND, THIRD] });
  expect(Math.min(...blocksRead(node.calls))).toBe(HALF_OF_SECOND_DAY - 1);
  const restated = await runLastRelease(node, { restate: { ...restate, date: FIRST } });
  expect(restated).toMatchObject({ outcome: 'up to date', restated: [FIRST] });
  expect(await storedDays(table())).toEqual(completeDays);
  expect(await getStoredDay(store(), FIRST)).toMatchObject({
    evidence: 'checked',
    restated: [{ evidence: 'proven' }],
  });
});

test('this version continues after days of the last release, and starts a day over that it has half read', async () => {
  await using half = await startNode(HALF_OF_SECOND_DAY);
  await runLastRelease(half);
  await using node = await startNode();
  expect(await runIngest(table(), [node])).toMatchObject({ days: [THIRD, SECOND] });
  expect(Math.min(...blocksRead(node.calls))).toBe(HALF_OF_SECOND_DAY - 1);
  expect(await storedDays(table())).toEqual(completeDays);
  expect(await getStoredDay(store(), SECOND)).toMatchObject({ evidence: 'proven', proven_blocks: 3 });
});

test('former names are written only before the release that may leave them out', () => {
  for (const { writtenBefore } of Object.values(formerNames)) {
    expect(SOFTWARE_VERSION.localeCompare(writtenBefore, 'en', { numeric: true })).toBe(-1);
  }
});
