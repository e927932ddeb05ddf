import type { Restatement } from '#core/figures/day-figures.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { listConflicts, saveConflict } from '#core/store/chain/conflicts.ts';
import {
  getCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { gapBetween } from '#core/transitions/around.ts';
import { restate } from '#core/transitions/restate.ts';
import { dayProgress, figuresIn, provenance } from '#test/support/generators/blocks/builders.ts';
import { contentOf, dayOfChain, publishAll } from '#test/support/generators/rows/days-to-publish.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* Proves what a restatement changes besides the day: requests for the days before, the half-read day after, and conflicts at its borders. */

const { store } = useMemoryStore('BSC');
const [BEFORE, DAY, NEXT, DAY_AFTER] = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'] as const;
const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
const changed = { ...dayOfChain(DAY), totals: { ...NO_TOTALS, transactions: 9 } };

beforeEach(() => beginCoverage(store(), BEFORE));

describe('restate', () => {
  const requested = async () => (await listRestatements(store())).map(({ day }) => day);
  const replace = async (progress: DayProgress, by: Restatement = restatement) => {
    await requestRestatement(store(), progress.day, by);
    return restate(store(), contentOf(progress), by);
  };

  test('requests no day before that is not final', async () => {
    await publishAll(store(), DAY_AFTER);
    expect(await replace(dayProgress(DAY_AFTER, 11, 12))).toMatchObject({ kind: 'restated' });
    expect(await requested()).toEqual([]);
  });

  test('names the first cause in the reasons of all days before, cut to the limit between characters', async () => {
    const long = { ...restatement, reason: `${'x'.repeat(471)}😀${'x'.repeat(27)}` };
    const following = { ...restatement, reason: `the day after was restated: ${'x'.repeat(471)}\ufffd` };
    await publishAll(store(), BEFORE, DAY, NEXT, DAY_AFTER);
    await replace(dayProgress(DAY_AFTER, 11, 12), long);
    expect((await listRestatements(store(), NEXT))[0]).toMatchObject({ restatement: following });
    await restate(store(), contentOf(dayProgress(NEXT, 8, 9)), following);
    expect((await listRestatements(store(), DAY))[0]).toMatchObject({ restatement: following });
  });

  test('changes nothing if the figures are the same, and ends the request', async () => {
    await publishAll(store(), DAY);
    expect(await replace(dayOfChain(DAY))).toEqual({ kind: 'unchanged', gap: undefined });
    expect(await getStoredDay(store(), DAY)).toMatchObject({ revision: 1 });
    expect(await requested()).toEqual([]);
  });

  test('ends the request for a day that was deleted', async () => {
    await requestRestatement(store(), DAY, restatement);
    expect(await restate(store(), contentOf(changed), restatement)).toEqual({ kind: 'void' });
    expect(await requested()).toEqual([]);
  });

  test('opens a conflict for the gap to a day after it that begins elsewhere', async () => {
    await publishAll(store(), DAY, NEXT);
    const shorter = dayProgress(DAY, 4, 5);
    const gap = gapBetween(store(), figuresIn(shorter), figuresIn(dayOfChain(NEXT)));
    expect(await replace(shorter)).toEqual({ kind: 'restated', gap });
    expect(await listConflicts(store())).toMatchObject([{ day: DAY, reason: gap?.reason }]);
  });

  test('names the gap that is left in the conflict of the day, and settles that of the day after', async () => {
    await publishAll(store(), DAY, NEXT);
    for (const day of [DAY, NEXT]) await saveConflict(store(), { day, reason: 'a', since: 0 });
    const { gap } = (await replace(dayProgress(DAY, 4, 5))) as { gap: { reason: string } };
    expect(await listConflicts(store())).toMatchObject([{ day: DAY, reason: gap.reason }]);
  });

  test('settles the conflicts of the day and its borders, and no others', async () => {
    await publishAll(store(), BEFORE, DAY, NEXT);
    for (const day of ['2026-11-16', BEFORE, DAY, NEXT])
      await saveConflict(store(), { day, reason: 'a', since: 0 });
    await replace(changed);
    expect(await listConflicts(store())).toMatchObject([{ day: '2026-11-16' }]);
  });

  test('requests the day before once, also if its restatement was requested already', async () => {
    const own = { ...restatement, reason: 'another node lied' };
    await publishAll(store(), BEFORE, DAY);
    await requestRestatement(store(), BEFORE, own);
    await replace(dayProgress(DAY, 5, 6));
    expect(await listRestatements(store())).toMatchObject([{ day: BEFORE, restatement: own }]);
  });

  test.each([
    ['continues it', 7, true],
    ['begins after another block', 8, false],
  ])('a half-read day after it that %s is kept: %s', async (_, first, isKept) => {
    const progress = dayProgress(NEXT, first, 9);
    await saveCheckpoint(store(), { day: NEXT, sequence: 0 }, { progress });
    await publishAll(store(), DAY);
    await replace(changed);
    expect((await getCheckpoint(store(), NEXT)).progress !== undefined).toBe(isKept);
  });

  test('does nothing for a request that is not open, by its reason and its time', async () => {
    await publishAll(store(), DAY);
    await requestRestatement(store(), DAY, restatement);
    for (const other of [{ reason: 'another' }, { requestedAt: '2026-11-25T08:00:01Z' }])
      expect(await restate(store(), contentOf(changed), { ...restatement, ...other })).toEqual({
        kind: 'void',
      });
    expect(await requested()).toEqual([DAY]);
    expect(await getStoredDay(store(), DAY)).toMatchObject({ revision: 1 });
  });

  test('replaces a day once for a request, and still names the gap after it', async () => {
    await publishAll(store(), DAY, NEXT);
    const shorter = dayProgress(DAY, 4, 5);
    const { gap } = (await replace(shorter)) as { gap: unknown };
    expect(gap).toBeDefined();
    expect(await replace(shorter)).toEqual({ kind: 'unchanged', gap });
    expect(await getStoredDay(store(), DAY)).toMatchObject({ revision: 2 });
    expect(await listConflicts(store())).toHaveLength(1);
  });

  test('keeps the conflict of a gap that the two days after it have between them', async () => {
    await publishAll(store(), DAY, NEXT);
    await putDay(store(), figuresIn(dayProgress(DAY_AFTER, 11, 12)), provenance());
    await saveConflict(store(), { day: NEXT, reason: 'a gap', since: 0 });
    await replace(changed);
    expect(await listConflicts(store())).toMatchObject([{ day: NEXT }]);
  });
});
