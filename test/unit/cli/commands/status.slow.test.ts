import { chainOf } from '#core/chains/chains.ts';
import { addDays, dayOf, startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { saveLag } from '#core/store/chain/coverage.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { chainStore } from '#core/store/table/table.ts';
import {
  blockAt,
  dayFigures,
  finalSums,
  hashOf,
  provenance,
} from '#test/support/generators/blocks/builders.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { putDay, putWaitingDay } from '#test/support/tables/put-day.ts';

const YESTERDAY = addDays(dayOf(Date.now() / 1_000), -1);
const before = (days: number) => addDays(YESTERDAY, -days);
const GAP = { chain: 'POLYGON', day: before(5) } as const;
const { table, cli } = useAnnouncedTable(before(9), 'ETHEREUM', GAP);
const storeOf = (chain: 'ETHEREUM' | 'BASE' | 'POLYGON') => chainStore(table(), chain);

const status = (...parameters: string[]) => cli(['status', ...parameters], { ETHEREUM: [], BASE: [] });
const jsonOf = async (...parameters: string[]) => JSON.parse((await status(...parameters, '--json')).stdout);

const tenDays = Array.from({ length: 10 }, (_, index) => before(9 - index));

async function withDays(
  chain: Parameters<typeof storeOf>[0],
  days: readonly UtcDay[],
  checked: readonly UtcDay[] = [],
  given: Partial<DayFigures> = {},
) {
  for (const [index, day] of days.entries()) {
    const totals = { ...NO_TOTALS, transactions: index * 10 };
    const last = blockAt(1);
    const evidence = checked.includes(day) ? 'checked' : 'proven';
    const figures = dayFigures(day, { totals, parentHash: last.hash, last, ...given });
    await putDay(storeOf(chain), figures, provenance({ evidence }));
  }
}

test('prints missing ranges with the command that fills them, and the table last, at most 80 columns wide', async () => {
  await withDays('ETHEREUM', [12, 11, 10, 8, 5, 4, 0].map(before));
  await withDays('BASE', tenDays);
  await saveLag(storeOf('BASE'), {
    seconds_behind: 45_000,
    seen_at: new Date(Date.now() - 754_000).toISOString(),
  });
  const { code, stdout } = await status();
  expect(code).toBe(3);
  const ranges = [before(9), `${before(7)} to ${before(6)}`, `${before(3)} to ${before(1)}`];
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM is missing 6 days: ${ranges.join(', ')}\\. To ingest the last range:\n  npx --no chain-insights ingest --chain ETHEREUM --start-date ${before(3)} --end-date ${before(1)}\n\n`,
    ),
  );
  const [, rows = ''] = stdout.split(/(?=\nchain +first)/);
  expect(rows).toMatch(new RegExp(`\nETHEREUM +${before(12)} +${YESTERDAY} +7 +7 +6\n`));
  expect(rows).toMatch(new RegExp(`\nBASE +${before(9)} +${YESTERDAY} +10 +10 +0 +12h 30m +12m \\d+s\n$`));
  expect(Math.max(...rows.split('\n').map((row) => row.length))).toBeLessThanOrEqual(80);
});

test('succeeds and prints nothing but the table when all days are final', async () => {
  await withDays('BASE', tenDays);
  const { code, stdout } = await status('--chain', 'BASE');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^chain +first .*\nBASE .*\n$/)]);
});

test('shows the transactions of the running day, and until when they are counted', async () => {
  await withDays('BASE', tenDays);
  const today = addDays(YESTERDAY, 1);
  const progress = {
    ...startDayProgress(today, blockAt(1)),
    first: blockAt(2),
    notBefore: startOfDay(today) + 52_620,
    totals: { ...NO_TOTALS, transactions: 1_204_331 },
  };
  await saveCheckpoint(
    storeOf('BASE'),
    { day: today, sequence: 0 },
    { progress, final: finalSums(progress) },
  );
  const { stdout } = await status('--chain', 'BASE');
  expect(stdout).toMatch(/^Transactions today \(UTC\): BASE 1,204,331 until 14:37\.\n\nchain/);
  const [{ today: shown }] = await jsonOf('--chain', 'BASE');
  expect(shown).toEqual({ date: today, transaction_count: 1_204_331, through: `${today}T14:37:00.000Z` });
});

test('lists the last missing ranges of a long history and counts the others', async () => {
  await withDays(
    'ETHEREUM',
    Array.from({ length: 10 }, (_, index) => before(20 - 2 * index)),
  );
  const { stdout } = await status('--chain', 'ETHEREUM');
  expect(stdout).toContain(', and 4 earlier ranges (--json lists all). To ingest the last range:\n');
});

test('does not report days after the last final one as a gap', async () => {
  await withDays('ETHEREUM', [9, 8].map(before), [before(8)]);
  await saveLag(storeOf('ETHEREUM'), { seconds_behind: 90, seen_at: '2026-11-21T08:00:00.000Z' });
  const { code, stdout } = await status('--chain', 'ethereum', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    {
      chain: 'ETHEREUM',
      start_date: before(9),
      end_date: YESTERDAY,
      first_served_day: before(9),
      last_served_day: before(8),
      first_final_day: before(9),
      last_final_day: before(8),
      final_days: 2,
      proven_days: 1,
      data_age_seconds: expect.any(Number),
      waiting: [],
      missing: [{ start_date: before(7), end_date: YESTERDAY, days: 8 }],
      unlinked: [],
      scheduled: [],
      seconds_behind: 90,
      last_run_at: '2026-11-21T08:00:00.000Z',
      conflicts: [],
    },
  ]);
});

test('counts days that wait for the day after them, which are not missing', async () => {
  await withDays('ETHEREUM', [9, 8, 5, 4, 3, 2, 1, 0].map(before));
  const progress = startDayProgress(before(6), blockAt(1));
  const next = blockAt(2);
  await putWaitingDay(storeOf('ETHEREUM'), { progress, next, since: Date.now() });
  const { code, stdout } = await status('--chain', 'ETHEREUM');
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM: 1 day read, final once the day after is: ${before(6)}\n\nETHEREUM is missing 1 day: ${before(7)}\\. To ingest it:\n`,
    ),
  );
  expect(code).toBe(3);
});

