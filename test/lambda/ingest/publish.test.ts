import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { oldestMissingDay, publishDay } from '../../../lambda/ingest/publish.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { getDay } from '../../../lambda/store/days.ts';
import { hashOf } from '../../support/builders.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const bsc = chainOf('BSC');

const progressOf = (day: string, transactions = 3) => ({
  ...startProgress(day, { number: 9, hash: hashOf(9) }),
  totals: { ...NO_TOTALS, transactions },
});
const publish = (day: string, transactions?: number) =>
  publishDay(table(), bsc, progressOf(day, transactions));
const missing = (from: string) => oldestMissingDay(table(), 'BSC', from);

test('a day is published once, and publishing the same figures again is harmless', async () => {
  await publish('2026-11-18');
  await publish('2026-11-18');
  expect(await getDay(table(), 'BSC', '2026-11-18')).toMatchObject({
    totals: { transactions: 3 },
    definitionVersion: 1,
  });
});

test('other figures never replace those of a final day', async () => {
  await publish('2026-11-18');
  await expect(publish('2026-11-18', 4)).rejects.toThrow('BSC 2026-11-18 is final with other figures');
  expect((await getDay(table(), 'BSC', '2026-11-18'))?.totals.transactions).toBe(3);
});

test('a day before genesis, of which no block tells, is not published', async () => {
  await expect(publishDay(table(), bsc, startProgress('2026-11-18', undefined))).rejects.toThrow(
    'BSC has no block at or before 2026-11-18',
  );
  expect(await getDay(table(), 'BSC', '2026-11-18')).toBeUndefined();
});

test('the oldest missing day is the start date until that day is final', async () => {
  expect(await missing('2026-11-18')).toBe('2026-11-18');
  await publish('2026-11-19');
  expect(await missing('2026-11-18')).toBe('2026-11-18');
});

test('after a crash between publishing and tidying up, the coverage moves and the checkpoint goes', async () => {
  await saveCheckpoint(table(), 'BSC', progressOf('2026-11-18'), 0);
  await publish('2026-11-18');

  expect(await missing('2026-11-18')).toBe('2026-11-19');
  expect(await getCoverage(table(), 'BSC')).toEqual({
    from: '2026-11-18',
    through: '2026-11-18',
    last: '2026-11-18',
    revision: 1,
  });
  expect(await getCheckpoint(table(), 'BSC', '2026-11-18')).toEqual({ sequence: 0 });
});

test('a hole is found, and once it is filled the days behind it count', async () => {
  for (const day of ['2026-11-18', '2026-11-20', '2026-11-21']) await publish(day);
  expect(await missing('2026-11-18')).toBe('2026-11-19');
  expect(await getCoverage(table(), 'BSC')).toMatchObject({ through: '2026-11-18', last: '2026-11-21' });
  await publish('2026-11-19');
  expect(await missing('2026-11-18')).toBe('2026-11-22');
});

test('another start date is followed at once, in both directions', async () => {
  for (const day of ['2026-11-18', '2026-11-19', '2026-11-20']) await publish(day);
  expect(await missing('2026-11-18')).toBe('2026-11-21');
  expect(await missing('2026-11-16')).toBe('2026-11-16');
  expect(await missing('2026-11-19')).toBe('2026-11-21');
});
