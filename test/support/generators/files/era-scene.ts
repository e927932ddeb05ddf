import { chainOf } from '#core/chains/chains.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { addTotals, NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { decodeBlock, decodeReceipts } from '#core/proof/json/decode-block.ts';
import { proveBlock } from '#core/proof/prove-block.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import { queryDays } from '#core/store/days/days.ts';
import type { ChainReader } from '#core/store/table/table.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import type { RawBlock } from '#test/support/generators/blocks/seal.ts';
import { realChain } from '#test/support/generators/chains/real-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import { era1File, ereFile } from '#test/support/generators/files/era-files.ts';

const ETHEREUM = chainOf('ETHEREUM');

/** Genesis the day before, then four days with three blocks each, and two blocks of a fifth day. */
export const ERA_TIMES = [
  at(-1, 80_000),
  ...[0, 1, 2, 3].flatMap((day) => [at(day, 0), at(day, 40_000), at(day, 86_399)]),
  ...[at(4, 12), at(4, 24)],
];

/** Numbers of the blocks in each file: each but the first begins within a day. */
const FILES = [
  [0, 1, 2, 3, 4],
  [5, 6],
  [7, 8, 9, 10, 11],
  [12, 13, 14],
];

/** With the hashes of these very blocks, so that tests can name them before they make them. */
export const FILE_NAMES = [
  'mainnet-00000-18cdfdec.era1',
  'mainnet-00001-cc20e340.era1',
  'mainnet-00002-6f2fc914.ere',
  'mainnet-00003-43ff7ed8-noproofs.ere',
];

/** The days that all files together complete. */
export const ERA_DAYS = [0, 1, 2, 3].map((days) => addDays(DAY, days));

/** A chain of real blocks, and the era files that hold it. */
export interface EraScene {
  readonly blocks: readonly RawBlock[];
  /** By name, in order. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Returns a day as `eraDaysIn` reads it, with the sums of its blocks from their JSON: day n has blocks 3n + 1 to 3n + 3. */
  readonly dayAt: (day: number) => EraDay;
}

/** A day, the numbers of its first and last block, and its sums. */
type EraDay = readonly [day: UtcDay | undefined, first: number | undefined, last: number, totals: Totals];

/** Reads the final days. */
export async function eraDaysIn(store: ChainReader, from = ERA_DAYS[0] ?? ''): Promise<readonly EraDay[]> {
  const days = await queryDays(store, from, '9999-12-31');
  return days.map(({ day, totals, first, last }) => [day, first?.number, last.number, totals]);
}

export function eraScene(): EraScene {
  const blocks = realChain(ERA_TIMES);
  const bytes = blocks.map((block) => bytesOf(ETHEREUM, block));
  const files = new Map(
    FILES.map((numbers, index) => {
      const own = numbers.map((number) => bytes[number] as BlockBytes);
      const name = FILE_NAMES[index] ?? '';
      const place = { first: numbers[0] ?? 0 };
      const options = { hasProofs: !name.includes('noproofs') };
      return [name, name.endsWith('.ere') ? ereFile(place, own, options) : era1File(place, own)];
    }),
  );
  const dayAt = (day: number): EraDay => {
    const [first, last] = [3 * day + 1, 3 * day + 3];
    return [ERA_DAYS[day], first, last, totalsOf(blocks.slice(first, last + 1))];
  };
  return { blocks, files, dayAt };
}

const totalsOf = (blocks: readonly RawBlock[]): Totals =>
  blocks.reduce((sum, { header, transactions, receipts }) => {
    const proof = proveBlock(
      ETHEREUM,
      decodeBlock(structuredClone({ ...header, transactions })),
      decodeReceipts(structuredClone(receipts)),
    );
    if ('refused' in proof) throw new Error(proof.refused.message);
    return addTotals(sum, proof.sums.totals);
  }, NO_TOTALS);
