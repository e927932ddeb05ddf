import fc from 'fast-check';
import { addDays, earlier, type UtcDay } from '#core/figures/calendar.ts';
import { type DayRange, periodBounds } from '#core/figures/complete-periods.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { readStoredDays } from '#core/store/days/days.ts';
import { dayKey } from '#core/store/table/keys.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { createCache } from '#lambda/api/day-cache.ts';
import { JSON_TYPE, sliceBody } from '#lambda/api/formats.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import {
  type Handle,
  type InProcessTable,
  startInProcessTable,
} from '#test/support/tables/in-process-table.ts';
import { putDay, putStoredDay, refreshCoverage, settle } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';

const FROM = '2025-11-01';
const dayAt = (index: number): UtcDay => addDays(FROM, index);
const range = (first: number, last = first): DayRange => ({ first: dayAt(first), last: dayAt(last) });

/** Sets up a table that records its requests, and a cache with a clock that the test moves. */
async function scene(tables: InProcessTable, series = transactionCount.day) {
  const requests: string[] = [];
  const failing = { times: 0 };
  const client = tables.through((handle) => (request) => {
    const { ConsistentRead = false } = JSON.parse(new TextDecoder().decode(request.body));
    const target = `${request.headers['x-amz-target']}`.replace('DynamoDB_20120810.', '');
    requests.push(ConsistentRead ? target : `${target}, eventually consistent`);
    if (failing.times-- > 0) throw Object.assign(new Error('away'), { name: 'TimeoutError' });
    return handle(request);
  });
  const clock = { now: 1_000_000 };
  const cacheOf = createCache(client, series, () => clock.now);
  const serve = async (wanted: DayRange) => {
    const cache = cacheOf('BSC');
    const coverage = await cache.coverage();
    const cached = await cache.days(coverage, wanted);
    const rows = cached.rowsOf('day', JSON_TYPE);
    const last = earlier(wanted.last, coverage?.last_day ?? '');
    const body = sliceBody(rows, ...periodBounds(rows.ranges, { ...wanted, last }));
    return {
      cached,
      served: (JSON.parse(body) as { date: string; transaction_count: number }[]).map(Object.values),
    };
  };
  /** Returns the requests to the table since the last call. */
  const takeRequests = () => requests.splice(0);
  return { table: tables.table, clock, serve, takeRequests, failing };
}

const put = (table: Table, index: number, transactions: number) =>
  putDay(
    chainStore(table, 'BSC'),
    dayFigures(dayAt(index), { totals: { ...NO_TOTALS, transactions } }),
    provenance(),
  );

async function publish(table: Table, index: number, transactions = 1) {
  await put(table, index, transactions);
  await settle(chainStore(table, 'BSC'));
}

async function restate(table: Table, index: number, transactions: number) {
  const stored = await getStoredDay(chainStore(table, 'BSC'), dayAt(index));
  if (!stored) return;
  const { revision } = stored;
  await putStoredDay(table, { ...stored, transaction_count: transactions, revision: revision + 1 }, stored);
  await settle(chainStore(table, 'BSC'));
}

const storedDays = async (table: Table) =>
  (await Array.fromAsync(readStoredDays(chainStore(table, 'BSC')))).map(({ date, transaction_count }) => [
    date,
    transaction_count,
  ]);

const inRange = (rows: readonly (readonly (string | number)[])[], { first, last }: DayRange) =>
  rows.filter(([day = '']) => first <= day && day <= last);

test('a day that cannot be read fails only the ranges that contain it', async () => {
  const { table, serve } = await scene(await startInProcessTable());
  for (const index of [0, 1, 2, 4, 5]) await publish(table, index);
  await table.putIf({ ...(await table.getItem(dayKey({ chain: 'BSC' }, dayAt(2)))), transaction_count: 'x' });
  for (const wanted of [range(4, 5), range(0, 1), range(5)]) {
    expect((await serve(wanted)).served.map(([day]) => day)).toEqual([
      ...new Set([wanted.first, wanted.last]),
    ]);
    await expect(serve(range(0, 5))).rejects.toThrow(`BSC ${dayAt(2)} cannot be read: transaction_count`);
  }
});

