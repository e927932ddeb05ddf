import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportCommand } from '#cli/commands/export.ts';
import { decodeLines } from '#core/backup/export-files.ts';
import { putDetails } from '#core/store/days/details.ts';
import type { Item } from '#core/store/table/table.ts';
import { announce } from '#local/announcement.ts';
import { createFolder } from '#test/support/folders.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { restatedDay, storedDay, storedDays } from '#test/support/generators/rows/stored-days.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { table, store, cli } = useAnnouncedTable('2025-11-18', 'BSC');
const exported = (...parameters: string[]) => cli(['export', ...parameters], { BSC: [] }, () => {});

let folder: string;
let file: string;
beforeEach(() => {
  folder = createFolder();
  file = join(folder, 'days.ndjson');
});

const itemsIn = (text: string): Item[] =>
  [...decodeLines(text)].flatMap((row) => ('item' in row ? [row.item] : []));

async function put(...items: object[]) {
  for (const item of items) await table().putIf({ ...item });
}

test('exports the days of all chains, including chains that are no longer ingested', async () => {
  const days = storedDays(3);
  await put(...days.toReversed(), storedDay({ chain: 'POLYGON' }), restatedDay({ chain: 'ETHEREUM' }));
  const { code, stdout, stderr } = await exported();
  const rows = itemsIn(stdout);
  expect(rows.map(({ chain, date }) => `${chain} ${date}`)).toEqual([
    'ETHEREUM 2025-11-18',
    ...['BSC 2025-11-18', 'BSC 2025-11-19', 'BSC 2025-11-20'],
    'POLYGON 2025-11-18',
  ]);
  expect(rows[0]).toMatchObject({ revision: 2n, restated: [{ execution_fees: 10n ** 38n - 1n }] });
  expect(stderr).toBe(
    'ETHEREUM: 1 day, 2025-11-18\nBSC: 3 days, 2025-11-18 to 2025-11-20\nPOLYGON: 1 day, 2025-11-18\n',
  );
  expect(code).toBe(0);
});

test('writes the selected days to a file and leaves no other', async () => {
  const days = storedDays(4);
  await put(...days, storedDay({ chain: 'POLYGON', date: '2025-11-19' }));
  for (const day of days.slice(2))
    await store().table.commit([
      putDetails(store(), { day: day.date, revision: 1 }, withDetails(day).details),
    ]);
  const range = ['--start-date', '2025-11-19', '--end-date', '2025-11-20'];
  const { code, stdout } = await exported('--chain', 'bsc', ...range, '--output', file, '--json');
  expect(itemsIn(readFileSync(file, 'utf8'))).toMatchObject([
    { chain: 'BSC', date: '2025-11-19', first_block: { number: 5n } },
    { chain: 'BSC', date: '2025-11-20', first_block: { number: 9n } },
    { chain: 'BSC', date: 'details#2025-11-20#000001' },
  ]);
  expect(JSON.parse(stdout)).toEqual({
    file,
    chains: [{ chain: 'BSC', start_date: '2025-11-19', end_date: '2025-11-20', days: 2 }],
  });
  expect(readdirSync(folder)).toEqual(['days.ndjson']);
  expect(code).toBe(0);
});

test('exports an attribute that this version does not know', async () => {
  await put({ ...storedDay(), colour: 'red' });
  const { code, stdout } = await exported();
  expect([code, itemsIn(stdout)]).toMatchObject([0, [{ colour: 'red' }]]);
});

test('ends silently when the reader of stdout stops', async () => {
  const restated = restatedDay().restated?.map((old) => ({ ...old, reason: 'x'.repeat(300_000) }));
  await put(...storedDays(5, { restated }));
  const { port } = new URL(table().endpoint);
  const url = `http://localhost:${port}`;
  const withdraw = announce({
    pid: process.pid,
    url,
    tableUrl: table().endpoint,
    from: '2025-11-18',
    chains: [],
  });
  const child = spawn(process.execPath, ['bin/cli.js', 'export'], { env: { ...process.env, PORT: port } });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(stderr).toBe('');
  withdraw();
});

describe('refuses, before it opens a service,', () => {
  const parsed = (...parameters: string[]) =>
    exportCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parseAsync(parameters, { from: 'user' });

  test('--json without --output', async () => {
    await expect(parsed('--json')).rejects.toMatchObject({
      message: expect.stringMatching(/Add --output <file>\.$/),
      exitCode: 2,
    });
  });

  test('a reversed range', async () => {
    await expect(parsed('--start-date', '2026-11-20', '--end-date', '2026-11-19')).rejects.toMatchObject({
      message: expect.stringMatching(/2026-11-20 is after/),
      exitCode: 2,
    });
  });
});
