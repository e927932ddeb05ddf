import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { PUBLIC_FILES_PATH } from '#lambda/pages/paths.ts';
import { startEmbeddedTable } from '#local/embedded-table.ts';
import { type Gateway, startGateway } from '#local/gateway.ts';
import { loadHandlers } from '#local/handlers.ts';
import { createFolder } from '#test/support/folders.ts';
import { servedDay } from '#test/support/generators/rows/served-days.ts';
import { run } from '#test/support/processes/client-process.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { testIf } from '#test/support/test-if.ts';

/* The files with all final days that npm start serves to everyone, read with the lines of docs/explorer.md. */

const dates = ['2025-11-01', '2025-11-02'] as const;

async function fill(table: Table, ...wei: [bigint, bigint]): Promise<void> {
  for (const [index, date] of dates.entries()) {
    const day = servedDay('BASE', date, { transaction_count: 9, fees: '0' });
    await putStoredDay(table, { ...day, execution_fees: wei[index] ?? 0n }, undefined);
  }
  await refreshCoverage(chainStore(table, 'BASE'), dates[0]);
}

const MANY = 123_456_789_012_345_678_901n;
let api: Gateway;
let end: () => Promise<void>;
beforeAll(async () => {
  const table = await startEmbeddedTable();
  await fill(table, MANY, 1n);
  const handlers = await loadHandlers(table, { BASE: dates[0] }, [], 'CC-BY-4.0');
  api = await startGateway({ port: 0 }, async () => false, handlers);
  end = async () => {
    await api.close();
    await table.close();
  };
});
afterAll(() => end());
const { table, cli } = useAnnouncedTable(dates[0], 'BASE');

const lines =
  /## Files for everyone.*?```sh\n(.*?)```/s.exec(readFileSync('docs/explorer.md', 'utf8'))?.[1] ?? '';
const lineWith = (text: string) =>
  (lines.split('\n').find((line) => line.includes(text)) ?? '').replaceAll('http://localhost:3000', api.url);

test('serves an index with the licence, and the files that it names, without a key', async () => {
  const index = await (await fetch(`${api.url}/public/index.json`)).json();
  expect(index).toMatchObject({ licence: 'CC-BY-4.0', chains: [{ chain: 'BASE', days: 2 }] });
  const [{ files }] = index.chains;
  for (const { name, bytes } of files) {
    const { status, headers } = await fetch(`${api.url}/public/${name}`, { method: 'HEAD' });
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
    expect((await (await fetch(`${api.url}/public/${name}`)).bytes()).length).toBe(bytes);
  }
  expect((await fetch(`${api.url}${PUBLIC_FILES_PATH.replace('{file}', 'BSC.csv')}`)).status).toBe(404);
});

test('compare without a key finds one changed wei between two services', async () => {
  await fill(table(), MANY, 2n);
  const { code, stdout } = await cli(['compare', '--with', api.url], { BASE: [] });
  expect(stdout).toMatch(/\nBASE +1 +1 +0 +0 +0\n/);
  expect(stdout).toMatch(/\nBASE +2025-11-02 +fees +0\.000000000000000002 +0\.000000000000000001\n/);
  expect(code).toBe(3);
});

test('DuckDB reads every digit by the line of the docs', async () => {
  const [, download = '', query = ''] = /^(curl .*?) && duckdb -c "(.*)"$/.exec(lineWith('duckdb')) ?? [];
  const folder = createFolder();
  expect(await run(download, { folder, url: api.url, key: '' })).toMatchObject({ code: 0 });
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(query.replace("'BASE.parquet'", `'${folder}/BASE.parquet'`));
  expect(reader.getRows().map(([date, fees]) => [date, String(fees)])).toEqual([
    [dates[0], '123.456789012345678901'],
    [dates[1], '0.000000000000000001'],
  ]);
  connection.closeSync();
});

const hasPandas = spawnSync('python3', ['-c', 'import pandas']).status === 0;

testIf(hasPandas, 'pandas')('pandas reads every digit by the line of the docs', async () => {
  const { code, stdout } = await run(lineWith('pandas'), { folder: createFolder(), url: api.url, key: '' });
  expect([code, stdout]).toEqual([0, expect.stringContaining('123.456789012345678901')]);
});
