import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { NO_FEES } from '../../../lambda/chains/fees.ts';
import {
  deleteCheckpoint,
  getCheckpoint,
  type Progress,
  saveCheckpoint,
} from '../../../lambda/store/checkpoints.ts';
import { hashOf } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const DAY = '2026-11-20';

const progress = (transactions: number): Progress => ({
  day: DAY,
  first: { number: 5, hash: hashOf(5) },
  last: { number: 9, hash: hashOf(9) },
  notBefore: 1_790_000_000,
  totals: {
    blocks: 5,
    transactions,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 10n ** 37n + 1n },
  },
});
const save = (transactions: number, before: number) =>
  saveCheckpoint(table(), 'BSC', progress(transactions), before);
const get = () => getCheckpoint(table(), 'BSC', DAY);

test('there is none before the first save, and the progress comes back as it was saved', async () => {
  expect(await get()).toEqual({ sequence: 0 });
  await save(1, 0);
  expect(await get()).toEqual({ sequence: 1, progress: progress(1) });
});

test('a day of which nothing is read yet can be saved', async () => {
  const nothing: Progress = { ...progress(0), first: undefined, last: undefined };
  await saveCheckpoint(table(), 'BSC', nothing, 0);
  expect((await get()).progress).toEqual(nothing);
});

test('a save is made only on top of the one that it started from', async () => {
  expect(await save(1, 0)).toBe(true);
  expect(await save(2, 0)).toBe(false);
  expect(await save(2, 1)).toBe(true);
  expect(await save(3, 1)).toBe(false);
  expect(await get()).toEqual({ sequence: 2, progress: progress(2) });
});

test('of several saves at once just one is made', async () => {
  const saves = await Promise.all([1, 2, 3, 4, 5].map((transactions) => save(transactions, 0)));
  expect(saves.filter(Boolean)).toHaveLength(1);
});

test('a run whose checkpoint another has removed, because the day is final, cannot bring it back', async () => {
  await save(1, 0);
  await deleteCheckpoint(table(), 'BSC', DAY);
  expect(await save(2, 1)).toBe(false);
  expect(await get()).toEqual({ sequence: 0 });
});

test('progress that was made under other definitions is not gone on with, but followed by a new save', async () => {
  await save(1, 0);
  await table().client.send(
    new UpdateCommand({
      TableName: table().name,
      Key: { chain: 'BSC', date: `progress#${DAY}` },
      UpdateExpression: 'SET definition_version = :other',
      ExpressionAttributeValues: { ':other': 0 },
    }),
  );
  expect(await get()).toEqual({ sequence: 1 });
  expect(await save(2, 1)).toBe(true);
});
