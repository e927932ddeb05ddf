import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays, dayOf, startOfDay, type UtcDay } from '../../../lambda/chains/utc-day.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { putDay } from '../../../lambda/store/days.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { provenance } from '../../support/builders.ts';

const YESTERDAY = addDays(dayOf(Date.now() / 1_000), -1);
const before = (days: number) => addDays(YESTERDAY, -days);
const { table, cli } = useAnnouncedTable(before(9));

const coverage = (...parameters: string[]) => cli(['coverage', ...parameters], { ETHEREUM: [], BASE: [] });

async function withDays(chain: 'ETHEREUM' | 'BASE', days: readonly UtcDay[]) {
  for (const [index, day] of days.entries()) {
    const totals = { ...NO_TOTALS, transactions: index * 10 };
    const last = { number: 1, hash: '0x1' };
    await putDay(chainStore(table(), chain), { day, totals, last, definitionVersion: 1 }, provenance());
  }
}

test('missing days are told as ranges, also in the exit code, and shown in a calendar', async () => {
  await withDays('ETHEREUM', [12, 11, 10, 8, 5, 4, 0].map(before));
  await withDays(
    'BASE',
    Array.from({ length: 10 }, (_, index) => before(9 - index)),
  );
  const { code, stdout } = await coverage();
  expect(code).toBe(3);
  const ranges = [before(9), `${before(7)} to ${before(6)}`, `${before(3)} to ${before(1)}`];
  expect(stdout).toContain(`ETHEREUM misses 6 days: ${ranges.join(', ')}\n`);
  expect(stdout).toMatch(new RegExp(`\nETHEREUM +${before(12)} +${YESTERDAY} +7 +6 +\\d+ `));
  expect(stdout).toMatch(new RegExp(`\nBASE +${before(9)} +${YESTERDAY} +10 +0 +\\d+ `));
  // One in the legend.
  expect(stdout.match(/×/g)).toHaveLength(6 + 1);
  expect(stdout.match(/[░▒▓█]/g)).toHaveLength(7 + 10 + 4);
});

test('days after the last final one are late, and no reason for alarm', async () => {
  await withDays('ETHEREUM', [9, 8].map(before));
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
      missing: [{ start_date: before(7), end_date: YESTERDAY, days: 8 }],
      lag_seconds: expect.closeTo(Date.now() / 1_000 - startOfDay(before(7)), -2),
    },
  ]);
});

test('a range may be asked for, and is cut to the days that the chain has and that are over', async () => {
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

test('a chain without days says so', async () => {
  expect((await coverage('--chain', 'BASE')).stdout).toMatch(/\nBASE +none yet +0 +10\n/);
});

test.each([
  [['--start-date', before(1), '--end-date', before(3)], 2, /^--start-date .* comes after --end-date/],
  [['--start-date', '2099-01-01', '--json'], 0, /^$/],
  [['--end-date', '2010-01-01', '--json'], 0, /^$/],
])(
  'a range without a day that is over has nothing to tell, and one that is reversed is refused: %j',
  async (range, exitCode, message) => {
    const { code, stderr, stdout } = await coverage('--chain', 'BASE', ...range);
    expect(stderr).toMatch(message);
    expect(code).toBe(exitCode);
    if (code === 0) expect(JSON.parse(stdout)).toMatchObject([{ final_days: 0, missing: [] }]);
  },
);
