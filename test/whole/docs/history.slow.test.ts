import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { readAnnouncements } from '#local/announcement.ts';
import { openArchive } from '#test/support/archive-tables.ts';
import { createFolder } from '#test/support/folders.ts';
import type { FullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { API_KEY, startServiceProcess } from '#test/support/processes/service-process.ts';

/*
 * The commands of docs/history.md, from a range without days to a chart, on the service of `npm start`. DuckDB over the rows of the
 * development chain stands in for an archive.
 */

const today = dayOf(Date.now() / 1_000);
/** The development chain begins 14 days before the days that are ingested. */
const [FIRST, LAST] = [addDays(today, -52), addDays(today, -44)];

const commands = readFileSync('docs/history.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('npx --no chain-insights history'))
  .map((line) =>
    line
      .replace('npx --no chain-insights', `node ${resolve('bin/cli.js')}`)
      .replace('BASE', 'ETHEREUM')
      .replace('dune', 'duckdb')
      .replace('2024-01-01', FIRST)
      .replace('2024-06-30', LAST),
  );

async function callNode<T>(url: string, method: string, block: string, ...more: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [block, ...more] });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return ((await response.json()) as { result: T }).result;
}

/** Reads the blocks of a node before a day. */
async function blocksBefore(url: string, day: string): Promise<Pick<FullBlock, 'block' | 'receipts'>[]> {
  const blocks: Pick<FullBlock, 'block' | 'receipts'>[] = [];
  for (let number = 0; ; number++) {
    const at = `0x${number.toString(16)}`;
    const block = await callNode<FullBlock['block']>(url, 'eth_getBlockByNumber', at, true);
    if (Number(block.timestamp) >= startOfDay(day)) return blocks;
    blocks.push({ block, receipts: await callNode<unknown[]>(url, 'eth_getBlockReceipts', at) });
  }
}

test('lead from a plan and a query over an audited file to figures that are served', async () => {
  using service = startServiceProcess({ RPC_URLS_ETHEREUM: '', INGEST_START_DATE: '' });
  const url = await service.ready();
  const { port } = new URL(url);
  const folder = createFolder();
  const [plan = '', query = '', importing = ''] = commands;
  const run = (command: string) =>
    execFileSync('sh', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PORT: port },
    });

  expect(run(plan)).toMatch(/ETHEREUM .* audited, dune/);
  run(query);
  const node =
    readAnnouncements()
      .get(Number(port))
      ?.chains.find(({ name }) => name === 'ETHEREUM')?.urls[0] ?? '';
  const archive = await openArchive(await blocksBefore(node, addDays(LAST, 1)));
  const sql = readFileSync(join(folder, 'base-2024.sql'), 'utf8');
  const rows = (await archive.runAndReadAll(sql)).getRowObjects();
  const csv = [Object.keys(rows[0] ?? {}), ...rows.map(Object.values)].map((cells) => `${cells.join()}\n`);
  writeFileSync(join(folder, 'base-2024.csv'), csv.join(''));
  expect(run(importing)).toContain('Published 9 days as archived.');

  const range = new URLSearchParams({ chain: 'ETHEREUM', start_date: FIRST, end_date: LAST });
  const response = await fetch(`${url}/api/chain-insights/days?${range}`, {
    headers: { 'X-API-Key': API_KEY },
  });
  const days = (await response.json()) as { evidence: string; archive: { audit: { statement: string } } }[];
  expect(days.map(({ evidence }) => evidence)).toEqual(Array(9).fill('archived'));
  expect(days[0]?.archive.audit.statement).toMatch(/^\d+ of \d+ ranges/);
  const proven = await fetch(`${url}/api/chain-insights/fees?${range}&evidence=proven`, {
    headers: { 'X-API-Key': API_KEY },
  });
  expect([await proven.json(), proven.headers.get('X-Days-Missing')]).toEqual([[], '9']);
});
