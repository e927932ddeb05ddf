import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import {
  DayConflictError,
  finishRestatement,
  oldestMissingDay,
  publishDay,
  restateDay,
} from '../../../lambda/ingest/publish.ts';
import { SOFTWARE_VERSION } from '../../../lambda/software-version.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { Progress } from '../../../lambda/store/checkpoint-item.ts';
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
const progressOf = (day: string, transactions = 3) => ({
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
/** Returns the block after a day's last one. */
const nextOf = ({ last }: Progress) => {
  const number = (last?.number ?? -1) + 1;
  return { number, hash: hashOf(number) };
};
const publishAll = async (...all: Progress[]) => {
  for (const progress of all) await publishDay(store(), progress, nextOf(progress), NOW);
};
const publish = (day: string, transactions?: number) => publishAll(progressOf(day, transactions));
const missing = (from: string) => oldestMissingDay(store(), from);
const stored = (day: string) => getDay(store(), day);

describe('publishDay', () => {
  test('is idempotent', async () => {
    await publish(DAY);
    await publish(DAY);
    expect(await stored(DAY)).toMatchObject({ totals: { transactions: 3 }, definitionVersion: 1 });
  });

  test('stores the software version, the time and the hosts', async () => {
    await publishAll(withBlocks(DAY, 4, 9));
    const get = new GetCommand({ TableName: table().name, Key: { chain: 'BSC', date: DAY } });
    expect((await table().documents.send(get)).Item).toMatchObject({
      revision: 1n,
      software_version: SOFTWARE_VERSION,
      ingested_at: '2026-11-25T08:30:00.000Z',
      endpoint_hosts: ['a.example', 'b.example'],
      first_block: { number: 4n, hash: hashOf(4) },
      last_block: { number: 9n, hash: hashOf(9) },
    });
    expect(SOFTWARE_VERSION).toMatch(/^\d+\.\d+\.\d+/);
  });

  test('refuses other figures for a final day', async () => {
    await publish(DAY);
    await expect(publish(DAY, 4)).rejects.toThrow(DayConflictError);
    await expect(publish(DAY, 4)).rejects.toThrow('BSC 2026-11-18 is final with other figures');
    await expect(publishAll(withBlocks(DAY, 4, 9))).rejects.toThrow(/, from a\.example, b\.example$/);
    expect((await stored(DAY))?.totals.transactions).toBe(3);
  });

  test('accepts the same figures from other endpoints', async () => {
    await publishAll(withBlocks(DAY, 4, 9), { ...withBlocks(DAY, 4, 9), hosts: ['c.example'] });
    expect(await stored(DAY)).toBeDefined();
  });

  test('refuses a day before genesis', async () => {
    await expect(publishAll(startProgress(DAY, undefined))).rejects.toThrow('BSC 2026-11-18 has no figures');
    expect(await stored(DAY)).toBeUndefined();
  });
});

describe('publishDay beside other days', () => {
  const before = withBlocks(DAY, 1, 4);
  const after = withBlocks(DAY_AFTER, 8, 9);
  const without = (day: string, last: number) => startProgress(day, { number: last, hash: hashOf(last) });

  test('accepts a day that is contiguous with the days around it', async () => {
    await publishAll(before, after, withBlocks(NEXT, 5, 7));
    expect(await stored(NEXT)).toBeDefined();
  });

  test('accepts a day without blocks that has the last block of the day before', async () => {
    await publishAll(before, withBlocks(DAY_AFTER, 5, 9), without(NEXT, 4));
    expect(await stored(NEXT)).toBeDefined();
  });

  test.each([
    ['a gap after the day before', withBlocks(NEXT, 6, 7), '2026-11-18 and 2026-11-19 are not contiguous'],
    ['a block of the day before', withBlocks(NEXT, 4, 7), '2026-11-18 and 2026-11-19 are not contiguous'],
    ['a gap before the day after', withBlocks(NEXT, 5, 6), '2026-11-19 and 2026-11-20 are not contiguous'],
    ['a block of the day after', withBlocks(NEXT, 5, 8), '2026-11-19 and 2026-11-20 are not contiguous'],
    ['no block, though one is missing', without(NEXT, 3), '2026-11-18 and 2026-11-19 are not contiguous'],
    [
      'no block, and another last block with the same number',
      startProgress(NEXT, { number: 4, hash: hashOf('fork 4') }),
      '2026-11-18 and 2026-11-19 are not contiguous',
    ],
  ])('refuses %s', async (_, progress, message) => {
    await publishAll(before, after);
    await expect(publishAll(progress)).rejects.toThrow(DayConflictError);
    await expect(publishAll(progress)).rejects.toThrow(`BSC ${message}`);
    await expect(publishAll(progress)).rejects.toThrow('2026-11-19 was read with');
    expect(await stored(NEXT)).toBeUndefined();
  });

  test.each([
    ['before', withBlocks(DAY, 1, 5)],
    ['after', withBlocks(DAY_AFTER, 7, 9)],
  ])(
    'refuses a day in one of two runs when the one %s it was published concurrently',
    async (_, neighbour) => {
      const day = withBlocks(NEXT, 5, 7);
      const putIf = table().putIf;
      const spy = jest.spyOn(table(), 'putIf').mockImplementation(async (...put) => {
        // Both have checked for neighbours and found none.
        spy.mockRestore();
        await publishAll(neighbour);
        return putIf(...put);
      });
      await expect(publishAll(day)).rejects.toThrow(DayConflictError);
      expect(await stored(NEXT)).toBeDefined();
    },
  );

  test('compares the hash of the first block of the day after', async () => {
    await publishAll(after);
    const fork = publishDay(store(), withBlocks(NEXT, 5, 7), { number: 8, hash: hashOf('fork 8') }, NOW);
    await expect(fork).rejects.toThrow('2026-11-19 and 2026-11-20 are not contiguous');
    expect(await stored(NEXT)).toBeUndefined();
  });

  test('refuses a day when the day after has no blocks and another last block', async () => {
    await publishAll(without(DAY_AFTER, 7));
    await expect(publishAll(withBlocks(NEXT, 5, 6))).rejects.toThrow(DayConflictError);
    await publishAll(withBlocks(NEXT, 5, 7));
  });
});

describe('oldestMissingDay', () => {
  test('is the start date until that day is final', async () => {
    expect(await missing(DAY)).toBe(DAY);
    await publish(NEXT);
    expect(await missing(DAY)).toBe(DAY);
  });

  test('refreshes the coverage and deletes the checkpoint after a crash right after the publication', async () => {
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, progressOf(DAY));
    await publish(DAY);

    expect(await missing(DAY)).toBe(NEXT);
    expect(await getCoverage(store())).toMatchObject({ through: DAY, last: DAY, revision: 1 });
    expect(await getCheckpoint(store(), DAY)).toEqual({ day: DAY, sequence: 0 });
  });

  test('is a missing day between final ones, and then the day after them', async () => {
    for (const day of [DAY, DAY_AFTER, '2026-11-21']) await publish(day);
    expect(await missing(DAY)).toBe(NEXT);
    expect(await getCoverage(store())).toMatchObject({ through: DAY, last: '2026-11-21' });
    await publish(NEXT);
    expect(await missing(DAY)).toBe('2026-11-22');
  });

  test('follows an earlier or later start date', async () => {
    for (const day of [DAY, NEXT, DAY_AFTER]) await publish(day);
    expect(await missing(DAY)).toBe('2026-11-21');
    expect(await missing('2026-11-16')).toBe('2026-11-16');
    expect(await missing(NEXT)).toBe('2026-11-21');
  });
});

describe('a restatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const restate = (progress: Progress) => restateDay(store(), progress, restatement, NOW);
  const finish = (isEndMoved: boolean, day = DAY) =>
    finishRestatement(store(), day, restatement, { isEndMoved, from: DAY });
  const requested = async () => (await listRestatements(store()))[0];

  beforeEach(async () => {
    await publishAll(withBlocks(DAY, 1, 4), withBlocks(NEXT, 5, 7));
    await missing(DAY);
    await requestRestatement(store(), DAY, restatement);
  });

  test('replaces the figures of a final day', async () => {
    await restate({ ...withBlocks(DAY, 1, 4), totals: { ...NO_TOTALS, transactions: 40 } });
    expect((await stored(DAY))?.totals.transactions).toBe(40);
  });

  test('is listed in the coverage, and its request is deleted', async () => {
    const before = await getCoverage(store());
    await restate(withBlocks(DAY, 1, 4));
    await finish(false);
    const revision = (before?.revision ?? 0) + 1;
    expect(await getCoverage(store())).toEqual({
      ...before,
      revision,
      changes: [{ day: DAY, revision }],
    });
    expect(await requested()).toBeUndefined();
  });

  test('does not affect the next day when the last block is the same', async () => {
    await restate({ ...withBlocks(DAY, 1, 4), totals: NO_TOTALS });
    await finish(false);
    expect(await requested()).toBeUndefined();
  });

  test('requests the next day too when the last block changed, with the same time', async () => {
    await restate(withBlocks(DAY, 1, 5));
    await finish(true);
    expect(await requested()).toEqual({
      day: NEXT,
      sequence: 1,
      restatement: { ...restatement, reason: 'the day before was restated: a node lied' },
    });
  });

  test('is idempotent after a crash', async () => {
    await restate(withBlocks(DAY, 1, 5));
    await finish(true);
    await finish(true);
    expect((await requested())?.day).toBe(NEXT);
  });

  test('discards the progress of the next day, which starts after another block', async () => {
    await saveCheckpoint(store(), { day: NEXT, sequence: 0 }, withBlocks(NEXT, 5, 6));
    await finish(true);
    expect(await getCheckpoint(store(), NEXT)).toEqual({ day: NEXT, sequence: 0 });
  });

  test('of the last final day requests no next day', async () => {
    await restateDay(store(), withBlocks(NEXT, 5, 6), restatement, NOW);
    await finish(false, NEXT);
    expect((await requested())?.day).toBe(DAY);
    expect(await stored(addDays(NEXT, 1))).toBeUndefined();
  });
});
