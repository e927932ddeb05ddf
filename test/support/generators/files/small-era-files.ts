import { chainOf } from '#core/chains/chains.ts';
import type { PriceSource } from '#core/figures/dollars.ts';
import type { DayProgress } from '#core/figures/progress.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import type { FullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import { realBlocks, realChain } from '#test/support/generators/chains/real-chain.ts';
import { era1File, eraFileName, ereFile } from '#test/support/generators/files/era-files.ts';
import { filesInMemory, readFiles } from '#test/support/generators/files/read-files.ts';

const ETHEREUM = chainOf('ETHEREUM');
const TIME = Date.parse('2026-11-20T00:00:00Z') / 1_000;

/** An era file of two blocks. */
export interface SmallFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Two blocks precede them, so that no reader knows the total difficulty at their beginning. */
const PLACE = { first: 2, before: 17_179_869_184n };

function smallFile(
  format: 'era1' | 'ere',
  pair: readonly [FullBlock, FullBlock],
  options: { readonly hasProofs?: boolean } = {},
): SmallFile {
  const chain = realChain(
    [0, 12, 24, 36].map((seconds) => TIME + seconds),
    pair,
  ).map((block) => bytesOf(ETHEREUM, block));
  const blocks = chain.slice(PLACE.first);
  const bytes = format === 'era1' ? era1File(PLACE, blocks) : ereFile(PLACE, blocks, options);
  return { name: eraFileName(format, 0, PLACE, blocks), bytes };
}

/** Keeps some transactions of a block. */
const cut = ({ block, receipts, ...rest }: FullBlock, from: number, to: number): FullBlock => ({
  ...rest,
  block: { ...block, transactions: (block.transactions as unknown[]).slice(from, to) },
  receipts: receipts.slice(from, to),
});

export const SMALL_FILES = [
  'an era1 file',
  'an ere file from before the merge',
  'an ere file with the merge',
  'an ere file since the merge',
] as const;

/** Returns files of each form, small enough to change each of their bytes. */
export function smallFiles(): Readonly<Record<(typeof SMALL_FILES)[number], SmallFile>> {
  const [frontier, london, , cancun, homestead] = realBlocks();
  if (!frontier || !london || !cancun || !homestead) throw new Error('a real block is missing');
  const withBlobs = cut(cancun, 8, 10);
  return {
    'an era1 file': smallFile('era1', [frontier, london]),
    'an ere file from before the merge': smallFile('ere', [frontier, homestead], { hasProofs: true }),
    'an ere file with the merge': smallFile('ere', [homestead, withBlobs]),
    'an ere file since the merge': smallFile('ere', [withBlobs, cut(cancun, 0, 2)], { hasProofs: true }),
  };
}

/** The days of a file, or why its blocks are refused. */
export interface Summed {
  readonly days: readonly DayProgress[];
  readonly problem: string | undefined;
}

/** Proves and sums a file. */
export async function sumOf({ name, bytes }: SmallFile, feed?: PriceSource): Promise<Summed> {
  const { days, end } = await readFiles(filesInMemory(new Map([[name, bytes]])), ETHEREUM, feed);
  return { days, problem: end.kind === 'no endpoint' ? end.reason : undefined };
}
