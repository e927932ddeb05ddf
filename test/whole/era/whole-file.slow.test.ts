import { bytesOf } from '#bench/ingest/node/block-bytes.ts';
import { era1File, eraFileName, ereFile } from '#bench/ingest/node/era-files.ts';
import { chainOf } from '#core/chains/chains.ts';
import { BLOCKS_PER_FILE } from '#core/era/file-name.ts';
import { blocksIn, isSummed, type ProvenNow } from '#core/era/sum-file.ts';
import type { EraSums } from '#core/store/era-sums.ts';
import { sumOf } from '#test/support/generators/flipped-era-file.ts';
import { hex } from '#test/support/generators/seal.ts';
import { sealedChain } from '#test/support/generators/sealed-block.ts';

const ETHEREUM = chainOf('ETHEREUM');
const BEGIN = Date.parse('2016-01-01T00:00:00Z') / 1_000;

/** Every third block has a transfer of 21,000 gas at 7 wei. */
const TRANSFERS = Math.ceil(BLOCKS_PER_FILE / 3);

const given = Array.from({ length: BLOCKS_PER_FILE }, (_, number) => ({
  header: { number: hex(number), timestamp: hex(BEGIN + 13 * number), difficulty: hex(1_000 + number) },
  pairs: number % 3 === 0 ? [{}] : [],
}));
const blocks = sealedChain(ETHEREUM, given).map((block) => bytesOf(ETHEREUM, block));

/** Sums a file in runs that each end after a number of blocks. */
async function sumInRuns(format: 'era1' | 'ere', bytes: Buffer, blocksPerRun: number): Promise<EraSums[]> {
  const name = eraFileName(format, 0, { first: 0 }, blocks);
  const runs: EraSums[] = [];
  for (let begun: EraSums | undefined; !begun || !isSummed(begun); runs.push(begun)) {
    const stop = new AbortController();
    let left = blocksPerRun;
    const onBlocks = ({ blocks: count }: ProvenNow) => {
      left -= count;
      if (left <= 0) stop.abort();
    };
    begun = await sumOf({ name, bytes }, { begun, signal: stop.signal, onBlocks });
    if (begun.problem !== undefined) throw new Error(begun.problem);
  }
  return runs;
}

test.each([
  ['an era1 file', 'era1', () => era1File({ first: 0 }, blocks)],
  ['an ere file with proofs', 'ere', () => ereFile({ first: 0 }, blocks, { hasProofs: true })],
] as const)('sums %s of 8,192 blocks in one run and in four', async (_, format, write) => {
  const bytes = write();
  const [whole] = await sumInRuns(format, bytes, BLOCKS_PER_FILE);
  expect(whole).toMatchObject({ first: 0, count: BLOCKS_PER_FILE });
  const transactions = whole?.days.map(({ totals }) => totals.transactions) ?? [];
  expect(transactions.reduce((sum, count) => sum + count, 0)).toBe(TRANSFERS);
  const runs = await sumInRuns(format, bytes, 2_100);
  expect(runs.map(blocksIn)).toEqual([2_112, 4_224, 6_336, BLOCKS_PER_FILE]);
  expect({ ...runs.at(-1), seconds: 0 }).toEqual({ ...whole, seconds: 0 });
});
