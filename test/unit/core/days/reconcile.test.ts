import { publishDay } from '#core/days/publish-day.ts';
import { reconcileDays, reconcileFinalDays, reconcileRestatements } from '#core/days/reconcile.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays } from '#core/figures/calendar.ts';
import type { Restatement } from '#core/figures/day-figures.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import {
  getCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { listUnsentEvents } from '#core/store/days/notes.ts';
import { listWaitingDays, putWaitingDay } from '#core/store/days/waiting-days.ts';
import { replaceDay } from '#core/store/days/write-day.ts';
import { type ChainStore, chainStore } from '#core/store/table/table.ts';
import { blockAt, dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';
import { crashingTable, hasCrashed } from '#test/support/tables/crashing-table.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { memoryTable, useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const NOW = Date.parse('2026-11-25T08:30:00Z');
const [BEFORE, DAY, NEXT, DAY_AFTER] = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'] as const;
const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };

const complete = (progress: DayProgress) => ({ progress, finality: reportedBy([]) });
/** Each day of this chain has three blocks. */
const dayOfChain = (day: string) => {
  const first = 3 * (Number(day.slice(-2)) - 17) + 1;
  return dayProgress(day, first, first + 2);
};
const publish = async (...days: string[]) => {
  for (const day of days) expect(await publishDay(store(), complete(dayOfChain(day)), NOW)).toBeUndefined();
};
const begin = (day: string, progress = dayOfChain(day), on: ChainStore = store()) =>
  saveCheckpoint(on, { day, sequence: 0 }, { progress });
/** Replaces a final day as its restatement does. */
const replace = (on: ChainStore, progress: DayProgress, by: Restatement = restatement) => {
  return replaceDay(on, figuresIn(progress), provenance(), by, progress);
};
const none = (day: string) => ({ day, sequence: 0 });
const waitingIn = async (on: ChainStore) => (await listWaitingDays(on)).map(({ progress }) => progress.day);

describe('reconcileFinalDays', () => {
  const through = async (from: string = DAY, day?: string) => {
    await reconcileFinalDays(store(), from, day);
    return (await getCoverage(store()))?.through_day;
  };

  test('keeps what days that are not final continue from', async () => {
    await publish(DAY);
    await begin(NEXT);
    await through();
    expect(await getCheckpoint(store(), NEXT)).toMatchObject({ sequence: 1 });
  });

  test('follows an earlier or later first day, and writes nothing otherwise', async () => {
    await publish(DAY, NEXT);
    expect(await through()).toBe(NEXT);
    expect(await through(BEFORE)).toBe('2026-11-16');
    expect(await through(NEXT)).toBe(NEXT);
    const put = jest.spyOn(table(), 'putIf');
    await through(NEXT);
    expect(put).not.toHaveBeenCalled();
  });

  test('settles only the given day', async () => {
    await begin(DAY);
    await begin(NEXT);
    await publish(DAY, NEXT);
    expect(await through(DAY, NEXT)).toBe(NEXT);
    expect(await getCheckpoint(store(), DAY)).toMatchObject({ sequence: 1 });
    expect(await getCheckpoint(store(), NEXT)).toEqual(none(NEXT));
    expect(await through(BEFORE, NEXT)).toBe(NEXT);
  });
});

