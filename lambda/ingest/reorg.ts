import type { KnownBlock } from '../chains/block.ts';
import type { Orphaned } from './outcomes.ts';

/**
 * Reports a reorg of counted blocks: a cross-check (blocks/cross-check.ts) found that no endpoint has the last counted block any more.
 * The checkpoint that ends with it is discarded, and the next run reads the day again. Where the block ends a final day, an operator
 * must restate that day.
 */
export const orphaned = (chain: string, { number, hash, host }: KnownBlock): Orphaned => ({
  kind: 'orphaned',
  reason:
    `${chain} block ${number}, read as ${hash}${host ? ` from ${host}` : ''}, was reorged: no endpoint has it any more. ` +
    'The next run reads the day from its start. If this block ends a final day, restate that day.',
});
