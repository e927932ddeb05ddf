import fc from 'fast-check';
import { openMemory } from '../../../lambda/api/cache.ts';
import { bodyOf, JSON_TYPE } from '../../../lambda/api/formats.ts';
import { type DayRange, indexesOf } from '../../../lambda/api/history.ts';
import { transactionCount } from '../../../lambda/api/metrics.ts';
import { type ChainName, chainNames } from '../../../lambda/chains/chains.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays, earlier, type UtcDay } from '../../../lambda/chains/utc-day.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { refreshCoverage } from '../../../lambda/store/coverage.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { getStoredDay, putStoredDay, readStoredDays } from '../../../lambda/store/stored-days.ts';
import type { Table } from '../../../lambda/store/table.ts';
import { hashOf, provenance } from '../../support/builders.ts';
import { type Handle, type InProcessTable, startInProcessTable } from '../../support/in-process-table.ts';

const FROM = '2025-11-01';
const dayAt = (index: number): UtcDay => addDays(FROM, index);
const range = (first: number, last = first): DayRange => ({ first: dayAt(first), last: dayAt(last) });

/** A table, what was asked of it, and a memory with a clock that is set by hand. */
async function scene(tables: InProcessTable) {
  const asked: string[] = [];
  const failing = { times: 0 };
  const client = tables.through((handle) => (request) => {
    const { ConsistentRead = false } = JSON.parse(new TextDecoder().decode(request.body));
    const target = `${request.headers['x-amz-target']}`.replace('DynamoDB_20120810.', '');
    asked.push(ConsistentRead ? target : `${target}, perhaps of the past`);
    if (failing.times-- > 0) throw Object.assign(new Error('away'), { name: 'TimeoutError' });
    return handle(request);
  });
  const clock = { now: 1_000_000 };
  const memoryOf = openMemory(client, transactionCount, () => clock.now);
  const serve = async (wanted: DayRange, chain: ChainName = 'BSC') => {
    const memory = memoryOf(chain);
    const coverage = await memory.coverage();
    const history = await memory.history(coverage, wanted);
    const { rows, written } = history;
    const last = coverage?.last ?? '';
    const [begin, end] = indexesOf(rows, { ...wanted, last: earlier(wanted.last, last) });
    const body = bodyOf(JSON_TYPE, 'transaction_count', written[JSON_TYPE], begin, end);
    return {
      history,
      answered: (JSON.parse(body) as { date: string; transaction_count: number }[]).map(Object.values),
    };
  };
  /** What was asked of the table since the last time. */
  const takeAsked = () => asked.splice(0);
  return { table: tables.table, clock, serve, takeAsked, failing };
}

const put = (table: Table, index: number, transactions = 1, chain = 'BSC') =>
  putDay(
    chainStore(table, chain),
    {
      day: dayAt(index),
      totals: { ...NO_TOTALS, transactions },
      last: { number: 9, hash: hashOf(9) },
      definitionVersion: 1,
    },
    provenance(),
  );

async function publish(table: Table, index: number, transactions = 1, chain = 'BSC') {
  await put(table, index, transactions, chain);
  await refreshCoverage(chainStore(table, chain), FROM);
}

async function restate(table: Table, index: number, transactions: number) {
  const stored = await getStoredDay(chainStore(table, 'BSC'), dayAt(index));
  if (!stored) return;
  const { revision } = stored;
  await putStoredDay(table, { ...stored, transaction_count: transactions, revision: revision + 1 }, revision);
  await refreshCoverage(chainStore(table, 'BSC'), FROM, [dayAt(index)]);
}

const storedDays = async (table: Table) =>
  (await Array.fromAsync(readStoredDays(chainStore(table, 'BSC'), FROM, '9999-12-31'))).map(
    ({ date, transaction_count }) => [date, transaction_count],
  );

const inRange = (rows: readonly (readonly (string | number)[])[], { first, last }: DayRange) =>
  rows.filter(([day = '']) => first <= day && day <= last);

test('a first request for some days is one Query, and those that follow read nothing for a second', async () => {
  const { table, clock, serve, takeAsked } = await scene(await startInProcessTable());
  for (let index = 0; index < 5; index++) await publish(table, index, index);
  expect((await serve(range(1, 3))).answered).toEqual([1, 2, 3].map((index) => [dayAt(index), index]));
  expect(takeAsked()).toEqual(['GetItem', 'Query']);
  clock.now += 999;
  for (const wanted of [range(1, 3), range(2), range(3, 2)]) await serve(wanted);
  expect(takeAsked()).toEqual([]);
  clock.now += 1;
  await serve(range(1, 3));
  expect(takeAsked()).toEqual(['GetItem']);
});

test('of a longer range only what is not known yet is read, and then nothing more', async () => {
  const { table, serve, takeAsked } = await scene(await startInProcessTable());
  for (let index = 0; index < 9; index++) await publish(table, index);
  await serve(range(4, 5));
  takeAsked();
  expect((await serve(range(0, 8))).answered).toHaveLength(9);
  expect(takeAsked()).toEqual(['Query', 'Query']);
  expect((await serve({ first: '0001-01-01', last: '9999-12-31' })).answered).toHaveLength(9);
  expect(takeAsked()).toEqual(['Query']);
  await serve({ first: '0001-01-01', last: '9999-12-31' });
  expect(takeAsked()).toEqual([]);
});

