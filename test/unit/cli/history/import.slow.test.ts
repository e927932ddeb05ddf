import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainOf } from '#core/chains/chains.ts';
import { ingestChain } from '#core/ingest/run.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import {
  changeArchiveFile,
  getArchivedDay,
  getArchiveFile,
  listArchivedDays,
  listArchiveFiles,
} from '#core/store/days/archives.ts';
import { getDay } from '#core/store/days/days.ts';
import { createFolder } from '#test/support/folders.ts';
import { answerFrom, sampleSums } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { upstreamsOf } from '#test/support/nodes/source.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

/*
 * Proves that an import publishes the days of a file only after an audit, that the audit continues after a kill, and what a failed one and a
 * proof change.
 */

// Of a development chain, whose blocks draw at once.
const { store, cli } = useAnnouncedTable('2026-11-21', 'ETHEREUM', undefined, '2026-11-17');
const ETHEREUM = chainOf('ETHEREUM');
const NEXT = '2026-11-19';
const folder = createFolder();

const HEAD =
  'chain,date,first_block,last_block,block_count,transaction_count,protocol_transaction_count,execution_fees,l1_data_fees,operator_fees,blob_fees,retryable_double_count,gas_difference,missing_values';

/** Returns the row of some sample blocks. */
function row(date: string, first: number, last: number, wei = 0n): string {
  const { transactions, fees } = sampleSums(first, last);
  return `ETHEREUM,${date},${first},${last},${last - first + 1},${transactions},0,${fees + wei},0,0,0,0,0,0`;
}

const GOOD = [row(DAY, 1, 2), row(DAY, 3, 4), row(NEXT, 5, 7)];

function write(rows: readonly string[]): { path: string; sha256: string } {
  const text = [HEAD, ...rows, ''].join('\n');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const path = join(folder, `${sha256}.csv`);
  writeFileSync(path, text);
  return { path, sha256 };
}

const { path, sha256 } = write(GOOD);
const words = (file: string) => ['history', 'import', file, '--chain', 'ETHEREUM', '--archive', 'dune'];
const importFile = (file: string, node: JsonRpcServer, ...more: string[]) =>
  cli([...words(file), ...more], { ETHEREUM: [node.url] });

/** Runs the ingest of the service once. */
const ingestSince = (from: string) =>
  ingestChain({
    chain: ETHEREUM,
    upstreams: upstreamsOf(ETHEREUM, [node]),
    store: store(),
    from,
    stopAt: Date.now() + 30_000,
  });

let node: JsonRpcServer;
beforeAll(async () => {
  node = await startJsonRpcServer(answerFrom(sampleBlocks));
});
afterAll(() => node[Symbol.asyncDispose]());

test('audits a file, publishes its days as archived, and ends with one true sentence', async () => {
  const { code, stdout, stderr } = await importFile(path, node);
  expect(stderr).toContain('3 ranges to compare, 7 blocks.');
  expect(stderr).toMatch(/Cost: \d+ JSON-RPC calls, about .* blocks\/s/);
  expect(stdout).toContain('3 of 3 ranges drawn from 3 were equal: none differs.');
  expect(stdout).toContain('Published 2 days as archived.');
  expect(code).toBe(0);
  const days = await listArchivedDays(store());
  expect(
    days.map(({ figures }) => [figures.day, figures.totals.transactions, figures.first?.number]),
  ).toEqual([
    [DAY, 4, 1],
    [NEXT, 3, 5],
  ]);
  expect(days[0]?.figures.parentHash).toBe(sampleBlocks[0]?.header.hash);
  expect(days[1]?.figures.last.hash).toBe(sampleBlocks[7]?.header.hash);
  expect(days[0]?.origin).toMatchObject({
    name: 'dune',
    file_sha256: sha256,
    audit: { ranges_compared: 3, ranges: 3 },
  });
  expect((await getArchiveFile(store(), sha256))?.report).toContain(
    'Audit of ETHEREUM 2026-11-18 to 2026-11-19',
  );
  expect((await getCoverage(store()))?.summary?.by_evidence.archived?.days).toBe(2);
});

test('publishes nothing at a forged row that the sample holds, and refuses the file from then on', async () => {
  const forged = write([GOOD[0] ?? '', row(DAY, 3, 4, 1n), GOOD[2] ?? '']).path;
  const first = await importFile(forged, node);
  expect(first.stderr).toContain(
    'ETHEREUM 2026-11-18, blocks 3 to 4 (file → proven): execution_fees 84001 → 84000',
  );
  expect(first.code).toBe(3);
  const again = await importFile(forged, node);
  expect(again.stderr).toContain('failed before');
  expect(again.code).toBe(3);
  expect(await listArchivedDays(store())).toEqual([]);
  // Another file is told that one has failed before.
  const repaired = await importFile(path, node);
  expect(repaired.stdout).toContain(
    '1 other file of ETHEREUM failed here, or was recorded and not audited: each weakens the confidence.',
  );
});

test('a second import adds to the sample, and shows it on the days', async () => {
  await importFile(path, node, '--ranges', '1');
  const before = await getArchivedDay(store(), DAY);
  expect(before?.origin.audit.ranges_compared).toBe(1);
  const { stdout } = await importFile(path, node, '--ranges', '1');
  expect(stdout).toContain('2 of 2 ranges drawn from 3 were equal: with 95% confidence at most');
  expect((await getArchivedDay(store(), DAY))?.origin.audit.ranges_compared).toBe(2);
  expect((await getArchiveFile(store(), sha256))?.draws).toHaveLength(2);
});

