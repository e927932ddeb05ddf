import { compareCommand } from '#cli/commands/compare.ts';
import type { ChainName } from '#core/chains/chains.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { servedDay } from '#test/support/generators/rows/served-days.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';

const dates = ['2025-11-01', '2025-11-02', '2025-11-03', '2025-11-04'] as const;

async function fill(table: Table, given: Record<string, Partial<StoredDay>> = {}, chain: ChainName = 'BASE') {
  for (const date of Object.keys(given)) {
    const plain = servedDay(chain, date, { transaction_count: 9, fees: '0.123456789012345678' });
    const { day, details } = withDetails({ ...plain, ...given[date] });
    await putStoredDay(table, { ...day, ...given[date] }, undefined, details);
  }
  await refreshCoverage(chainStore(table, chain), dates[0]);
}

const [first, second, third, fourth] = dates;
const { url } = useApi((table) => fill(table, { [first]: {}, [second]: {}, [third]: {} }), { BASE: first });
const { table, cli } = useAnnouncedTable(first, 'BASE');

const environmentBefore = { ...process.env };
beforeEach(() => {
  process.env.CHAIN_INSIGHTS_KEY = KEY;
});
afterEach(() => {
  process.env = { ...environmentBefore };
});

const compare = (...parameters: string[]) =>
  cli(['compare', '--with', url(), ...parameters], { BASE: [], BSC: [] });

test('finds one changed wei between two services, and ends with exit code 3', async () => {
  const execution_fees = 123_456_789_012_345_679n;
  await fill(table(), {
    [second]: { execution_fees, evidence: 'checked', proven_blocks: 0 },
    [third]: {},
    [fourth]: {},
  });
  const { code, stdout, stderr } = await compare();
  expect(stdout).toMatch(
    /^chain +equal +differing +only here +only there +not compared\nBASE +1 +1 +1 +1 +0\n/,
  );
  expect(stdout).toMatch(
    /\nBASE +2025-11-02 +fees +0\.123456789012345679 +0\.123456789012345678\nBASE +2025-11-02 +execution_fees /,
  );
  expect(stdout).toMatch(/\nBASE +2025-11-02 +evidence +checked +proven\n/);
  expect(stdout).toContain('\nBASE only here: 2025-11-04\nBASE only there: 2025-11-01\n');
  expect([code, stderr]).toEqual([3, '']);
});

test('ends with exit code 0 if all common days are equal, and prints JSON', async () => {
  await fill(table(), { [first]: {}, [second]: {} });
  const { code, stdout } = await compare('--json');
  expect(JSON.parse(stdout)).toEqual({
    with: url(),
    chains: [
      { chain: 'BASE', equal: 2, differing: [], only_here: [], only_there: [third], not_compared: [] },
    ],
    not_there: ['BSC'],
  });
  expect(code).toBe(0);
});

test('names days that follow another definition, and ends with exit code 1 although the others are equal', async () => {
  await fill(table(), { [first]: {}, [second]: { definition_version: 2, execution_fees: 1n } });
  const { code, stdout, stderr } = await compare();
  expect(stdout).toMatch(/\nBASE +1 +0 +0 +1 +1\n/);
  expect(stdout).toContain('BASE not compared, as definition_version differs: 2025-11-02\n');
  expect([code, stderr]).toEqual([1, expect.stringContaining('Some days follow other definitions')]);
});

test.each([
  ['a chain that the other service does not have', ['--chain', 'BSC'], /has no final days of BSC\.\n$/, 1],
  ['a URL that is not one', ['--with', 'metrics.example'], /^--with is not an http or https URL/, 2],
  ['a service that does not run', ['--with', 'http://127.0.0.1:1'], /^Cannot reach the service at/, 1],
])('refuses %s', async (_, parameters, message, exitCode) => {
  const { code, stdout, stderr } = await compare(...parameters);
  expect([stdout, stderr, code]).toEqual(['', expect.stringMatching(message), exitCode]);
});

test('sends no key that belongs to another service, and asks for public files instead', async () => {
  process.env.CHAIN_INSIGHTS_URL = 'https://own.example/v1';
  const { code, stderr } = await compare();
  expect(stderr).toMatch(
    /\/public\/index\.json cannot be read: status 40\d\. With a key of that service in CHAIN_INSIGHTS_KEY, /,
  );
  expect([code, stderr.includes(KEY)]).toEqual([1, false]);
});

test('needs the URL of the other service', () => {
  expect(compareCommand().options.find(({ long }) => long === '--with')).toMatchObject({ mandatory: true });
});
