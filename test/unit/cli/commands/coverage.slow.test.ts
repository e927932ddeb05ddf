import { chainOf } from '#core/chains/chains.ts';
import { addDays, dayOf, startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { putDay } from '#core/store/days/days.ts';
import { putWaitingDay } from '#core/store/days/waiting-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { hashOf, provenance } from '#test/support/generators/builders.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const YESTERDAY = addDays(dayOf(Date.now() / 1_000), -1);
const before = (days: number) => addDays(YESTERDAY, -days);
const { table, cli } = useAnnouncedTable(before(9));

const coverage = (...parameters: string[]) => cli(['coverage', ...parameters], { ETHEREUM: [], BASE: [] });

async function withDays(
  chain: 'ETHEREUM' | 'BASE',
  days: readonly UtcDay[],
  checked: readonly UtcDay[] = [],
  given: Partial<DayFigures> = {},
) {
  for (const [index, day] of days.entries()) {
    const totals = { ...NO_TOTALS, transactions: index * 10 };
    const last = { number: 1, hash: hashOf(1) };
    const evidence = checked.includes(day) ? 'checked' : 'proven';
    const figures = { day, totals, parentHash: last.hash, last, definitionVersion: 1, ...given };
    await putDay(chainStore(table(), chain), figures, provenance({ evidence }));
  }
}

test('prints missing ranges and the summary last, and reports gaps in the exit code', async () => {
  await withDays('ETHEREUM', [12, 11, 10, 8, 5, 4, 0].map(before));
  await withDays(
    'BASE',
    Array.from({ length: 10 }, (_, index) => before(9 - index)),
  );
  const { code, stdout } = await coverage();
  expect(code).toBe(3);
  const ranges = [before(9), `${before(7)} to ${before(6)}`, `${before(3)} to ${before(1)}`];
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM is missing 6 days: ${ranges.join(', ')}\n  To ingest the last range: npx --no chain-insights ingest --chain ETHEREUM --start-date ${before(3)} --end-date ${before(1)}\n\n`,
    ),
  );
  expect(stdout).toMatch(new RegExp(`\nETHEREUM +${before(12)} +${YESTERDAY} +7 +7 +0 +6 +\\d+`));
  expect(stdout).toMatch(new RegExp(`\nBASE +${before(9)} +${YESTERDAY} +10 +10 +0 +0 +\\d+[hm].*\n$`));
});

test('lists the last missing ranges of a long history and counts the others', async () => {
  await withDays(
    'ETHEREUM',
    Array.from({ length: 10 }, (_, index) => before(20 - 2 * index)),
  );
  const { stdout } = await coverage('--chain', 'ETHEREUM');
  expect(stdout).toMatch(/, and 4 earlier ranges \(--json lists all\)\n/);
});

test('does not report days after the last final one as a gap', async () => {
  await withDays('ETHEREUM', [9, 8].map(before), [before(8)]);
  const { code, stdout } = await coverage('--chain', 'ethereum', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    {
      chain: 'ETHEREUM',
      start_date: before(9),
      end_date: YESTERDAY,
      first_final_day: before(9),
      last_final_day: before(8),
      final_days: 2,
      proven_days: 1,
      waiting: [],
      missing: [{ start_date: before(7), end_date: YESTERDAY, days: 8 }],
      unlinked: [],
      data_age_seconds: expect.closeTo(Date.now() / 1_000 - startOfDay(before(7)), -2),
    },
  ]);
});

test('counts days that wait for the day after them, which are not missing', async () => {
  await withDays('ETHEREUM', [9, 8, 5, 4, 3, 2, 1, 0].map(before));
  const store = chainStore(table(), 'ETHEREUM');
  const progress = startDayProgress(before(6), { number: 1, hash: hashOf(1) });
  await putWaitingDay(store, { progress, next: { number: 2, hash: hashOf(2) }, since: Date.now() });
  const { code, stdout } = await coverage('--chain', 'ETHEREUM');
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM: 1 day read, final once the day after is: ${before(6)}\nETHEREUM is missing 1 day: ${before(7)}\n  To ingest it: npx .*\n\n`,
    ),
  );
  expect(stdout).toMatch(new RegExp(`\nETHEREUM +${before(9)} +${YESTERDAY} +8 +8 +1 +1 +\\d`));
  expect(code).toBe(3);
});

test('reports days that do not continue the day before', async () => {
  await withDays('ETHEREUM', [9, 8, 7, 6, 5, 4, 3].map(before));
  await withDays('ETHEREUM', [before(2)], [], { parentHash: hashOf(0) });
  await withDays('ETHEREUM', [1, 0].map(before));
  const { code, stdout } = await coverage('--chain', 'ETHEREUM');
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM ${before(2)} does not continue the day before: it has no blocks, parent 0x\\w{8}…; the day before ends with block 1 `,
    ),
  );
  expect(code).toBe(3);
});

test('limits a range to the complete days of the chain', async () => {
  const { firstDay } = chainOf('BASE');
  const { stdout } = await coverage(
    '--chain',
    'BASE',
    '--start-date',
    '2020-01-01',
    '--end-date',
    '2099-12-31',
    '--json',
  );
  const [{ start_date, end_date, missing }] = JSON.parse(stdout);
  expect([start_date, end_date]).toEqual([firstDay, YESTERDAY]);
  expect(missing).toMatchObject([{ start_date: firstDay, end_date: YESTERDAY }]);
});

test('shows a chain without final days', async () => {
  expect((await coverage('--chain', 'BASE')).stdout).toMatch(/\nBASE +none +0 +0 +0 +10\n/);
});

test.each([
  [['--start-date', before(1), '--end-date', before(3)], /^--start-date .* is after --end-date/],
  [['--start-date', '2099-01-01'], /^--start-date 2099-01-01 is after the last complete day \(UTC\), 20/],
  [
    ['--end-date', '2010-01-01', '--json'],
    /^--end-date 2010-01-01 is before the first day of these chains, 2/,
  ],
])('refuses a range without a complete day: %j', async (range, message) => {
  const { code, stderr, stdout } = await coverage('--chain', 'BASE', ...range);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, '']);
});
