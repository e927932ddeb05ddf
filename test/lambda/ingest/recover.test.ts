import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';
import { type CompleteDay, publishDay, republishDay } from '../../../lambda/ingest/complete-day.ts';
import { oldestMissingDay } from '../../../lambda/ingest/plan.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { settleDay, settleMissingDays, settleRestatements } from '../../../lambda/ingest/recover.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { Progress, Restatement } from '../../../lambda/store/checkpoint-item.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { getDay } from '../../../lambda/store/days.ts';
import { listRestatements, requestRestatement } from '../../../lambda/store/restatements.ts';
import { hashOf } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'BSC');
const NOW = Date.parse('2026-11-25T08:30:00Z');
const DAY = '2026-11-18';
const NEXT = '2026-11-19';
const DAY_AFTER = '2026-11-20';

/** A day without blocks, after block 9. */
const progressOf = (day: string, transactions = 3): Progress => ({
  ...startProgress(day, { number: 9, hash: hashOf(9) }),
  totals: { ...NO_TOTALS, transactions },
});
/** A day with the blocks from `first` to `last`. */
const withBlocks = (day: string, first: number, last: number): Progress => ({
  ...progressOf(day, last - first + 1),
  first: { number: first, hash: hashOf(first) },
  last: { number: last, hash: hashOf(last), timestamp: 1_790_000_000, host: 'a.example' },
  hosts: ['a.example', 'b.example'],
});
/** Returns a day with the block after its last one. */
const complete = (progress: Progress): CompleteDay => {
  const number = (progress.last?.number ?? -1) + 1;
  return { progress, next: { number, hash: hashOf(number) }, confirmedBy: ['b.example', 'c.example'] };
};
const publish = (...all: Progress[]) =>
  Promise.all(all.map((progress) => publishDay(store(), complete(progress), NOW)));
const publishEmpty = (...days: string[]) => publish(...days.map((day) => progressOf(day)));
const begun = (day: string) => saveCheckpoint(store(), { day, sequence: 0 }, progressOf(day));
const checkpointOf = (day: string) => getCheckpoint(store(), day);
const none = (day: string) => ({ day, sequence: 0 });

describe('settleMissingDays', () => {
  const missingAfter = async (from: string) => {
    await settleMissingDays(store(), from);
    return oldestMissingDay(store(), from);
  };

  test('writes nothing while the first day is not final', async () => {
    await publishEmpty(NEXT);
    expect(await missingAfter(DAY)).toBe(DAY);
    expect(await getCoverage(store())).toBeUndefined();
  });

  test('refreshes the coverage and deletes the checkpoint after a crash right after the publication', async () => {
    await begun(DAY);
    await publishEmpty(DAY);
    expect(await missingAfter(DAY)).toBe(NEXT);
    expect(await getCoverage(store())).toMatchObject({ through: DAY, last: DAY, revision: 1 });
    expect(await checkpointOf(DAY)).toEqual(none(DAY));
  });

  test('stops at a missing day between final ones, and moves over them when it is final', async () => {
    await publishEmpty(DAY, DAY_AFTER, '2026-11-21');
    expect(await missingAfter(DAY)).toBe(NEXT);
    expect(await getCoverage(store())).toMatchObject({ through: DAY, last: '2026-11-21' });
    await publishEmpty(NEXT);
    expect(await missingAfter(DAY)).toBe('2026-11-22');
  });

  test('follows an earlier or later start date', async () => {
    await publishEmpty(DAY, NEXT, DAY_AFTER);
    expect(await missingAfter(DAY)).toBe('2026-11-21');
    expect(await missingAfter('2026-11-16')).toBe('2026-11-16');
    expect(await missingAfter(NEXT)).toBe('2026-11-21');
  });

  test('keeps the checkpoints of days that are not final', async () => {
    await publishEmpty(DAY);
    await begun(NEXT);
    await settleMissingDays(store(), DAY);
    expect(await checkpointOf(NEXT)).toMatchObject({ sequence: 1 });
  });
});