test('reports days that do not continue the day before', async () => {
  await withDays('ETHEREUM', tenDays.slice(0, 7));
  await withDays('ETHEREUM', [before(2)], [], { parentHash: hashOf(0) });
  await withDays('ETHEREUM', tenDays.slice(8));
  const { code, stdout } = await status('--chain', 'ETHEREUM');
  expect(stdout).toMatch(
    new RegExp(
      `^ETHEREUM ${before(2)} does not continue the day before: its parent is 0x\\w{8}…, and that day ends with block 1 \\(0x.*\nVerify both days`,
    ),
  );
  expect(code).toBe(3);
});

test('limits a range to the complete days of the chain, and shows a chain without final days', async () => {
  const { firstDay } = chainOf('BASE');
  const range = ['--start-date', '2020-01-01', '--end-date', '2099-12-31'];
  const [{ start_date, end_date, missing }] = await jsonOf('--chain', 'BASE', ...range);
  expect([start_date, end_date]).toEqual([firstDay, YESTERDAY]);
  expect(missing).toMatchObject([{ start_date: firstDay, end_date: YESTERDAY }]);
  expect((await status('--chain', 'BASE')).stdout).toMatch(/\nBASE +none +0 +0 +10\n$/);
});

test.each([
  [['--start-date', before(1), '--end-date', before(3)], /^--start-date .* is after --end-date/],
  [['--start-date', '2099-01-01'], /^This range has no complete day\. Choose days from 2023-06-15 to 20/],
  [
    ['--end-date', '2010-01-01', '--json'],
    /^This range has no complete day\. Choose days from 2023-06-15 to /,
  ],
])('refuses a range without a complete day: %j', async (range, message) => {
  const { code, stderr, stdout } = await status('--chain', 'BASE', ...range);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, '']);
});

test('refuses a table that an older version has written', async () => {
  await table().putIf({ chain: 'BASE', date: 'coverage', from_day: '2026-11-18', revision: 1 });
  const { code, stdout, stderr } = await status();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The table has days of BASE that this version cannot read: /);
});

test('says why the last run of a chain failed', async () => {
  const problem = 'a.example: eth_chainId: HTTP status 401 (misconfigured: check its URL and the key in it)';
  await saveLag(storeOf('BASE'), { seen_at: new Date().toISOString(), problem });
  expect((await status()).stdout).toContain(`BASE: the last run failed. ${problem}\n`);
  expect(await jsonOf('--chain', 'BASE')).toMatchObject([{ problem }]);
});

test('explains each conflict, says how to settle it, and fails', async () => {
  const since = Date.parse('2026-11-21T08:00:00Z');
  const reason = 'BASE 2026-11-18 is final with other figures.';
  await saveConflict(storeOf('BASE'), { day: '2026-11-18', reason, since });
  const { code, stdout } = await status('--chain', 'BASE');
  expect(code).toBe(3);
  expect(stdout).toContain(
    `BASE 2026-11-18, since 2026-11-21 08:00 UTC: ${reason}\nTo verify the day, and to settle the conflict if it is right:\n` +
      '  npx --no chain-insights verify --chain BASE --date 2026-11-18\n' +
      '  npx --no chain-insights restate --settle --chain BASE --date 2026-11-18\n',
  );
});

test('states the dispute about the final block in place of how far the ingest is behind', async () => {
  const since = Date.now();
  await saveLag(storeOf('BASE'), { seconds_behind: 0, seen_at: new Date(since).toISOString() });
  await saveConflict(storeOf('BASE'), { reason: 'the final block is 2 now', since });
  const [chain] = await jsonOf('--chain', 'BASE');
  expect(chain.conflicts).toMatchObject([{ date: 'final-block', reason: 'the final block is 2 now' }]);
  expect(chain).not.toHaveProperty('seconds_behind');
});

test('names the day that is left out on purpose, and succeeds, unless another day is missing', async () => {
  await withDays(
    'POLYGON',
    tenDays.filter((day) => day !== GAP.day && day !== before(2)),
  );
  const announced = () => cli(['status'], { POLYGON: [] });
  expect(await announced()).toMatchObject({ code: 3, stdout: expect.stringContaining('missing 2 days') });
  await withDays('POLYGON', [before(2)]);
  const { code, stdout } = await announced();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^POLYGON ${GAP.day} is missing on purpose, to show a gap\\. To ingest it:\n  .+ --start-date ${GAP.day} `,
    ),
  );
});
