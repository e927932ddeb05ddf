import { RULES_KNOWN_UNTIL } from '#core/chains/fork-times.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { isContiguous } from '#core/store/days/compare-figures.ts';
import { getDay } from '#core/store/days/days.ts';
import { deleteUnsentEvent, listUnsentEvents } from '#core/store/days/notes.ts';
import type { Conflict } from '#core/transitions/conflict.ts';
import { blockAt, dayProgress, hashOf } from '#test/support/generators/blocks/builders.ts';
import { publishDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const NOW = Date.parse('2026-11-25T08:30:00Z');
const DAY = '2026-11-18';
const NEXT = '2026-11-19';
const DAY_AFTER = '2026-11-20';

/** A day without blocks, after block 9. */
const progressOf = (day: string, transactions = 3): DayProgress => ({
  ...startDayProgress(day, blockAt(9)),
  totals: { ...NO_TOTALS, transactions },
});
const complete = (progress: DayProgress) => ({ progress, finality: reportedBy(['b.example', 'c.example']) });
/** Publishes days up to the first conflict. */
async function publishAll(...all: DayProgress[]): Promise<Conflict | undefined> {
  for (const progress of all) {
    const conflict = await publishDay(store(), complete(progress), NOW);
    if (conflict) return conflict;
  }
  return undefined;
}
const publish = (day: string, transactions?: number) => publishAll(progressOf(day, transactions));
const stored = (day: string) => getDay(store(), day);
const conflictWith = (reason: string) => ({
  kind: 'conflict',
  day: expect.any(String),
  reason: expect.stringContaining(reason),
});

const itemOf = (day: string) => table().getItem({ chain: 'BSC', date: day });

describe('publishDay', () => {
  test('leaves no second event of a day that is final already', async () => {
    await publish(DAY);
    for (const event of await listUnsentEvents(store())) await deleteUnsentEvent(store(), event);
    await publish(DAY);
    expect(await publish(DAY, 4)).toMatchObject({ kind: 'conflict' });
    expect(await listUnsentEvents(store())).toEqual([]);
  });

  const LATER = addDays(RULES_KNOWN_UNTIL, 1);

  test.each([
    [RULES_KNOWN_UNTIL, 7, 'proven'],
    [LATER, undefined, 'proven'],
    [LATER, 7, 'checked'],
  ])(
    'of %s, where the price of block %p is not stated, the day is %s',
    async (day, priceToCompare, evidence) => {
      await publishAll({ ...dayProgress(day, 4, 9), priceToCompare });
      expect(await itemOf(day)).toMatchObject({ evidence });
    },
  );

  test.each([
    [6, 'proven'],
    [5, 'checked'],
    [0, 'checked'],
  ])('with %i of 6 blocks proven, the day is %s', async (provenBlocks, evidence) => {
    const day = dayProgress(DAY, 4, 9);
    await publishAll({ ...day, totals: { ...day.totals, blocks: 6 }, provenBlocks });
    expect(await itemOf(DAY)).toMatchObject({ evidence, proven_blocks: BigInt(provenBlocks) });
  });

  test('refuses other figures for a final day', async () => {
    await publish(DAY);
    expect(await publish(DAY, 4)).toEqual(conflictWith('): transaction_count 3 → 4. '));
    expect(await publishAll({ ...dayProgress(DAY, 4, 9), hosts: ['a.example', 'b.example'] })).toEqual(
      conflictWith('(stored → read from a.example, b.example)'),
    );
    expect((await stored(DAY))?.totals.transactions).toBe(3);
  });

  test('refuses a day before genesis', async () => {
    await expect(publishAll(startDayProgress(DAY, undefined))).rejects.toThrow(
      'BSC has no block at or before 2026-11-18',
    );
    expect(await stored(DAY)).toBeUndefined();
  });
});

describe('publishDay beside other days', () => {
  const before = dayProgress(DAY, 1, 4);
  const after = dayProgress(DAY_AFTER, 8, 9);
  const without = (day: string, last: number) => startDayProgress(day, blockAt(last));
  const FIRST_GAP = 'BSC 2026-11-18 and 2026-11-19 are not contiguous: 2026-11-18 ends with block 4 ';
  const SECOND_GAP = 'BSC 2026-11-19 and 2026-11-20 are not contiguous: 2026-11-19 ends with block ';

  test('accepts a day without blocks that has the last block of the day before', async () => {
    expect(await publishAll(before, dayProgress(DAY_AFTER, 5, 9), without(NEXT, 4))).toBeUndefined();
    expect(await stored(NEXT)).toBeDefined();
  });

  test.each([
    ['a gap after the day before', dayProgress(NEXT, 6, 7), FIRST_GAP],
    ['a block of the day before', dayProgress(NEXT, 4, 7), FIRST_GAP],
    ['a gap before the day after', dayProgress(NEXT, 5, 6), SECOND_GAP],
    ['a block of the day after', dayProgress(NEXT, 5, 8), SECOND_GAP],
    ['no block, though one is missing', without(NEXT, 3), FIRST_GAP],
    [
      'no block, and another last block with the same number',
      startDayProgress(NEXT, { number: 4, hash: hashOf('fork 4') }),
      FIRST_GAP,
    ],
  ])('refuses %s', async (_, progress, reason) => {
    await publishAll(before, after);
    expect(await publishAll(progress)).toEqual(conflictWith(reason));
    expect(await stored(NEXT)).toBeUndefined();
  });

  test.each([
    ['before', dayProgress(DAY, 1, 5)],
    ['after', dayProgress(DAY_AFTER, 7, 9)],
  ])('refuses a day when the one %s it is published while it is decided', async (_, neighbor) => {
    const { commit } = table();
    const spy = jest.spyOn(table(), 'commit').mockImplementation(async (writes) => {
      // Both runs have read the days around theirs and found none.
      if (!writes.some((write) => 'put' in write && write.put.date === NEXT)) return commit(writes);
      spy.mockRestore();
      await publishAll(neighbor);
      return commit(writes);
    });
    expect(await publishAll(dayProgress(NEXT, 5, 7))).toMatchObject({ kind: 'conflict' });
    expect(await stored(NEXT)).toBeUndefined();
  });

  test('refuses a day that is not the parent of the day after, and names both hashes', async () => {
    await publishAll(after);
    const fork = { ...dayProgress(NEXT, 5, 7), last: { number: 7, hash: hashOf('fork 7') } };
    const short = (name: string | number) => `(${hashOf(name).slice(0, 10)}…)`;
    expect(await publishAll(fork)).toEqual(
      conflictWith(
        `2026-11-19 ends with block 7 ${short('fork 7')}; 2026-11-20 begins with block 8 ${short(8)}, ` +
          `whose parent is ${hashOf(7)}. Verify both days and restate the wrong one, the later day first.`,
      ),
    );
    expect(await stored(NEXT)).toBeUndefined();
  });

  test('refuses a day when the day after has no blocks and another last block', async () => {
    await publishAll(without(DAY_AFTER, 7));
    expect(await publishAll(dayProgress(NEXT, 5, 6))).toMatchObject({ kind: 'conflict' });
    expect(await publishAll(dayProgress(NEXT, 5, 7))).toBeUndefined();
  });
});

test('a day continues the day before by the hash of its parent and by its numbers', () => {
  const ref = (number: number, name: number | string = number) => ({ number, hash: hashOf(name) });
  const fork = ref(4, 'fork');
  const common = { totals: NO_TOTALS, definitionVersion: 1 };
  const before = { ...common, day: DAY, parentHash: hashOf(3), first: fork, last: fork };
  const day = { ...common, day: NEXT, parentHash: fork.hash, first: ref(5), last: ref(7) };
  expect(isContiguous(before, day)).toBe(true);
  expect(isContiguous(before, { ...day, parentHash: hashOf(4) })).toBe(false);
  expect(isContiguous(before, { ...day, first: ref(6) })).toBe(false);
  expect(isContiguous(before, { ...day, first: undefined, last: fork })).toBe(true);
  expect(isContiguous(before, { ...day, first: undefined, last: ref(4) })).toBe(false);
});