test('shares one read among concurrent requests', async () => {
  const { table, serve, takeRequests } = await scene(await startInProcessTable());
  await publish(table, 0);
  const responses = await Promise.all([1, 2, 3].map(() => serve(range(0, 5))));
  expect(responses.map(({ served }) => served.length)).toEqual([1, 1, 1]);
  expect(takeRequests()).toEqual(['GetItem', 'Query']);
});

test('retries a failed read on the next request and keeps the cached days', async () => {
  const { table, clock, serve, takeRequests, failing } = await scene(await startInProcessTable());
  for (let index = 0; index < 3; index++) await publish(table, index);
  await serve(range(0));
  failing.times = 1;
  await expect(serve(range(0, 2))).rejects.toThrow(/unavailable|not available/);
  clock.now += 1_000;
  failing.times = 1;
  await expect(serve(range(0, 2))).rejects.toThrow(/unavailable|not available/);
  takeRequests();
  expect((await serve(range(0, 2))).served).toHaveLength(3);
  expect(takeRequests()).toEqual(['GetItem', 'Query']);
});

test('does not read the days between two ranges that are far apart, nor a long range again for a new day', async () => {
  const { table, serve, clock, takeRequests } = await scene(await startInProcessTable(), {
    ...transactionCount.day,
    maxCachedDays: 5,
  });
  for (const index of [0, 3, 9]) await publish(table, index);
  for (const [first, last, cached] of [
    [0, 0, 1],
    [3, 3, 2],
    [9, 9, 1],
    [0, 9, 3],
    [3, 3, 3],
  ] as const)
    expect((await serve(range(first, last))).cached.days).toHaveLength(cached);
  await publish(table, 10);
  clock.now += 1_000;
  takeRequests();
  await serve(range(0, 10));
  // Two gaps and the new day.
  expect(takeRequests()).toEqual(['GetItem', 'Query', 'Query', 'Query']);
});

test('drops its days when the table was replaced by a new one', async () => {
  const [old, young] = await Promise.all([startInProcessTable(), startInProcessTable()]);
  await publish(old.table, 0, 1);
  await publish(old.table, 1, 1);
  await publish(young.table, 0, 5);
  let replacement: Handle | undefined;
  const { clock, serve } = await scene({
    ...old,
    through: (wrap) => old.through((handle) => wrap((request) => (replacement ?? handle)(request))),
  });
  await serve(range(0, 1));
  young.through((handle) => {
    replacement = handle;
    return handle;
  });
  clock.now += 1_000;
  expect((await serve(range(0, 1))).served).toEqual([[dayAt(0), 5]]);
});

type Step = (of: { table: Table; clock: { now: number } }) => Promise<unknown> | unknown;

const index = fc.nat(11);
const step: fc.Arbitrary<Step> = fc.oneof(
  index.map(
    (at): Step =>
      ({ table }) =>
        publish(table, at, at),
  ),
  // A commit that is being applied.
  index.map(
    (at): Step =>
      ({ table }) =>
        put(table, at, at),
  ),
  fc.tuple(index, fc.nat(99)).map(
    ([at, count]): Step =>
      ({ table }) =>
        restate(table, at, count),
  ),
  fc.constant<Step>(({ table }) => refreshCoverage(chainStore(table, 'BSC'), FROM)),
  // By an operator, between two runs.
  index.map(
    (at): Step =>
      async ({ table }) => {
        await table.deleteItem(dayKey({ chain: 'BSC' }, dayAt(at)));
        await refreshCoverage(chainStore(table, 'BSC'), FROM);
      },
  ),
  fc.nat(999).map(
    (ms): Step =>
      ({ clock }) => {
        clock.now += ms;
      },
  ),
);

test('serves every new and restated day within a second, and no deleted one, for any order of events', async () => {
  const steps = fc.array(fc.tuple(step, index, fc.nat(11)), { minLength: 1, maxLength: 14, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { table, clock, serve } = await scene(await startInProcessTable());
      for (const [apply, first, more] of all) {
        await apply({ table, clock });
        // Fills the cache with data that may be a second old.
        await serve(range(first, first + more));
      }
      await refreshCoverage(chainStore(table, 'BSC'), FROM);
      clock.now += 1_000;
      const wanted = range(0, 30);
      const { cached, served } = await serve(wanted);
      const stored = await storedDays(table);
      expect(served).toEqual(inRange(stored, wanted));
      expect(cached.days).toHaveLength(stored.length);
    }),
    { numRuns: 25 },
  );
});