describe('settleDay', () => {
  const settle = () => settleDay(store(), NEXT, DAY);

  test('does nothing for a day that is not final', async () => {
    await begun(NEXT);
    expect(await settle()).toBe(false);
    expect(await checkpointOf(NEXT)).toMatchObject({ sequence: 1 });
  });

  test('refreshes the coverage and deletes the checkpoint of a final day', async () => {
    await begun(NEXT);
    await publishEmpty(NEXT);
    expect(await settle()).toBe(true);
    expect(await getCoverage(store())).toMatchObject({ from: DAY, last: NEXT });
    expect(await checkpointOf(NEXT)).toEqual(none(NEXT));
  });

  test('is not done while a restatement of the day is open', async () => {
    await publishEmpty(NEXT);
    await requestRestatement(store(), NEXT, { reason: 'why', requestedAt: '2026-11-25T08:00:00Z' });
    expect(await settle()).toBe(false);
  });
});

describe('settleRestatements', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const restate = (progress: Progress, by: Restatement = restatement) =>
    republishDay(store(), complete(progress), by, NOW);
  const settle = (day?: string) => settleRestatements(store(), DAY, day);
  const requested = async () => (await listRestatements(store()))[0];

  beforeEach(async () => {
    await publish(withBlocks(DAY, 1, 4), withBlocks(NEXT, 5, 7));
    await settleMissingDays(store(), DAY);
    await requestRestatement(store(), DAY, restatement);
  });

  test('leaves an open one as it is', async () => {
    const before = await getCoverage(store());
    await settle();
    expect(await requested()).toMatchObject({ day: DAY, restatement });
    expect(await getCoverage(store())).toEqual(before);
  });

  test('lists the replaced day in the coverage, and deletes the request', async () => {
    const before = await getCoverage(store());
    await restate(withBlocks(DAY, 1, 4));
    await settle();
    const revision = (before?.revision ?? 0) + 1;
    expect(await getCoverage(store())).toEqual({ ...before, revision, changes: [{ day: DAY, revision }] });
    expect(await requested()).toBeUndefined();
  });

  test('does not affect the next day when the last block is the same', async () => {
    await restate({ ...withBlocks(DAY, 1, 4), totals: NO_TOTALS });
    await settle();
    expect(await requested()).toBeUndefined();
  });

  test('requests the next day too when the last block changed, with the same time', async () => {
    await restate(withBlocks(DAY, 1, 5));
    await settle();
    expect(await requested()).toEqual({
      day: NEXT,
      sequence: 1,
      restatement: { ...restatement, reason: 'the day before was restated: a node lied' },
    });
  });

  test('names the first cause in the reasons of all following days, cut to the limit but in no character', async () => {
    const long = { ...restatement, reason: `${'x'.repeat(470)}😀${'x'.repeat(28)}` };
    const following = { ...restatement, reason: `the day before was restated: ${'x'.repeat(470)}\ufffd` };
    await publish(withBlocks(DAY_AFTER, 8, 9), withBlocks('2026-11-21', 10, 11));
    await requestRestatement(store(), DAY_AFTER, long);
    await restate(withBlocks(DAY_AFTER, 8, 10), long);
    await settle(DAY_AFTER);
    expect((await listRestatements(store(), '2026-11-21'))[0]).toMatchObject({ restatement: following });
    await restate(withBlocks('2026-11-21', 11, 12), following);
    await settle('2026-11-21');
    expect((await listRestatements(store(), '2026-11-22'))[0]).toMatchObject({ restatement: following });
  });

  test('is idempotent after a crash', async () => {
    await restate(withBlocks(DAY, 1, 5));
    await settle();
    await requestRestatement(store(), DAY, restatement);
    await settle();
    expect((await listRestatements(store())).map(({ day }) => day)).toEqual([NEXT]);
  });

  test('discards the progress of the next day, which starts after another block', async () => {
    await begun(NEXT);
    await restate(withBlocks(DAY, 1, 5));
    await settle();
    expect(await checkpointOf(NEXT)).toEqual(none(NEXT));
  });

  test('drops the request of a day that is not final', async () => {
    await requestRestatement(store(), DAY_AFTER, restatement);
    await settle(DAY_AFTER);
    expect((await listRestatements(store())).map(({ day }) => day)).toEqual([DAY]);
    expect(await getDay(store(), DAY_AFTER)).toBeUndefined();
  });

  test('settles only the given day', async () => {
    await restate(withBlocks(DAY, 1, 4));
    await settle(addDays(DAY, 1));
    expect(await requested()).toMatchObject({ day: DAY });
    await settle(DAY);
    expect(await requested()).toBeUndefined();
  });
});
