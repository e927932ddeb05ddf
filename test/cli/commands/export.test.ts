import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from 'csv-parse/sync';
import { exportCommand } from '../../../cli/commands/export.ts';
import { announce } from '../../../local/announcement.ts';
import { useAnnouncedTable } from '../../support/announced-table.ts';
import { restatedDay, storedDay, storedDays } from '../../support/stored-days.ts';

const { table, cli } = useAnnouncedTable('2025-11-18');
const exported = (...parameters: string[]) => cli(['export', ...parameters], { BSC: [] });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  file = join(folder, 'days.csv');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function put(...items: object[]) {
  for (const item of items) {
    await table().documents.send(new PutCommand({ TableName: table().name, Item: { ...item } }));
  }
}

test('the days of all chains come one chain after the other, those too that are no longer ingested', async () => {
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
    'ETHEREUM: 1 day, 2025-11-18 to 2025-11-18\nBSC: 3 days, 2025-11-18 to 2025-11-20\nPOLYGON: 1 day, 2025-11-18 to 2025-11-18\n',
  );
  expect(code).toBe(0);
});

test('a file has the format that its name ends with, the days that are asked for, and nothing is beside it', async () => {
  await put(...storedDays(4), storedDay({ chain: 'POLYGON', date: '2025-11-19' }));
  const range = ['--start-date', '2025-11-19', '--end-date', '2025-11-20'];
  const { code, stdout } = await exported('--chain', 'bsc', ...range, '--output', file, '--json');
  expect(parse(readFileSync(file), { columns: true })).toMatchObject([
    { chain: 'BSC', date: '2025-11-19', first_block_number: '5' },
    { chain: 'BSC', date: '2025-11-20', first_block_number: '9' },
  ]);
  expect(JSON.parse(stdout)).toEqual({
    file,
    chains: [{ chain: 'BSC', start_date: '2025-11-19', end_date: '2025-11-20', days: 2 }],
  });
  expect(readdirSync(folder)).toEqual(['days.csv']);
  expect(code).toBe(0);
});

test('an item with more than this version knows ends it, and the file stays as it was', async () => {
  await put(...storedDays(2), storedDay({ date: '2025-11-20' }), {
    ...storedDay({ date: '2025-11-21' }),
    colour: 'red',
  });
  writeFileSync(file, 'old');
  const { code, stderr } = await exported('--output', file);
  expect(stderr).toBe(
    'The item BSC 2025-11-21 is not one of this version of the code: colour is not known. Use the version that wrote it.\n',
  );
  expect(code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['days.csv']);
});

test('whoever reads from it may stop, and then it ends without a word', async () => {
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

describe('a command line that is wrong is told before any service is looked for:', () => {
  const parsed = (...parameters: string[]) =>
    exportCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parseAsync(parameters, { from: 'user' });

  test('stdout is for one thing at a time', async () => {
    await expect(parsed('--json')).rejects.toMatchObject({
      message: expect.stringMatching(/: name a file with --output\.$/),
      exitCode: 2,
    });
  });

  test('a file has a name', async () => {
    await expect(parsed('--output', '')).rejects.toThrow(
      "option '--output <file>' argument '' is invalid. It is the name of a file.",
    );
  });

  test('the first day does not come after the last', async () => {
    await expect(parsed('--start-date', '2026-11-20', '--end-date', '2026-11-19')).rejects.toMatchObject({
      message: expect.stringMatching(/2026-11-20 comes after/),
      exitCode: 2,
    });
  });
});
