import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openExport } from '#cli/restore/export-folder.ts';
import { readExport } from '#cli/restore/read-export.ts';
import { writeMissing } from '#cli/restore/restore-chains.ts';
import { refreshCoverage } from '#core/days/refresh-coverage.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listRestatements } from '#core/store/days/restatements.ts';
import { putStoredDay } from '#core/store/days/stored-days.ts';
import { queryItems } from '#core/store/table/table.ts';
import { createFolder } from '#test/support/folders.ts';
import { exportToMemory, fillTable, REQUEST } from '#test/support/generators/filled-table.ts';
import { restatedDay, storedDay, storedDays } from '#test/support/generators/stored-days.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { startInProcessTable } from '#test/support/tables/in-process-table.ts';

const { table, store, cli } = useAnnouncedTable('2025-11-17', 'BSC');
const folder = createFolder();
const DAYS = 120;

let files: Map<string, Buffer>;
beforeAll(async () => {
  const { table: lost } = await startInProcessTable();
  await fillTable(lost, DAYS);
  files = await exportToMemory(lost);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
});

const restore = (...parameters: string[]) => cli(['restore', folder, ...parameters], { BSC: [] });

/** Ends a restore after some days, as a kill does. */
async function restorePartly(days: number): Promise<void> {
  const [bsc] = await readExport(folder, openExport(folder, undefined), undefined);
  const killed = new AbortController();
  const onWritten = (written: number) => {
    if (written === days) killed.abort();
  };
  const writing = writeMissing(table(), [...(bsc?.days.values() ?? [])], {
    signal: killed.signal,
    onWritten,
  });
  await expect(writing).rejects.toThrow('abort');
}

test('restores an empty table, so that its next export has the same items', async () => {
  const { code, stdout, stderr } = await restore();
  expect(stdout).toMatch(
    /\nBSC +2025-11-18 +2026-03-17 +120 +0 +0 +0 +0\nBASE +2025-11-19 +2025-11-19 +1 +0 +0 +0 +0\n/,
  );
  // A busy machine takes long enough for a line of progress.
  expect([code, stderr.replace(/^\d+ %, .*\n/gm, '')]).toEqual([0, '']);
  const [again, before] = await Promise.all([itemsIn(await exportToMemory(table())), itemsIn(files)]);
  // Caches read all days again.
  const changesSince = 3;
  expect(again).toEqual(before.map((chain) => ({ ...chain, coverage: { ...chain.coverage, changesSince } })));
  expect(await listRestatements(store())).toMatchObject([{ day: '2025-11-19', restatement: REQUEST }]);
  // Their events were sent long ago.
  expect(await eventsIn()).toEqual([]);
});

const itemsIn = (exported: Map<string, Buffer>) =>
  readExport('memory', async (name) => exported.get(name), undefined);
const eventsIn = () =>
  queryItems(table(), {
    KeyConditionExpression: 'chain = :chain AND begins_with(#date, :prefix)',
    ExpressionAttributeNames: { '#date': 'date' },
    ExpressionAttributeValues: { ':chain': 'BSC', ':prefix': 'event#' },
  });

test('continues after a kill, and a further run changes nothing', async () => {
  await restorePartly(40);
  const { code, stdout } = await restore('--json');
  const { chains } = JSON.parse(stdout);
  const [{ restored, already_final }] = chains;
  expect(already_final).toBeGreaterThanOrEqual(40);
  expect(restored).toBeGreaterThan(0);
  expect(restored + already_final).toBe(DAYS);
  const coverage = await getCoverage(store());
  expect(coverage).toMatchObject({ revision: 3, last: '2026-03-17' });
  expect(code).toBe(0);
  expect((await restore()).stdout).toMatch(/\nBSC +2025-11-18 +2026-03-17 +0 +120 /);
  expect(await getCoverage(store())).toEqual(coverage);
});

test('refuses a table with days of its own, and adds the missing ones with --merge', async () => {
  const [, second = storedDay()] = storedDays(2);
  await putStoredDay(table(), { ...second, ingested_at: '2026-01-01T00:00:00.000Z' }, 0);
  await putStoredDay(table(), restatedDay({ transaction_count: 10 }), 0);
  await refreshCoverage(store(), '2025-11-19');
  const refused = await restore();
  expect(refused.stderr).toMatch(
    /^Nothing was written: the table of .* has final days that do not come from this export \(BSC 2 days\)\. .* restore \S+ --merge\n$/,
  );
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(await getCoverage(store())).toMatchObject({ revision: 1 });

  const merged = await restore('--merge', '--chain', 'BSC');
  expect(merged.stderr).toMatch(
    /^BSC 2025-11-18 has other figures than in the export: transaction_count 9 → 10/m,
  );
  expect(merged.stdout).toMatch(/\nBSC +2025-11-18 +2026-03-17 +118 +0 +1 +1 +0\n/);
  expect(merged.code).toBe(3);
  // Clients may keep tags of revisions after the export.
  expect(await getCoverage(store())).toMatchObject({
    from: '2025-11-17',
    last: '2026-03-17',
    revision: 10_003,
  });
});

test.each([
  ['no folder', ['restore', 'nowhere'], /^nowhere has no manifest\.json/],
  ['no prefix', ['restore', 's3://bucket'], /^s3:\/\/bucket names no export\. Expected one such as /],
  ['a chain that it lacks', ['restore', folder, '--chain', 'POLYGON'], / has no days of POLYGON\. /],
])('refuses %s', async (_, parameters, message) => {
  const { code, stderr } = await cli(parameters, { BSC: [] });
  expect(stderr).toMatch(message);
  expect(code).toBe(1);
});
