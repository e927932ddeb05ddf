import type { Context } from 'aws-lambda';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { chainStore, type Item, type Table } from '#core/store/table/table.ts';
import { importDay } from '#core/transitions/import.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';
import { useTable } from '#test/support/tables/table.ts';

/*
 * DynamoDB applies a transaction item by item, so that the coverage may be read beside a day as it was before. No function of the API may
 * keep that day under the new revision, or give two bodies under one strong entity tag.
 */

const table = useTable();
const DAY = '2025-11-18';
const days = (transaction_count: number, revision: number) =>
  storedDay({ date: DAY, transaction_count, protocol_transaction_count: 0, revision });

let now = Date.parse('2025-12-01T00:00:00Z');
beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Creates a function of the API, which keeps what it read. */
function startFunction(on: Table) {
  const handler = queryHandler(transactionCount, on);
  const query = parametersOf({ chain: 'BSC', start_date: DAY, end_date: DAY });
  return async (tag = '') => {
    // Longer than a function keeps the coverage.
    now += 1_000;
    const headers = tag ? { 'if-none-match': tag } : {};
    const event = apiEvent({ httpMethod: 'GET', headers, multiValueQueryStringParameters: query });
    const { statusCode, headers: given, body } = await handler(event, {} as Context);
    return { statusCode, tag: given?.ETag, body };
  };
}

/** Returns a table in which a query still sees the item of the day as it was before the last commit. */
function halfApplied(before: () => Item | undefined): Table {
  return {
    ...table(),
    async *queryPages(query) {
      for await (const items of table().queryPages(query))
        yield items.map((item) => (item.date === DAY ? (before() ?? item) : item));
    },
  };
}

test('a warm and a cold function agree on the body of each tag, whatever they see of a commit', async () => {
  const store = chainStore(table(), 'BSC');
  await beginCoverage(store, DAY);
  await importDay(table(), days(3, 1), undefined);
  now += 10_000;
  let before: Item | undefined;
  const warm = startFunction(halfApplied(() => before));
  const first = await warm();
  expect(first).toMatchObject({ tag: expect.any(String), body: expect.stringContaining('3') });

  before = await store.table.getItem({ chain: 'BSC', date: DAY });
  await importDay(table(), days(7, 2), { revision: 1, amendments: undefined });
  // The new coverage is read beside the old day, which has no tag of its own.
  expect(await warm(`${first.tag}`)).toMatchObject({ statusCode: 200, tag: undefined, body: first.body });
  before = undefined;
  expect(await warm()).toMatchObject({ tag: undefined, body: expect.stringContaining('7') });

  now += 10_000;
  const after = [await warm(), await startFunction(table())()];
  expect(after[0]).toEqual(after[1]);
  expect(after[0]).toMatchObject({ tag: expect.any(String), body: expect.stringContaining('7') });
  expect(after[0]?.tag).not.toBe(first.tag);
});
