import { BLOCKS_PER_FILE } from '#core/blocks/files/source.ts';
import { chainOf } from '#core/chains/chains.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { hex } from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { era1File, eraFileName, ereFile } from '#test/support/generators/files/era-files.ts';
import { sumOf } from '#test/support/generators/files/small-era-files.ts';

const ETHEREUM = chainOf('ETHEREUM');
const BEGIN = Date.parse('2016-01-01T00:00:00Z') / 1_000;

/** Every third block has a transfer of 21,000 gas at 7 wei. */
const TRANSFERS = Math.ceil(BLOCKS_PER_FILE / 3);

const given = Array.from({ length: BLOCKS_PER_FILE }, (_, number) => ({
  header: { number: hex(number), timestamp: hex(BEGIN + 13 * number), difficulty: hex(1_000 + number) },
  pairs: number % 3 === 0 ? [{}] : [],
}));
const blocks = sealedChain(ETHEREUM, given).map((block) => bytesOf(ETHEREUM, block));

test.each([
  ['an era1 file', 'era1', () => era1File({ first: 0 }, blocks)],
  ['an ere file with proofs', 'ere', () => ereFile({ first: 0 }, blocks, { hasProofs: true })],
] as const)('sums %s of 8,192 blocks', async (_, format, write) => {
  const name = eraFileName(format, 0, { first: 0 }, blocks);
  const { days, problem } = await sumOf({ name, bytes: write() });
  expect(problem).toBeUndefined();
  expect(days.reduce((sum, { totals }) => sum + totals.blocks, 0)).toBe(BLOCKS_PER_FILE);
  expect(days.reduce((sum, { totals }) => sum + totals.transactions, 0)).toBe(TRANSFERS);
});