describe('reconcileRestatements', () => {
  const restate = (progress: DayProgress, by?: Restatement) => replace(store(), progress, by);
  const settle = (day?: string) => reconcileRestatements(store(), BEFORE, day);
  const requested = async () => (await listRestatements(store())).map(({ day }) => day);

  beforeEach(async () => {
    await publish(BEFORE, DAY);
    await reconcileDays(store(), BEFORE, []);
    await requestRestatement(store(), DAY, restatement);
  });

  test('requests no day before that is not final', async () => {
    await publish(DAY_AFTER);
    await requestRestatement(store(), DAY_AFTER, restatement);
    await restate(dayProgress(DAY_AFTER, 11, 12));
    await settle(DAY_AFTER);
    expect(await requested()).toEqual([DAY]);
  });

  test('names the first cause in the reasons of all days before, cut to the limit between characters', async () => {
    const long = { ...restatement, reason: `${'x'.repeat(471)}😀${'x'.repeat(27)}` };
    const following = { ...restatement, reason: `the day after was restated: ${'x'.repeat(471)}\ufffd` };
    await publish('2026-11-16', DAY_AFTER, NEXT);
    await requestRestatement(store(), DAY_AFTER, long);
    await restate(dayProgress(DAY_AFTER, 11, 12), long);
    await settle(DAY_AFTER);
    expect((await listRestatements(store(), NEXT))[0]).toMatchObject({ restatement: following });
    await restate(dayProgress(NEXT, 8, 9), following);
    await restate({ ...dayOfChain(DAY), totals: NO_TOTALS });
    await settle();
    expect((await listRestatements(store(), DAY))[0]).toMatchObject({ restatement: following });
  });

  test('discards the progress of a next day that began after another block', async () => {
    const anotherStart = dayProgress(NEXT, 8, 9);
    await begin(NEXT, anotherStart);
    await putWaitingDay(store(), { progress: anotherStart, next: blockAt(10), since: NOW });
    await restate({ ...dayOfChain(DAY), totals: NO_TOTALS });
    await settle();
    expect(await getCheckpoint(store(), NEXT)).toEqual(none(NEXT));
    expect(await waitingIn(store())).toEqual([]);
    expect(await getCoverage(store())).toMatchObject({ waiting_days: 0 });
  });

  test('settles only the given day', async () => {
    await restate({ ...dayOfChain(DAY), totals: NO_TOTALS });
    await settle(addDays(DAY, 1));
    expect(await requested()).toEqual([DAY]);
    await settle(DAY);
    expect(await requested()).toEqual([]);
  });
});

/** Crashes before and after each write of some work, and runs `next` with the table that is left. */
async function crashEverywhere(
  prepare: (on: ChainStore) => Promise<unknown>,
  work: (on: ChainStore) => Promise<unknown>,
  next: (on: ChainStore) => Promise<unknown>,
): Promise<number> {
  for (let at = 1; ; at += 0.5) {
    const base = memoryTable();
    const on = chainStore(base, 'BSC');
    await prepare(on);
    const crashed = await hasCrashed(work(chainStore(crashingTable(base, at), 'BSC')));
    await next(on);
    if (!crashed) return at - 1;
  }
}

test('after a crash at any write, the next run settles a restated day, and requests the day before', async () => {
  const changed = dayProgress(DAY, 5, 6);
  const restateOn = async (on: ChainStore) => {
    await replace(on, changed);
    await reconcileRestatements(on, BEFORE);
  };
  const writes = await crashEverywhere(
    async (on) => {
      for (const day of [BEFORE, DAY]) await publishDay(on, complete(dayOfChain(day)), NOW);
      await reconcileFinalDays(on, BEFORE);
      await requestRestatement(on, DAY, restatement);
      await begin(NEXT, dayProgress(NEXT, 8, 9), on);
    },
    restateOn,
    async (on) => {
      await reconcileRestatements(on, BEFORE);
      if ((await listRestatements(on, DAY)).length > 0) await restateOn(on);
      expect((await listRestatements(on)).map(({ day }) => day)).toEqual([BEFORE]);
      expect((await getCoverage(on))?.changes.map(({ day }) => day)).toContain(DAY);
      expect(await getStoredDay(on, DAY)).toMatchObject({
        revision: 2,
        restated: [{ reason: restatement.reason }],
      });
      expect(await getCheckpoint(on, NEXT)).toEqual(none(NEXT));
      expect((await listUnsentEvents(on)).at(-1)).toMatchObject({ day: DAY, revision: 2 });
    },
  );
  // The details, the note to price it, the event, the day, the request, the progress of the day after and whether it waits,
  // the coverage and the request.
  expect(writes).toBe(9);
});
