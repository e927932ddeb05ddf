import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportCommand } from '#cli/commands/export.ts';
import { announce } from '#local/announcement.ts';
import { createFolder } from '#test/support/folders.ts';
import { restatedDay, storedDay, storedDays } from '#test/support/generators/stored-days.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { table, cli } = useAnnouncedTable('2025-11-18');
const exported = (...parameters: string[]) => cli(['export', ...parameters], { BSC: [] });

let folder: string;
let file: string;
beforeEach(() => {
  folder = createFolder();
  file = join(folder, 'days.ndjson');
});

async function put(...items: object[]) {
  for (const item of items) await table().putIf({ ...item });
}

test('exports the days of all chains, including chains that are no longer ingested', async () => {
  const days = storedDays(3);
  await put(...days.toReversed(), storedDay({ chain: 'POLYGON' }), restatedDay({ chain: 'ETHEREUM' }));
  const { code, stdout, stderr } = await exported();
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows.map(({ chain, date }) => `${chain} ${date}`)).toEqual([
    'ETHEREUM 2025-11-18',
    ...['BSC 2025-11-18', 'BSC 2025-11-19', 'BSC 2025-11-20'],
    'POLYGON 2025-11-18',
  ]);
  expect(rows[0]).toMatchObject({ revision: 2, restated: [{ execution_fees: '9'.repeat(38) }] });
  expect(stderr).toBe(
    'ETHEREUM: 1 day, 2025-11-18\nBSC: 3 days, 2025-11-18 to 2025-11-20\nPOLYGON: 1 day, 2025-11-18\n',
  );
  expect(code).toBe(0);
});

test('writes the selected days to a file and leaves no other', async () => {
  await put(...storedDays(4), storedDay({ chain: 'POLYGON', date: '2025-11-19' }));
  const range = ['--start-date', '2025-11-19', '--end-date', '2025-11-20'];
  const { code, stdout } = await exported('--chain', 'bsc', ...range, '--output', file, '--json');
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([
    { chain: 'BSC', date: '2025-11-19', first_block: { number: 5 } },
    { chain: 'BSC', date: '2025-11-20', first_block: { number: 9 } },
  ]);
  expect(JSON.parse(stdout)).toEqual({
    file,
    chains: [{ chain: 'BSC', start_date: '2025-11-19', end_date: '2025-11-20', days: 2 }],
  });
  expect(readdirSync(folder)).toEqual(['days.ndjson']);
  expect(code).toBe(0);
});

test('refuses an item with an unknown attribute and keeps the old file', async () => {
  await put(...storedDays(2), storedDay({ date: '2025-11-20' }), {
    ...storedDay({ date: '2025-11-21' }),
    colour: 'red',
  });
  writeFileSync(file, 'old');
  const { code, stderr } = await exported('--output', file);
  expect(stderr).toBe(
    'This version cannot read the item BSC 2025-11-21: colour is unknown. Use the version that wrote it.\n',
  );
  expect(code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['days.ndjson']);
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

  test('an empty file name', async () => {
    await expect(parsed('--output', '')).rejects.toThrow(
      "option '--output <file>' argument '' is invalid. Expected the name of a file.",
    );
  });

  test('a reversed range', async () => {
    await expect(parsed('--start-date', '2026-11-20', '--end-date', '2026-11-19')).rejects.toMatchObject({
      message: expect.stringMatching(/2026-11-20 is after/),
      exitCode: 2,
    });
  });
});
