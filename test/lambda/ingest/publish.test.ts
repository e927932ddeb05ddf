import { PutItemCommand } from '@aws-sdk/client-dynamodb';
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

/** A day without blocks after block 9. */
const progressOf = (day: string, transactions = 3) => ({
  ...startProgress(day, { number: 9, hash: hashOf(9) }),
  totals: { ...NO_TOTALS, transactions },
});
/** A day with the blocks from one number to another. */
const withBlocks = (day: string, first: number, last: number): Progress => ({
  ...progressOf(day, last - first + 1),
  first: { number: first, hash: hashOf(first) },
  last: { number: last, hash: hashOf(last), timestamp: 1_790_000_000, host: 'a.example' },
  hosts: ['a.example', 'b.example'],
});
/** The block after a day's last one. */
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

describe('a day', () => {
  test('is published once, and publishing the same figures again is harmless', async () => {
    await publish(DAY);
    await publish(DAY);
    expect(await stored(DAY)).toMatchObject({ totals: { transactions: 3 }, definitionVersion: 1 });
  });

  test('is stored with this software, the time and the hosts of its endpoints', async () => {
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

  test('that is final never gets other figures', async () => {
    await publish(DAY);
    await expect(publish(DAY, 4)).rejects.toThrow(DayConflictError);
    await expect(publish(DAY, 4)).rejects.toThrow('BSC 2026-11-18 is final with other figures');
    await expect(publishAll(withBlocks(DAY, 4, 9))).rejects.toThrow(/, read from a\.example, b\.example$/);
    expect((await stored(DAY))?.totals.transactions).toBe(3);
  });

  test('may come from other endpoints the second time: that is no other figure', async () => {
    await publishAll(withBlocks(DAY, 4, 9), { ...withBlocks(DAY, 4, 9), hosts: ['c.example'] });
    expect(await stored(DAY)).toBeDefined();
  });

  test('before genesis, of which no block tells, was read with', async () => {
    await expect(publishAll(startProgress(DAY, undefined))).rejects.toThrow(
      'BSC has no block at or before 2026-11-18',
    );
    expect(await stored(DAY)).toBeUndefined();
  });
});

describe('a day is published only where it joins the days around it:', () => {
  const before = withBlocks(DAY, 1, 4);
  const after = withBlocks(DAY_AFTER, 8, 9);
  const without = (day: string, last: number) => startProgress(day, { number: last, hash: hashOf(last) });

  test('it goes on where the day before ends, and ends where the day after begins', async () => {
    await publishAll(before, after, withBlocks(NEXT, 5, 7));
    expect(await stored(NEXT)).toBeDefined();
  });

  test('a day without blocks has the last block of the day before, and leaves it to the day after', async () => {
    await publishAll(before, withBlocks(DAY_AFTER, 5, 9), without(NEXT, 4));
    expect(await stored(NEXT)).toBeDefined();
  });

  test.each([
    ['a gap after the day before', withBlocks(NEXT, 6, 7), '2026-11-19 does not begin where 2026-11-18 ends'],
    ['a block of the day before', withBlocks(NEXT, 4, 7), '2026-11-19 does not begin where 2026-11-18 ends'],
    ['a gap before the day after', withBlocks(NEXT, 5, 6), '2026-11-20 does not begin where 2026-11-19 ends'],
    ['a block of the day after', withBlocks(NEXT, 5, 8), '2026-11-20 does not begin where 2026-11-19 ends'],
    ['no block, though one is missing', without(NEXT, 3), '2026-11-19 does not begin where 2026-11-18 ends'],
    [
      'no block, and another last one of the same number',
      startProgress(NEXT, { number: 4, hash: hashOf('fork 4') }),
      '2026-11-19 does not begin where 2026-11-18 ends',
    ],
  ])('with %s it is refused', async (_, progress, message) => {
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
    'and the one %s it, published at the same moment: the later of the two says that they do not join',
    async (_, neighbour) => {
      const day = withBlocks(NEXT, 5, 7);
      const { client } = table();
      const send = client.send.bind(client);
      const spy = jest.spyOn(client, 'send').mockImplementation(async (command: object) => {
        // Both have looked, and seen nothing of one another.
        if (command instanceof PutItemCommand) {
          spy.mockRestore();
          await publishAll(neighbour);
        }
        return send(command as never);
      });
      await expect(publishAll(day)).rejects.toThrow(DayConflictError);
      expect(await stored(NEXT)).toBeDefined();
    },
  );

  test('the day after must begin with the very block that comes next, not with another of its number', async () => {
    await publishAll(after);
    const fork = publishDay(store(), withBlocks(NEXT, 5, 7), { number: 8, hash: hashOf('fork 8') }, NOW);
    await expect(fork).rejects.toThrow('2026-11-20 does not begin where 2026-11-19 ends');
    expect(await stored(NEXT)).toBeUndefined();
  });

  test('a day after it without blocks must have its last block', async () => {
    await publishAll(without(DAY_AFTER, 7));
    await expect(publishAll(withBlocks(NEXT, 5, 6))).rejects.toThrow(DayConflictError);
    await publishAll(withBlocks(NEXT, 5, 7));
  });
});

describe('the oldest missing day', () => {
  test('is the start date until that day is final', async () => {
    expect(await missing(DAY)).toBe(DAY);
    await publish(NEXT);
    expect(await missing(DAY)).toBe(DAY);
  });

  test('after a crash between publishing and tidying up: the coverage moves and the checkpoint goes', async () => {
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, progressOf(DAY));
    await publish(DAY);

    expect(await missing(DAY)).toBe(NEXT);
    expect(await getCoverage(store())).toMatchObject({ through: DAY, last: DAY, revision: 1 });
    expect(await getCheckpoint(store(), DAY)).toEqual({ day: DAY, sequence: 0 });
  });

  test('is a hole where there is one, and once it is filled the days behind it count', async () => {
    for (const day of [DAY, DAY_AFTER, '2026-11-21']) await publish(day);
    expect(await missing(DAY)).toBe(NEXT);
    expect(await getCoverage(store())).toMatchObject({ through: DAY, last: '2026-11-21' });
    await publish(NEXT);
    expect(await missing(DAY)).toBe('2026-11-22');
  });

  test('follows another start date at once, in both directions', async () => {
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

  test('puts other figures in the place of those of a final day', async () => {
    await restate({ ...withBlocks(DAY, 1, 4), totals: { ...NO_TOTALS, transactions: 40 } });
    expect((await stored(DAY))?.totals.transactions).toBe(40);
  });

  test('is told by the coverage, so that who keeps days in memory looks at that day again, and is over', async () => {
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

  test('leaves the next day alone while it ends with the same block', async () => {
    await restate({ ...withBlocks(DAY, 1, 4), totals: NO_TOTALS });
    await finish(false);
    expect(await requested()).toBeUndefined();
  });

  test('asks for the next day too when it ends with another block, for the same time', async () => {
    await restate(withBlocks(DAY, 1, 5));
    await finish(true);
    expect(await requested()).toEqual({
      day: NEXT,
      sequence: 1,
      restatement: { ...restatement, reason: 'the day before was restated: a node lied' },
    });
  });

  test('ends the same when it is finished twice, as after a crash', async () => {
    await restate(withBlocks(DAY, 1, 5));
    await finish(true);
    await finish(true);
    expect((await requested())?.day).toBe(NEXT);
  });

  test('drops what is read of the next day, which begins after another block now', async () => {
    await saveCheckpoint(store(), { day: NEXT, sequence: 0 }, withBlocks(NEXT, 5, 6));
    await finish(true);
    expect(await getCheckpoint(store(), NEXT)).toEqual({ day: NEXT, sequence: 0 });
  });

  test('of the last final day has no next day to ask for', async () => {
    await restateDay(store(), withBlocks(NEXT, 5, 6), restatement, NOW);
    await finish(false, NEXT);
    expect((await requested())?.day).toBe(DAY);
    expect(await stored(addDays(NEXT, 1))).toBeUndefined();
  });
});
