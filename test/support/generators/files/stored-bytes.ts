import type { Chain } from '#core/chains/chains.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import { bytesOf } from '#test/support/generators/blocks/block-bytes.ts';
import { isInBody, type RandomBlock } from '#test/support/generators/random/random-block.ts';

/** Returns the bytes of a random block as the node of its chain stores them. */
export function storedBytes(chain: Chain, block: RandomBlock): BlockBytes {
  const { rules } = chain;
  const hasTable = rules.family === 'polygon' && Number(block.header.number) < rules.stateSyncTypeFrom;
  const inBody = isInBody(block);
  const hashed = inBody && hasTable ? block.transactions.slice(0, -1) : block.transactions;
  const bytes = bytesOf(chain, {
    header: block.header,
    transactions: hashed,
    receipts: block.receipts.slice(0, hashed.length),
  });
  return hasTable ? { ...bytes, hasStateSync: inBody } : bytes;
}
