import { startOfDay } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { type FinalSums, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { hoursOver, knownHours, readPastDay } from '#core/store/days/past-hours.ts';
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

describe('knownHours', () => {
  const whole = { ...progress, totals: { ...NO_TOTALS, blocks: 2 }, provenBlocks: 2 };
  const nextDay = { ...startDayProgress('2025-11-19', blockAt(8)), first: blockAt(9) };
  const past = (waiting: DayProgress | undefined, final?: FinalSums) =>
    ({ kind: 'not final', waiting, final }) as const;

  test.each([
    ['all its blocks and the next day are proven', whole, 'proven', 'proven'],
    ['one of its blocks is only checked', { ...whole, provenBlocks: 1 }, 'proven', 'checked'],
    ['the next day is only checked', whole, 'checked', 'checked'],
  ] as const)('a day that waits is proven only if all is: %s', (_, waiting, evidence, expected) => {
    expect(knownHours(past(waiting), finalSums(nextDay, { evidence }))).toEqual({
      hours: waiting.hours,
      evidence: expected,
    });
  });

  test.each([
    ['no day after it is read', undefined],
    ['the day after it has no block yet', finalSums({ ...nextDay, first: undefined })],
    ['the day after it links to another block', finalSums({ ...nextDay, parentHash: blockAt(7).hash })],
  ])('a day that waits has only its final hours if %s', (_, next) => {
    const final = finalSums(progress, { evidence: 'checked' });
    expect(knownHours(past(whole, final), next)).toEqual({ hours: [], evidence: 'checked' });
    expect(knownHours(past(whole), next)).toBeUndefined();
  });

  test('a final day has the hours that are stored', () => {
    const evidence = 'checked';
    expect(knownHours({ kind: 'final', hours: [NO_TOTALS], evidence }, undefined)).toEqual({
      hours: [NO_TOTALS],
      evidence,
    });
    expect(knownHours({ kind: 'final', hours: undefined, evidence }, undefined)).toBeUndefined();
  });
});

test.each([
  [0, 0],
  [3_599, 0],
  [3_600, 1],
  [86_399, 23],
  [86_400, 24],
  [90_000, 24],
])('%i seconds after midnight, %i hours are over', (seconds, count) => {
  const notBefore = startOfDay(DAY) + seconds;
  expect(hoursOver(finalSums({ ...progress, notBefore })).hours).toHaveLength(count);
});