test('what lies between two ranges is read with the second, so that both and all between them are known', async () => {
  const { table, serve, takeAsked } = await scene(await startInProcessTable());
  for (let index = 0; index < 9; index++) await publish(table, index);
  await serve(range(1, 2));
  await serve(range(6, 7));
  expect(takeAsked()).toEqual(['GetItem', 'Query', 'Query']);
  for (const wanted of [range(1, 2), range(4), range(1, 7)]) await serve(wanted);
  expect(takeAsked()).toEqual([]);
});

test('a new day is one small Query more, however many are known', async () => {
  const { table, clock, serve, takeAsked } = await scene(await startInProcessTable());
  for (let index = 0; index < 9; index++) await publish(table, index);
  await serve(range(0, 30));
  takeAsked();
  await publish(table, 9, 7);
  clock.now += 1_000;
  expect((await serve(range(0, 30))).answered.at(-1)).toEqual([dayAt(9), 7]);
  expect(takeAsked()).toEqual(['GetItem', 'Query']);
});

test('requests at once share what they read', async () => {
  const { table, serve, takeAsked } = await scene(await startInProcessTable());
  await publish(table, 0);
  const answers = await Promise.all([1, 2, 3].map(() => serve(range(0, 5))));
  expect(answers.map(({ answered }) => answered.length)).toEqual([1, 1, 1]);
  expect(takeAsked()).toEqual(['GetItem', 'Query']);
});

test('what could not be read is asked for again at once, and nothing is forgotten by it', async () => {
  const { table, clock, serve, takeAsked, failing } = await scene(await startInProcessTable());
  for (let index = 0; index < 3; index++) await publish(table, index);
  await serve(range(0));
  failing.times = 1;
  await expect(serve(range(0, 2))).rejects.toThrow('not available');
  clock.now += 1_000;
  failing.times = 1;
  await expect(serve(range(0, 2))).rejects.toThrow('not available');
  takeAsked();
  expect((await serve(range(0, 2))).answered).toHaveLength(3);
  expect(takeAsked()).toEqual(['GetItem', 'Query']);
});

test('a clock that is set back does not make a coverage last', async () => {
  const { table, clock, serve } = await scene(await startInProcessTable());
  await publish(table, 0, 1);
  await serve(range(0));
  await restate(table, 0, 2);
  clock.now -= 3_600_000;
  expect((await serve(range(0))).answered).toEqual([[dayAt(0), 2]]);
});

test('a table that was begun anew is read anew', async () => {
  const [old, young] = await Promise.all([startInProcessTable(), startInProcessTable()]);
  await publish(old.table, 0, 1);
  await publish(old.table, 1, 1);
  await publish(young.table, 0, 5);
  let begunAnew: Handle | undefined;
  const { clock, serve } = await scene({
    ...old,
    through: (wrap) => old.through((handle) => wrap((request) => (begunAnew ?? handle)(request))),
  });
  await serve(range(0, 1));
  young.through((handle) => {
    begunAnew = handle;
    return handle;
  });
  clock.now += 1_000;
  expect((await serve(range(0, 1))).answered).toEqual([[dayAt(0), 5]]);
});

test('no chain keeps more than its days, in whatever order they are asked for', async () => {
  const { table, serve } = await scene(await startInProcessTable());
  for (const chain of chainNames) {
    for (let index = 0; index < 3; index++) await publish(table, index, 1, chain);
    for (let index = 0; index < 40; index++) {
      const { history } = await serve(range(index % 7, (index * 3) % 11), chain);
      expect(history.rows.length).toBeLessThanOrEqual(3);
    }
  }
});

type Step = (of: { table: Table; clock: { now: number } }) => Promise<unknown> | unknown;

const index = fc.nat(11);
const step: fc.Arbitrary<Step> = fc.oneof(
  index.map(
    (at): Step =>
      ({ table }) =>
        publish(table, at, at),
  ),
  // A run that ended before the coverage moved; a later one moves it.
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
  fc.nat(999).map(
    (ms): Step =>
      ({ clock }) => {
        clock.now += ms;
      },
  ),
);

test('no restated or new day is missed for longer than a second, whatever happens in whatever order', async () => {
  const steps = fc.array(fc.tuple(step, index, fc.nat(11)), { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { table, clock, serve } = await scene(await startInProcessTable());
      for (const [happens, first, more] of all) {
        await happens({ table, clock });
        // It may be behind by up to a second, and remembers it.
        await serve(range(first, first + more));
      }
      await refreshCoverage(chainStore(table, 'BSC'), FROM);
      clock.now += 1_000;
      const wanted = range(0, 30);
      const { history, answered } = await serve(wanted);
      const stored = await storedDays(table);
      expect(answered).toEqual(inRange(stored, wanted));
      expect(history.rows).toHaveLength(stored.length);
    }),
    { numRuns: 60 },
  );
});
