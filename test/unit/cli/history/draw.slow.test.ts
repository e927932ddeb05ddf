import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeArchiveFile, getArchiveFile, listArchivedDays } from '#core/store/days/archives.ts';
import { createFolder } from '#test/support/folders.ts';
import {
  answerFrom,
  blockAt,
  sampleChain,
  sampleSums,
} from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleTimes } from '#test/support/generators/chains/sample-days.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { useAnnouncedTable } from '#test/support/tables/announced-table.ts';

const { store, cli } = useAnnouncedTable('2026-11-21');
const folder = createFolder();
const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1_000) - minutes * 60;
/** Blocks 10 to 13 are recent. */
const blocks = sampleChain([...sampleTimes, ...[60, 20, 10, 5].map(minutesAgo)]);

const { transactions, fees } = sampleSums(1, 4);
const text = `chain,date,first_block,last_block,block_count,transaction_count,protocol_transaction_count,execution_fees,l1_data_fees,operator_fees,blob_fees,retryable_double_count
ETHEREUM,${DAY},1,4,4,${transactions},0,${fees},0,0,0,0
`;

function write(variant: string): { path: string; sha256: string } {
  const sha256 = createHash('sha256').update(`${text}${variant}`).digest('hex');
  const path = join(folder, `${sha256}.csv`);
  writeFileSync(path, `${text}${variant}`);
  return { path, sha256 };
}

const words = (path: string) => ['history', 'import', path, '--chain', 'ETHEREUM', '--archive', 'dune'];

test('a file is recorded and draws nothing until a later block is final, and a repeated command does not record it again', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const { path, sha256 } = write('');
  const start = () =>
    cli(words(path), { ETHEREUM: [node.url] }, (output, interrupt) => {
      if (output.includes('Waiting')) interrupt();
    });
  const { code, stderr } = await start();
  expect(stderr).toContain('Stopped. The record is saved: repeat the command to continue.');
  expect(code).toBe(130);
  const recorded = await getArchiveFile(store(), sha256);
  expect(recorded).toMatchObject({ draws: [], record: { ranges: 300, days: 0 } });
  await start();
  expect((await getArchiveFile(store(), sha256))?.record).toEqual(recorded?.record);
  expect(await listArchivedDays(store())).toEqual([]);
});

test('a recorded file is drawn by the first block that is late enough, and its days say so and name other tries', async () => {
  await using node = await startJsonRpcServer(answerFrom(blocks));
  const [{ path, sha256 }, variant] = [write(''), write('\n')];
  const recorded_at = new Date(minutesAgo(30) * 1_000).toISOString();
  const record = { recorded_at, ranges: 300, days: 0 };
  for (const file of [sha256, variant.sha256]) await changeArchiveFile(store(), file, () => ({ record }));
  const { code, stdout } = await cli([...words(path), '--ranges', '1'], { ETHEREUM: [node.url] });
  expect(code).toBe(0);
  const { number, hash } = { number: 12, hash: blockAt(blocks, 12).header.hash };
  const statement = `1 of 1 ranges drawn from 1 were equal: none differs. Drawn by block ${number} (${hash}), the first with a time more than 15 minutes after the file was recorded at ${recorded_at}. 1 other file of ETHEREUM failed here, or was recorded and not audited: each weakens the confidence.`;
  expect(stdout).toContain(statement);
  const [day] = await listArchivedDays(store());
  expect(day?.origin.audit.statement).toBe(statement);
  const file = await getArchiveFile(store(), sha256);
  // With the size that was recorded, and not the later one.
  expect(file?.draws).toMatchObject([{ ...record, block_number: number, block_hash: hash }]);
  expect(file?.record).toBeUndefined();
  const seed = createHash('sha256').update(`${sha256}${hash}`).digest('hex');
  expect(file?.draws[0]?.seed).toBe(seed);
});
