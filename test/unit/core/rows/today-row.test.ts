import fc from 'fast-check';
import type { SummedBlock } from '#core/figures/block.ts';
import { addDays, startOfDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_MEASURES } from '#core/figures/measures.ts';
import { advance, type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { todayRow } from '#core/rows/today-row.ts';
import type { PastDay } from '#core/store/days/past-hours.ts';
import { blockAt, finalSums, hashOf } from '#test/support/generators/blocks/builders.ts';

const TODAY = '2026-11-28';
const HOUR = 3_600;
const unread: PastDay = { kind: 'not final', waiting: undefined, final: undefined };

const totalsOf = (transactions: number): Totals => ({
  ...NO_TOTALS,
  blocks: 1,
  transactions,
  fees: { ...NO_FEES, execution: BigInt(transactions) },
  measures: { ...NO_MEASURES, gasUsed: 21_000n },
});

/** Each hour has as many transactions as its number, so that any sum shows which ones it has. */
const hoursOf = (first: number) => Array.from({ length: 24 }, (_, hour) => totalsOf(first + hour));
const finalDay = (first: number): PastDay => ({ kind: 'final', hours: hoursOf(first), evidence: 'proven' });

const blockOf = (day: string, number: number, seconds: number): SummedBlock => ({
  ...blockAt(number),
  parentHash: hashOf(number - 1),
  timestamp: startOfDay(day) + seconds,
  totals: totalsOf(1_000),
  feeBuckets: [700],
  isProven: true,
  host: 'a.example',
});

/** The day with a block at each of these seconds. Its first block has the number 10. */
const dayWith = (seconds: readonly number[], day = TODAY): DayProgress =>
  seconds.reduce(
    (progress, at, index) => advance(progress, blockOf(day, 10 + index, at)),
    startDayProgress(day, blockAt(9)),
  );

const rowOf = (seconds: readonly number[], past: readonly [PastDay, PastDay] = [unread, unread]) =>
  todayRow('BASE', TODAY, finalSums(dayWith(seconds)), past);

test('has no sums before a block of the day is final', () => {
  const nothing = { chain: 'BASE', date: TODAY };
  expect(todayRow('BASE', TODAY, undefined, [unread, unread])).toEqual(nothing);
  expect(todayRow('BASE', TODAY, finalSums(startDayProgress(TODAY, blockAt(9))), [unread, unread])).toEqual(
    nothing,
  );
});

test('sums the blocks through the last final one, and says how far that is behind', () => {
  const progress = dayWith([5, 7_300]);
  const final = finalSums(progress, { evidence: 'checked', headTime: progress.notBefore + 12 });
  expect(todayRow('BASE', TODAY, final, [unread, unread])).toMatchObject({
    through: { ...blockAt(11), time: '2026-11-28T02:01:40.000Z' },
    transaction_count: 2_000,
    fees: '0.000000000000002',
    gas_used: '42000',
    block_count: 2,
    median_fee: { from: expect.any(String), to: expect.any(String) },
    first_block: blockAt(10),
    parent_hash: hashOf(9),
    evidence: 'checked',
    finality: { kind: 'reported', hosts: ['a.example'] },
    seconds_behind: 12,
  });
});

test.each([
  ['of the newest final block', 0, 0],
  ['of a block before it', 12, 12],
  // A private chain may have a block whose time is before that of its parent.
  ['of a later time', -1, 0],
])('through the time %s, it is behind by as many seconds as passed', (_, after, behind) => {
  const progress = dayWith([5]);
  const final = finalSums(progress, { headTime: progress.notBefore + after });
  expect(todayRow('BASE', TODAY, final, [unread, unread]).seconds_behind).toBe(behind);
});

test.each([
  [[0], []],
  [[0, HOUR - 1], []],
  [[0, HOUR], [1]],
  // An hour without blocks is over too.
  [
    [0, 3 * HOUR + 1],
    [1, 0, 0],
  ],
  [[86_399], Array(23).fill(0)],
])('has the hours that are over after blocks at %j s', (seconds, counts) => {
  const { hours = [] } = rowOf(seconds);
  expect(hours.map(({ block_count }) => block_count)).toEqual(counts);
  expect(hours.map(({ date }) => date)).toEqual(
    counts.map((_, hour) => `${TODAY}T${String(hour).padStart(2, '0')}`),
  );
});

describe('the last 24 hours', () => {
  test('begin on the day before, and have no part of the hour that runs', () => {
    const { last_24_hours: last } = rowOf([0, 2 * HOUR + 5], [unread, finalDay(0)]);
    // 2 to 23 of yesterday, and one block in the first hour of today.
    expect(last).toMatchObject({
      first_hour: '2026-11-27T02',
      last_hour: '2026-11-28T01',
      transaction_count: (22 * 25) / 2 + 1_000,
      evidence: 'proven',
    });
  });

  test('are all of yesterday before an hour of today is over', () => {
    const { last_24_hours: last } = todayRow('BASE', TODAY, undefined, [unread, finalDay(0)]);
    expect(last).toMatchObject({ first_hour: '2026-11-27T00', last_hour: '2026-11-27T23' });
  });

  test('reach two days back while yesterday is not final', () => {
    const yesterday = dayWith([0, 22 * HOUR], addDays(TODAY, -1));
    const past: PastDay = { kind: 'not final', waiting: undefined, final: finalSums(yesterday) };
    const { last_24_hours: last, ...row } = todayRow('BASE', TODAY, undefined, [finalDay(0), past]);
    expect(row).toEqual({ chain: 'BASE', date: TODAY });
    expect(last).toMatchObject({
      first_hour: '2026-11-26T22',
      last_hour: '2026-11-27T21',
      transaction_count: 22 + 23 + 1_000,
    });
  });

  test('use a day that waits, if the running day continues it, and no other', () => {
    const waitingBefore = (last: number): PastDay => ({
      kind: 'not final',
      waiting: {
        ...startDayProgress(addDays(TODAY, -1), blockAt(1)),
        last: blockAt(last),
        hours: hoursOf(0),
      },
      final: undefined,
    });
    expect(rowOf([HOUR], [unread, waitingBefore(9)]).last_24_hours).toMatchObject({
      first_hour: '2026-11-27T01',
      evidence: 'proven',
    });
    expect(rowOf([HOUR], [unread, waitingBefore(8)])).not.toHaveProperty('last_24_hours');
  });

  test.each<[string, readonly [PastDay, PastDay]]>([
    ['is not read', [finalDay(0), unread]],
    ['was imported without hours', [finalDay(0), { kind: 'final', hours: undefined, evidence: 'archived' }]],
  ])('are not known when yesterday %s', (_, past) => {
    expect(rowOf([0, 9 * HOUR], past)).not.toHaveProperty('last_24_hours');
  });
});

test('no sum gets smaller when blocks follow, and each is what its blocks add up to', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(steps, (gaps) => {
      let at = 0;
      const seconds = gaps.map((gap) => (at = Math.min(at + gap, 86_399)));
      let before = 0;
      for (let count = 1; count <= seconds.length; count++) {
        const { transaction_count = 0, fees, hours = [] } = rowOf(seconds.slice(0, count));
        expect(transaction_count).toBe(1_000 * count);
        expect(BigInt(fees?.replace('0.', '').padEnd(18, '0') ?? 0)).toBe(1_000n * BigInt(count));
        expect(hours.length).toBeGreaterThanOrEqual(before);
        before = hours.length;
      }
    }),
  );
});
