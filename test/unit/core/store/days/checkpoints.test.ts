import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import {
  deleteCheckpoint,
  getCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { chainStore } from '#core/store/table/table.ts';
import {
  blockAt,
  dayFigures,
  finalSums,
  hashOf,
  provenance,
} from '#test/support/generators/blocks/builders.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const DAY = '2026-11-20';

const progress = (transactions: number): DayProgress => ({
  day: DAY,
  parentHash: hashOf(4),
  first: blockAt(5),
  last: { number: 9, hash: hashOf(9), host: 'b.example' },
  notBefore: startOfDay(DAY) + 100,
  totals: {
    blocks: 5,
    transactions,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 10n ** 37n + 1n },
    measures: { gasUsed: 2n ** 60n, failedTransactions: 3n, priorityFees: undefined, blobs: 0n },
  },
  hours: Array.from({ length: 24 }, (_, hour) => ({ ...NO_TOTALS, blocks: hour })),
  feeCounts: new Map([
    [1, 1],
    [700, 1_200_000],
    [900, 128],
  ]),
  provenBlocks: 4,
  hosts: ['a.example', 'b.example'],
});
const save = (transactions: number, before: number) =>
  saveCheckpoint(store(), { day: DAY, sequence: before }, { progress: progress(transactions) });
const get = () => getCheckpoint(store(), DAY);
const none = { day: DAY, sequence: 0 };

describe('the checkpoint of a first reading', () => {
  test('has no progress for a version that knows of a fork in the blocks that were summed', async () => {
    await save(1, 0);
    const { name, rules } = chainOf('BSC');
    if (rules.family !== 'bsc') throw new Error('not BSC');
    const readWith = (from: number) => {
      const fork = { from, target: 6, max: 9, updateFraction: 5_007_716 };
      const updated = { name, rules: { ...rules, blobSchedule: [...rules.blobSchedule, fork] } };
      return getCheckpoint(chainStore(table(), updated), DAY);
    };
    const { notBefore } = progress(1);
    expect((await readWith(notBefore)).progress).toBeUndefined();
    expect((await readWith(notBefore + 1)).progress).toEqual(progress(1));
  });

  test('keeps the sums of the last anchored block beside those of the last one', async () => {
    const [anchored, last] = [progress(1), progress(2)];
    const saved = await saveCheckpoint(store(), none, { progress: last, anchored });
    expect(saved).toEqual({ day: DAY, sequence: 1, progress: last, anchored });
    expect(await get()).toEqual(saved);
    await saveCheckpoint(store(), { day: DAY, sequence: 1 }, { progress: last, anchored: last });
    const both = await get();
    expect(both).toMatchObject({ sequence: 2, progress: last });
    expect(both.anchored).toBe(both.progress);
  });

  const [one, two, three] = [progress(1), progress(2), progress(3)];
  test.each([
    ['beside the others', three, two, expect.objectContaining({ transaction_count: 1n })],
    ['once, if the last anchored block is final', two, one, 'anchored'],
    ['once, if the last block is final', one, one, 'progress'],
  ])('keeps the sums of the last final block %s', async (_, last, anchored, stored) => {
    const proof = { kind: 'sync committee', slot: 7, root: hashOf('root') } as const;
    const final = finalSums(one, { finality: proof, evidence: 'checked', headTime: 1_795_000_000 });
    const saved = await saveCheckpoint(store(), none, { progress: last, anchored, final });
    expect(await get()).toEqual(saved);
    expect(saved?.final).toEqual(final);
    const item = await table().getItem({ chain: 'BSC', date: `progress#${DAY}` });
    expect(item?.final).toMatchObject({ progress: stored });
  });

  test('keeps why a block was refused until more is read', async () => {
    const refusal = { reason: 'It forked.', at: '2026-11-20T12:00:00.000Z' };
    const saved = await saveCheckpoint(store(), none, { progress: progress(1), refusal });
    expect(await get()).toEqual(saved);
    expect(saved).toMatchObject({ progress: progress(1), refusal });
    await save(2, 1);
    expect(await get()).toEqual({ day: DAY, sequence: 2, progress: progress(2) });
  });

  test('does not begin a day that another run has published meanwhile', async () => {
    await putDay(store(), dayFigures(DAY), provenance());
    expect(await save(1, 0)).toBeUndefined();
    expect(await get()).toEqual(none);
  });

  test('refuses a save over a later checkpoint', async () => {
    expect(await save(1, 0)).toBeDefined();
    expect(await save(2, 0)).toBeUndefined();
    expect(await save(2, 1)).toBeDefined();
    expect(await save(3, 1)).toBeUndefined();
    expect(await get()).toEqual({ day: DAY, sequence: 2, progress: progress(2) });
  });
});

describe('the checkpoint of a restatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const request = (day = DAY, chain: ChainName = 'BSC') =>
    requestRestatement(chainStore(table(), chain), day, restatement);
  const first = async () => {
    const checkpoint = (await listRestatements(store()))[0];
    if (!checkpoint) throw new Error('none is requested');
    return checkpoint;
  };

  test('stores the reason and the time, without progress', async () => {
    expect((await listRestatements(store()))[0]).toBeUndefined();
    expect(await request()).toBe(true);
    expect(await first()).toEqual({ day: DAY, sequence: expect.any(Number), restatement });
  });

  test('is not overwritten by a run of an earlier one', async () => {
    await request();
    const earlier = await first();
    await deleteCheckpoint(store(), earlier);
    const later = { reason: 'another reason', requestedAt: '2026-11-25T09:00:00Z' };
    await requestRestatement(store(), DAY, later);
    const nothing = { progress: undefined, anchored: undefined, final: undefined };
    expect(await saveCheckpoint(store(), earlier, nothing)).toBeUndefined();
    expect(await first()).toMatchObject({ restatement: later });
  });

  test('lists the earliest day first, and no other chains', async () => {
    await request('2026-11-19', 'BASE');
    for (const day of ['2026-11-22', '2026-11-20', '2026-11-21']) await request(day);
    expect((await first()).day).toBe('2026-11-20');
    await deleteCheckpoint(store(), await first());
    expect((await first()).day).toBe('2026-11-21');
  });

  test('is not deleted when a later restatement has replaced it', async () => {
    await request();
    const over = await first();
    await deleteCheckpoint(store(), over);
    await requestRestatement(store(), DAY, { ...restatement, reason: 'another' });
    await deleteCheckpoint(store(), over);
    expect((await first()).restatement?.reason).toBe('another');
  });
});

test.each([
  ['of another definition version', { definition_version: 2 }],
  ['that does not decode', { progress: {}, anchored: {}, final: undefined }],
])('discards progress %s, and accepts a new save', async (_, change) => {
  await saveCheckpoint(store(), none, {
    progress: progress(2),
    anchored: progress(1),
    final: finalSums(progress(1)),
  });
  const item = await table().getItem({ chain: 'BSC', date: `progress#${DAY}` });
  await table().putIf({ ...item, ...change });
  expect(await get()).toEqual({ day: DAY, sequence: 1 });
  expect(await save(2, 1)).toMatchObject({ sequence: 2 });
});
