import { gunzipSync } from 'node:zlib';
import { decodeManifest } from '#core/backup/export-files.ts';
import { SOFTWARE_VERSION } from '#core/software-version.ts';
import { exportToMemory, fillTable } from '#test/support/generators/rows/filled-table.ts';
import { storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useTable } from '#test/support/tables/table.ts';

const table = useTable();
const NOW = new Date('2026-01-03T02:30:00Z');

const itemsIn = (file: Buffer | undefined) =>
  gunzipSync(file ?? '')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).Item);
const keysIn = (file: Buffer | undefined) => itemsIn(file).map(({ date }) => date.S);

test('exports days, coverages, requested restatements and audits of archives, and leaves out progress', async () => {
  await fillTable(table(), 3);
  const files = await exportToMemory(table(), NOW);
  expect([...files.keys()]).toEqual(['BSC.ndjson.gz', 'BASE.ndjson.gz', 'manifest.json']);
  expect(keysIn(files.get('BASE.ndjson.gz'))).toEqual(['2025-11-19', 'coverage']);
  expect(keysIn(files.get('BSC.ndjson.gz'))).toEqual([
    ...['2025-11-18', '2025-11-19', '2025-11-20'],
    ...['details#2025-11-19#000001', 'details#2025-11-20#000001'],
    'coverage',
    'restatement#2025-11-19',
    `archive#${'ab'.repeat(32)}`,
  ]);
  const [restated] = itemsIn(files.get('BSC.ndjson.gz'));
  expect(restated.restated.L[0].M).toMatchObject({ execution_fees: { N: '9'.repeat(38) } });
  expect(decodeManifest(files.get('manifest.json') ?? Buffer.of())).toEqual({
    format: 1,
    exported_at: NOW.toISOString(),
    software_version: SOFTWARE_VERSION,
    chains: [
      expect.objectContaining({ chain: 'BSC', items: 8, days: 3, last_day: '2025-11-20' }),
      expect.objectContaining({ chain: 'BASE', items: 2, days: 1, first_day: '2025-11-19' }),
    ],
  });
});

test('gives the same bytes for the same items', async () => {
  await fillTable(table());
  expect(await exportToMemory(table(), NOW)).toEqual(await exportToMemory(table(), NOW));
});

test('exports an item that cannot be read, and the others', async () => {
  for (const day of storedDays(2)) await table().putIf(day);
  await table().putIf({ chain: 'BSC', date: '2025-11-20', transaction_count: 1.5, odd: [true, null] });
  const [, , broken] = itemsIn((await exportToMemory(table())).get('BSC.ndjson.gz'));
  expect(broken).toMatchObject({
    transaction_count: { N: '1.5' },
    odd: { L: [{ BOOL: true }, { NULL: true }] },
  });
});

test('reads every page of a chain, with queries alone', async () => {
  const days = storedDays(12);
  const padding = 'x'.repeat(100_000);
  for (const day of days) await table().putIf({ ...day, padding });
  const commands: string[] = [];
  table().client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        commands.push(commandName);
        return next(args);
      },
    { step: 'initialize' },
  );
  expect(keysIn((await exportToMemory(table())).get('BSC.ndjson.gz'))).toHaveLength(12);
  expect(new Set(commands)).toEqual(new Set(['QueryCommand']));
  // Three ranges of six chains, and a second page of the days.
  expect(commands.length).toBeGreaterThan(18);
});
