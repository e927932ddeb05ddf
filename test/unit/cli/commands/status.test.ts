import { addDays, dayOf } from '#core/figures/calendar.ts';
import { saveConflict } from '#core/store/chain/conflicts.ts';
import { saveLag } from '#core/store/chain/lag.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { storedDay } from '#test/support/generators/stored-days.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const GAP = { chain: 'POLYGON', day: '2025-11-19' } as const;
const { table, cli } = useAnnouncedTable(addDays(dayOf(Date.now() / 1_000), -9), 'ETHEREUM', GAP);
const since = Date.parse('2026-11-21T08:00:00Z');
const status = (...options: string[]) => cli(['status', ...options], { ETHEREUM: [], BASE: [] });

test('ends with a table of the chains, and succeeds without a conflict', async () => {
  await saveLag(chainStore(table(), 'BASE'), { seconds: 90, seenAt: since });
  const { code, stdout } = await status();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^chain +last final day +ended ago +behind +last run \(UTC\) +proven block +conflicts\n/,
  );
  expect(stdout).toMatch(/\nBASE +none +1m 30s +2026-11-21 08:00.* +0\n$/);
});

test('refuses a table that an older version has written', async () => {
  await table().putIf({ chain: 'BASE', date: 'coverage', from_day: '2026-11-18', revision: 1 });
  const { code, stdout, stderr } = await status();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The table has days of BASE that this version cannot read: /);
});

test('says why the last run of a chain failed', async () => {
  const problem = 'a.example: eth_chainId: HTTP status 401 (misconfigured: check its URL and the key in it)';
  await saveLag(chainStore(table(), 'BASE'), { seenAt: since, problem });
  expect((await status()).stdout).toContain(`BASE: the last run failed. ${problem}\n`);
  expect(JSON.parse((await status('--chain', 'BASE', '--json')).stdout)).toMatchObject([{ problem }]);
});

test('explains each conflict, says how to settle it, and fails', async () => {
  const reason = 'BASE 2026-11-18 is final with other figures.';
  await saveConflict(chainStore(table(), 'BASE'), { day: '2026-11-18', reason, since });
  const { code, stdout } = await status('--chain', 'BASE');
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /^BASE 2026-11-18, since 2026-11-21 08:00.* UTC: BASE 2026-11-18 is final with other figures\.\n/,
  );
  expect(stdout).toContain('settle --chain BASE --date 2026-11-18\n');
});

test('prints the conflicts as JSON', async () => {
  await saveConflict(chainStore(table(), 'BASE'), { reason: 'disputed', since });
  const { stdout } = await status('--chain', 'BASE', '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    {
      chain: 'BASE',
      conflicts: [{ date: 'final-block', since: '2026-11-21T08:00:00.000Z', reason: 'disputed' }],
    },
  ]);
});

test('states the dispute about the final block in place of how far the ingest is behind', async () => {
  await saveLag(chainStore(table(), 'BASE'), { seconds: 0, seenAt: since });
  await saveConflict(chainStore(table(), 'BASE'), { reason: 'the final block is 2 now', since });
  const { stdout } = await status('--chain', 'BASE');
  expect(stdout).toMatch(/^BASE final-block, since .*: the final block is 2 now\n/);
  expect(stdout).not.toContain('0s');
});

test('names the day that is left out on purpose, until it is ingested, and succeeds', async () => {
  const announced = () => cli(['status'], { POLYGON: [] });
  const { code, stdout } = await announced();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^POLYGON 2025-11-19 is missing on purpose, to show a gap\. To ingest it: .+ --chain POLYGON --start-date 2025-11-19 --end-date 2025-11-19\n/,
  );
  await putStoredDay(table(), storedDay({ chain: 'POLYGON', date: GAP.day }), 0);
  expect((await announced()).stdout).not.toContain('on purpose');
});
