import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { readPastDay } from '#core/store/days/past-hours.ts';
import { blockAt, dayFigures, finalSums, provenance } from '#test/support/generators/blocks/builders.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { putDay, putStoredDay, putWaitingDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('BSC');
const DAY = '2025-11-18';
const progress = startDayProgress(DAY, { ...blockAt(8), host: 'a.example' });

test('a day of which nothing is saved has no hours', async () => {
  expect(await readPastDay(store(), DAY)).toEqual({
    kind: 'not final',
    waiting: undefined,
    final: undefined,
  });
});

test('a final day has its hours and its evidence', async () => {
  const hours = Array(24).fill(NO_TOTALS);
  const details = { hours, feeCounts: new Map() };
  await putDay(store(), dayFigures(DAY), provenance({ evidence: 'checked' }), details);
  const { kind, ...read } = await readPastDay(store(), DAY);
  expect([kind, read]).toEqual(['final', { hours, evidence: 'checked' }]);
});

test('a day that was imported without details has no hours', async () => {
  await putStoredDay(table(), storedDay({ date: DAY }), undefined);
  expect(await readPastDay(store(), DAY)).toEqual({ kind: 'final', hours: undefined, evidence: 'proven' });
});

test('a day that is being read has its final sums, and one that waits all its blocks', async () => {
  const final = finalSums(progress);
  await saveCheckpoint(store(), { day: DAY, sequence: 0 }, { progress, final });
  expect(await readPastDay(store(), DAY)).toMatchObject({ kind: 'not final', waiting: undefined, final });
  await putWaitingDay(store(), { progress, next: blockAt(9), since: 0 });
  expect(await readPastDay(store(), DAY)).toMatchObject({ kind: 'not final', waiting: progress, final });
});
