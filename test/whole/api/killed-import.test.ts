import type { Context } from 'aws-lambda';
import { refreshCoverages } from '#cli/import/finish.ts';
import { refreshCoverage } from '#core/days/refresh-coverage.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { putStoredDay } from '#core/store/days/write-day.ts';
import { chainStore } from '#core/store/table/table.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';
import { useTable } from '#test/support/tables/table.ts';

/* An import that replaces days and is killed: warm and cold functions of the API must not give two bodies under one strong entity tag. */

const table = useTable();
const DAY = '2025-11-18';
const days = (transaction_count: number, revision: number) =>
  storedDay({ date: DAY, transaction_count, protocol_transaction_count: 0, revision });
const service = () => ({ title: '', flags: '', table: table(), chains: [] });
const inFile = [{ file: '', line: 1, day: days(7, 2) }];

let now = Date.parse('2025-12-01T00:00:00Z');
beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Creates a function of the API, which keeps what it read. */
function startFunction() {
  const handler = queryHandler(transactionCount, table());
  const query = parametersOf({ chain: 'BSC', start_date: DAY, end_date: DAY });
  return async (tag = '') => {
    // Longer than a function keeps the coverage.
    now += 2_000;
    const headers = tag ? { 'if-none-match': tag } : {};
    const event = apiEvent({ httpMethod: 'GET', headers, multiValueQueryStringParameters: query });
    const { statusCode, headers: given, body } = await handler(event, {} as Context);
    return { statusCode, tag: given?.ETag, body };
  };
}

test('a killed import leaves no two bodies under one tag, and caching returns after it', async () => {
  const store = chainStore(table(), 'BSC');
  await putStoredDay(table(), days(3, 1), undefined);
  await refreshCoverage(store, DAY);
  const warm = startFunction();
  const before = await warm();
  expect(before).toMatchObject({ statusCode: 200, body: expect.stringContaining('3') });

  await refreshCoverages(service(), inFile, 'begins');
  expect(await warm(`${before.tag}`)).toMatchObject({ statusCode: 200, tag: undefined, body: before.body });
  await putStoredDay(table(), days(7, 2), { revision: 1 });
  // Killed here.
  const [again, cold] = [await warm(`${before.tag}`), await startFunction()()];
  expect(again).toEqual(cold);
  expect(again).toMatchObject({ statusCode: 200, tag: undefined, body: expect.stringContaining('7') });

  // The next day that becomes final, more than an hour later.
  now += 3_600_000;
  await refreshCoverage(store, DAY);
  const after = [await warm(), await startFunction()()];
  expect(after[0]).toEqual(after[1]);
  expect(after[0]).toMatchObject({ tag: expect.any(String), body: again.body });
  expect(after[0]?.tag).not.toBe(before.tag);
});

test('an import that ends lists its days, and caching returns at once', async () => {
  const store = chainStore(table(), 'BSC');
  await putStoredDay(table(), days(3, 1), undefined);
  await refreshCoverage(store, DAY);
  const warm = startFunction();
  const before = await warm();
  await refreshCoverages(service(), inFile, 'begins');
  await refreshCoverage(store, DAY);
  expect((await getCoverage(store))?.replacing_since).toBeDefined();
  await putStoredDay(table(), days(7, 2), { revision: 1 });
  await refreshCoverages(service(), inFile, 'ends');
  const after = await warm(`${before.tag}`);
  expect(after).toMatchObject({
    statusCode: 200,
    tag: expect.any(String),
    body: expect.stringContaining('7'),
  });
  expect(after).toEqual(await startFunction()());
});
