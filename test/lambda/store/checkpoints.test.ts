import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { NO_FEES } from '../../../lambda/chains/fee-parts.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { Checkpoint, Progress } from '../../../lambda/store/checkpoint-item.ts';
import { deleteCheckpoint, getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { listRestatements, requestRestatement } from '../../../lambda/store/restatements.ts';
import { hashOf } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'BSC');
const DAY = '2026-11-20';

const progress = (transactions: number): Progress => ({
  day: DAY,
  first: { number: 5, hash: hashOf(5) },
  last: { number: 9, hash: hashOf(9), timestamp: 1_790_000_000, host: 'b.example' },
  notBefore: 1_790_000_000,
  totals: {
    blocks: 5,
    transactions,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 10n ** 37n + 1n },
  },
  hosts: ['a.example', 'b.example'],
});
const save = (transactions: number, before: number) =>
  saveCheckpoint(store(), { day: DAY, sequence: before }, progress(transactions));
const get = () => getCheckpoint(store(), DAY);
const none = { day: DAY, sequence: 0 };

/** As if the item had been written under other definitions. */
const redefine = (date: string) =>
  table().documents.send(
    new UpdateCommand({
      TableName: table().name,
      Key: { chain: 'BSC', date },
      UpdateExpression: 'SET definition_version = :other',
      ExpressionAttributeValues: { ':other': 2 },
    }),
  );

describe('the checkpoint of a first reading', () => {
  test('is none before the first save, and then what was saved', async () => {
    expect(await get()).toEqual(none);
    const saved = await save(1, 0);
    expect(saved).toEqual({ day: DAY, sequence: 1, progress: progress(1) });
    expect(await get()).toEqual(saved);
  });

  test('can be of a day of which nothing is read yet', async () => {
    const nothing: Progress = { ...progress(0), first: undefined, last: undefined, hosts: [] };
    await saveCheckpoint(store(), none, nothing);
    expect((await get()).progress).toEqual(nothing);
  });

  test('can be of a last block of which only number and hash are known', async () => {
    const long = { ...progress(0), last: { number: 9, hash: hashOf(9) } };
    await saveCheckpoint(store(), none, long);
    expect((await get()).progress?.last).toEqual({ number: 9, hash: hashOf(9) });
  });

  test('can say that what there was is worthless', async () => {
    await save(1, 0);
    expect(await saveCheckpoint(store(), { day: DAY, sequence: 1 }, undefined)).toMatchObject({
      sequence: 2,
    });
    expect(await get()).toEqual({ day: DAY, sequence: 2 });
    expect(await save(2, 2)).toMatchObject({ sequence: 3 });
  });

  test('is saved only on top of the one that it started from', async () => {
    expect(await save(1, 0)).toBeDefined();
    expect(await save(2, 0)).toBeUndefined();
    expect(await save(2, 1)).toBeDefined();
    expect(await save(3, 1)).toBeUndefined();
    expect(await get()).toEqual({ day: DAY, sequence: 2, progress: progress(2) });
  });

  test('is saved once when several are saved at once', async () => {
    const saves = await Promise.all([1, 2, 3, 4, 5].map((transactions) => save(transactions, 0)));
    expect(saves.filter(Boolean)).toHaveLength(1);
  });

  test('cannot be brought back by a run after another has removed it, because the day is final', async () => {
    await save(1, 0);
    await deleteCheckpoint(store(), { day: DAY });
    expect(await save(2, 1)).toBeUndefined();
    expect(await get()).toEqual(none);
  });

  test('is not gone on with when it was made under other definitions, but followed by a new save', async () => {
    await save(1, 0);
    await redefine(`progress#${DAY}`);
    expect(await get()).toEqual({ day: DAY, sequence: 1 });
    expect(await save(2, 1)).toBeDefined();
  });
});

describe('the restatement of a day', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const request = (day = DAY, chain = 'BSC') =>
    requestRestatement(chainStore(table(), chain), day, restatement);
  const first = async () => {
    const checkpoint = (await listRestatements(store()))[0];
    if (!checkpoint) throw new Error('none is requested');
    return checkpoint;
  };

  test('is requested once, with reason and time, and has no progress then', async () => {
    expect((await listRestatements(store()))[0]).toBeUndefined();
    expect(await request()).toBe(true);
    expect(await first()).toEqual({ day: DAY, sequence: 1, restatement });
  });

  test('goes on while it is requested again', async () => {
    await request();
    await saveCheckpoint(store(), await first(), progress(1));
    expect(await requestRestatement(store(), DAY, { ...restatement, reason: 'another' })).toBe(false);
    expect(await first()).toEqual({ day: DAY, sequence: 2, restatement, progress: progress(1) });
  });

  test('of the earliest day comes first, and those of other chains do not count', async () => {
    await request('2026-11-19', 'BASE');
    for (const day of ['2026-11-22', '2026-11-20', '2026-11-21']) await request(day);
    expect((await first()).day).toBe('2026-11-20');
    await deleteCheckpoint(store(), await first());
    expect((await first()).day).toBe('2026-11-21');
  });

  test('has a checkpoint apart from that of the first reading of the day', async () => {
    await save(1, 0);
    await request();
    await saveCheckpoint(store(), await first(), progress(2));
    expect((await get()).progress?.totals.transactions).toBe(1);
    expect((await first()).progress?.totals.transactions).toBe(2);
    await deleteCheckpoint(store(), { day: DAY });
    expect((await first()).progress?.totals.transactions).toBe(2);
    await deleteCheckpoint(store(), await first());
    expect((await listRestatements(store()))[0]).toBeUndefined();
  });

  test('is saved only on top of the checkpoint that it started from', async () => {
    await request();
    const start = await first();
    const saves = await Promise.all(
      [1, 2, 3].map((count) => saveCheckpoint(store(), start, progress(count))),
    );
    const [saved, ...others] = saves.filter((one): one is Checkpoint => one !== undefined);
    expect(others).toEqual([]);
    expect(await first()).toEqual(saved);
  });

  test('loses what was read under other definitions, and stays requested', async () => {
    await request();
    await saveCheckpoint(store(), await first(), progress(1));
    await redefine(`restatement#${DAY}`);
    expect(await first()).toEqual({ day: DAY, sequence: 2, restatement });
  });

  test('that is over takes no other with it that was asked for since', async () => {
    await request();
    const over = await first();
    await deleteCheckpoint(store(), over);
    await requestRestatement(store(), DAY, { ...restatement, reason: 'another' });
    await deleteCheckpoint(store(), over);
    expect((await first()).restatement?.reason).toBe('another');
  });
});

test('progress that does not decode is none, and is followed by a new save', async () => {
  await save(1, 0);
  await table().documents.send(
    new UpdateCommand({
      TableName: table().name,
      Key: { chain: 'BSC', date: `progress#${DAY}` },
      UpdateExpression: 'REMOVE progress.not_before',
    }),
  );
  expect(await get()).toEqual({ day: DAY, sequence: 1 });
  expect(await save(2, 1)).toMatchObject({ sequence: 2 });
});