test('a second audit that finds a forged row voids the days of the first, and a repaired file replaces them', async () => {
  let wei = 0n;
  let forged: string;
  // Until a draw of one range misses the forged one.
  do forged = write([row(DAY, 1, 2, ++wei), ...GOOD.slice(1)]).path;
  while ((await importFile(forged, node, '--ranges', '1')).code !== 0);
  const failed = await importFile(forged, node, '--ranges', '3');
  expect(failed.stderr).toContain('2 days that it brought before are marked as void.');
  const marked = await listArchivedDays(store());
  expect(marked.map(({ origin }) => origin.void_since)).toEqual([expect.any(String), expect.any(String)]);
  const repaired = await importFile(path, node);
  expect(repaired.stdout).toContain('Published 2 days as archived.');
  const days = await listArchivedDays(store());
  expect(days.map(({ origin, version }) => [origin.void_since, version.revision])).toEqual([
    [undefined, 2],
    [undefined, 2],
  ]);
});

test('an audit that was killed continues with the same draw, and compares no range twice', async () => {
  await importFile(path, node, '--ranges', '3');
  const done = await getArchiveFile(store(), sha256);
  // As a kill after the first range leaves it.
  await changeArchiveFile(store(), sha256, () => ({ equal: [1], report: undefined }));
  const { stderr } = await importFile(path, node, '--ranges', '3');
  expect(stderr).toContain('2 ranges to compare, 5 blocks.');
  const again = await getArchiveFile(store(), sha256);
  expect(again?.draws).toEqual(done?.draws);
  expect(again?.equal.toSorted()).toEqual([1, 3, 5]);
});

test('days that were published while their file became void are marked by the next run', async () => {
  await importFile(path, node);
  // As a failed audit leaves the file that saw none of its days.
  await changeArchiveFile(store(), sha256, () => ({ void_since: '2026-11-25T08:00:00.000Z' }));
  await ingestSince('2026-11-20');
  const days = await listArchivedDays(store());
  expect(days.map(({ origin }) => origin.void_since)).toEqual(Array(2).fill('2026-11-25T08:00:00.000Z'));
});

test('two imports at once publish the same days, and forget no compared range', async () => {
  const start = () => cli(words(path), { ETHEREUM: [node.url] }, () => {});
  const both = await Promise.all([start(), start()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect((await getArchiveFile(store(), sha256))?.equal.toSorted()).toEqual([1, 3, 5]);
  expect(await listArchivedDays(store())).toHaveLength(2);
});

test('nothing is archived where a proven day exists, and one wei of difference from it refuses the file', async () => {
  await ingestSince(DAY);
  const proven = await getDay(store(), DAY);
  expect(proven).toBeDefined();
  const { stdout } = await importFile(path, node);
  expect(stdout).toContain('2 proven days of this stage: equal.');
  expect(stdout).toContain('Published no day: all 2 are already stored.');
  expect(await listArchivedDays(store())).toEqual([]);
  const wrong = await importFile(write([row(DAY, 1, 4), row(NEXT, 5, 7, 1n)]).path, node, '--ranges', '1');
  expect(wrong.stderr).toContain(
    'ETHEREUM 2026-11-19: the file differs from the proven day (file → proven): execution_fees 357001 → 357000',
  );
  expect(await getDay(store(), DAY)).toEqual(proven);
});

test('a proof of an archived day replaces it, through the ingest of its range', async () => {
  await importFile(path, node);
  await ingestSince('2026-11-20');
  expect(await listArchivedDays(store())).toHaveLength(2);
  const [file] = await listArchiveFiles(store());
  const proving = {
    day: DAY,
    since: '2026-11-25T08:00:00.000Z',
    by: 'fees',
    problem: 'No node has it.',
  } as const;
  await changeArchiveFile(store(), file?.sha256 ?? '', () => ({ proving }));
  const status = await cli(['status'], { ETHEREUM: [node.url] });
  expect(status.stdout).toContain('ETHEREUM: 0% of the fees of its days are proven; 2 days archived.');
  expect(status.stdout).toMatch(new RegExp(`\nETHEREUM +${DAY} +2026-11-\\d\\d `));
  const [state] = JSON.parse((await cli(['status', '--json'], { ETHEREUM: [node.url] })).stdout);
  expect(state).toMatchObject({ first_served_day: DAY, archived_days: 2 });
  expect(status.stdout).toContain(`ETHEREUM ${DAY} could not be proven. No node has it.`);
  const { code } = await cli(['ingest', '--chain', 'ETHEREUM', '--start-date', DAY, '--end-date', NEXT], {
    ETHEREUM: [node.url],
  });
  expect(code).toBe(0);
  expect(await listArchivedDays(store())).toEqual([]);
  expect((await getCoverage(store()))?.summary?.by_evidence).toEqual({
    proven: expect.objectContaining({ days: 3 }),
  });
});

test('after an import, history plan shows the ways to the days before its first one', async () => {
  await importFile(path, node);
  const { stdout, code } = await cli(['history', 'plan', '--json'], { ETHEREUM: [node.url] });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { chain: 'ETHEREUM', way: 'proven, era files' },
    { way: 'proven, nodes', calls: 2, max_dollars: expect.closeTo(0.000018, 6), money: '$0 to $1' },
    { way: 'audited, dune' },
  ]);
});

test('--dry-run asks no node', async () => {
  const { stdout, code } = await importFile(path, node, '--dry-run');
  expect(stdout).toContain('Dry run');
  expect(code).toBe(0);
  expect(await listArchivedDays(store())).toEqual([]);
});
