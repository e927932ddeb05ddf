import { readStatus } from '#cli/read-status.ts';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { saveLag } from '#core/store/chain/coverage.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { chainStore } from '#core/store/table/table.ts';
import { blockAt, dayFigures, finalSums, provenance } from '#test/support/generators/blocks/builders.ts';
import { archivedProvenance } from '#test/support/generators/rows/archived-days.ts';
import { servedChain } from '#test/support/served-chain.ts';
import { putDay, putWaitingDay } from '#test/support/tables/put-day.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Proves which days are served, final, waiting or missing in a range. commands/status.slow.test.ts proves what the command prints. */

const table = useMemoryTable();
const TODAY = dayOf(Date.now() / 1_000);
/** Days before today. */
const ago = (days: number) => addDays(TODAY, -days);
const store = () => chainStore(table(), 'BASE');
const read = (range: Parameters<typeof readStatus>[1] = {}, given: Parameters<typeof servedChain>[2] = {}) =>
  readStatus(servedChain('BASE', table(), { from: ago(5), ...given }), range);
const put = (days: number, given = provenance(), figures = {}) =>
  putDay(store(), dayFigures(ago(days), figures), given);
const range = (from: number, to: number) => ({
  start_date: ago(from),
  end_date: ago(to),
  days: from - to + 1,
});

test('checks the days from the first planned one to yesterday', async () => {
  expect(await read()).toMatchObject({
    ...{ start_date: ago(5), end_date: ago(1), final_days: 0, missing: [range(5, 1)] },
    ...{ first_served_day: undefined, last_final_day: undefined, archived_days: undefined },
  });
});

test('begins with a day that is stored before the first planned one', async () => {
  await put(7);
  await put(1);
  expect(await read()).toMatchObject({ start_date: ago(7), missing: [range(6, 2)], final_days: 2 });
});

test.each([
  ['within the days', { startDate: ago(4), endDate: ago(3) }, ago(4), ago(3)],
  ['no day that is not over', { endDate: TODAY }, ago(5), ago(1)],
  ['no day before the chain', { startDate: '2020-01-01', endDate: '2023-06-20' }, '2023-06-15', '2023-06-20'],
])('checks a given range: %s', async (_, given, start_date, end_date) => {
  expect(await read(given)).toMatchObject({ start_date, end_date });
});

test('counts days from archives apart: they are served, and neither final nor missing', async () => {
  const fees = (execution: bigint) => ({ totals: { ...NO_TOTALS, fees: { ...NO_FEES, execution } } });
  await put(5, archivedProvenance(), fees(1n));
  await put(4, archivedProvenance(), fees(1n));
  await put(3, provenance(), fees(1n));
  await put(2, provenance({ evidence: 'checked' }), fees(1n));
  expect(await read()).toMatchObject({
    ...{ first_served_day: ago(5), last_served_day: ago(2), first_final_day: ago(3), last_final_day: ago(2) },
    ...{
      final_days: 2,
      proven_days: 1,
      archived_days: 2,
      last_archived_day: ago(4),
      proven_fees_percent: 25,
    },
    missing: [range(1, 1)],
  });
});

test('a day that waits is not missing, and one that is stored does not wait', async () => {
  for (const days of [4, 3, 2]) {
    const progress = startDayProgress(ago(days), blockAt(9));
    await putWaitingDay(store(), { progress, next: blockAt(10), since: 0 });
  }
  await put(4, archivedProvenance());
  expect(await read()).toMatchObject({ waiting: [range(3, 2)], missing: [range(5, 5), range(1, 1)] });
});

test('names the day that is left out on purpose only while it is missing', async () => {
  expect((await read({}, { gap: ago(2) })).gap).toBe(ago(2));
  expect((await read({ endDate: ago(3) }, { gap: ago(2) })).gap).toBeUndefined();
  await put(2);
  expect((await read({}, { gap: ago(2) })).gap).toBeUndefined();
});

test('names days that do not continue the day before them, and none after a missing one', async () => {
  await put(5, provenance(), { parentHash: blockAt(1).hash, last: blockAt(2) });
  await put(4, provenance(), { parentHash: blockAt(2).hash, last: blockAt(3) });
  await put(3, provenance(), { parentHash: blockAt(7).hash, last: blockAt(8) });
  await put(1, provenance(), { parentHash: blockAt(1).hash, last: blockAt(2) });
  expect((await read()).unlinked).toEqual([
    { date: ago(3), parent_hash: blockAt(7).hash, last_block_before: blockAt(3) },
  ]);
});

test('does not say how far the ingest is behind while the final block is disputed', async () => {
  await saveLag(store(), { seconds_behind: 7, seen_at: '2026-11-25T08:00:00Z' });
  expect(await read()).toMatchObject({ seconds_behind: 7, last_run_at: '2026-11-25T08:00:00Z' });
  await saveConflict(store(), { day: undefined, reason: 'two final blocks', since: 0 });
  expect((await read()).seconds_behind).toBeUndefined();
});

test('shows the running day through its last final block', async () => {
  const begun = { ...startDayProgress(TODAY, blockAt(9)), totals: { ...NO_TOTALS, transactions: 3 } };
  const save = (progress: typeof begun, sequence: number) =>
    saveCheckpoint(store(), { day: TODAY, sequence }, { progress, final: finalSums(progress) });
  await save(begun, 0);
  expect((await read()).today).toBeUndefined();
  await save({ ...begun, first: blockAt(10), notBefore: startOfDay(TODAY) + 60 } as typeof begun, 1);
  expect((await read()).today).toEqual({
    ...{ date: TODAY, transaction_count: 3 },
    through: `${TODAY}T00:01:00.000Z`,
  });
});
