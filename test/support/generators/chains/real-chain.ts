import { chainOf } from '#core/chains/chains.ts';
import {
  type FullBlock,
  fullBlockFolders,
  readFullBlock,
} from '#test/support/generators/blocks/full-blocks.ts';
import {
  hex,
  type Json,
  NO_HASH,
  type RawBlock,
  sealBlock,
  type UnsealedBlock,
} from '#test/support/generators/blocks/seal.ts';
import { blobGasAfter } from '#test/support/generators/random/random-blobs.ts';

const ETHEREUM = chainOf('ETHEREUM');

/** Names of real blocks from before Byzantium, of London and of Cancun, with legacy, EIP-1559 and blob transactions. */
const NAMES = [
  ['ETHEREUM-468179.json.gz', fullBlockFolders.large],
  ['ETHEREUM-13998626.json', fullBlockFolders.small],
  ['ETHEREUM-4369999.json.gz', fullBlockFolders.large],
  ['ETHEREUM-20066032.json.gz', fullBlockFolders.large],
  ['ETHEREUM-1000000.json', fullBlockFolders.small],
] as const;

/** The real blocks that chains consist of, in turn. */
export const realBlocks = (): readonly FullBlock[] =>
  NAMES.map(([name, folder]) => readFullBlock(folder, name));

/**
 * Returns a chain of real blocks that are linked again: numbers, parents, times and hashes are new, and all else is real. Receipts
 * state no price of blobs, since that depends on the time.
 * @param times of the blocks, in seconds, from genesis
 */
export function realChain(times: readonly number[], blocks = realBlocks()): readonly RawBlock[] {
  const chain: RawBlock[] = [];
  for (const [number, timestamp] of times.entries()) {
    const { block, receipts } = blocks[number % blocks.length] as (typeof blocks)[number];
    const { transactions, ...header } = block as Json & Pick<UnsealedBlock, 'transactions'>;
    const place = {
      number: hex(number),
      parentHash: chain.at(-1)?.header.hash ?? NO_HASH,
      timestamp: hex(timestamp),
    };
    chain.push(
      sealBlock(ETHEREUM, {
        header: {
          ...header,
          ...place,
          ...blobGasAfter(ETHEREUM, { ...header, ...place }, transactions, chain.at(-1)?.header),
        },
        transactions,
        receipts: (receipts as UnsealedBlock['receipts']).map((receipt) => ({
          ...receipt,
          blobGasPrice: undefined,
        })),
      }),
    );
  }
  return chain;
}
