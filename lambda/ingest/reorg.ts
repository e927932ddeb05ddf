import type { KnownBlock } from '../chains/block.ts';
import { crossCheck } from './cross-check.ts';
import type { Source } from './endpoint-probe.ts';

/*
 * Reorg handling. Only finalized blocks are read, so a reorg means that an endpoint returned an orphaned block. The last block
 * that was counted is cross-checked when its child does not fit, and at the end of each day. If it is orphaned, the run
 * discards the progress of the day, and the next run reads the day from its start. A final day is never changed by this: a
 * person restates it.
 */

/** The block that all later blocks build on is orphaned: no endpoint has it on its finalized chain any more. */
export class OrphanedBlockError extends Error {
  override readonly name = 'OrphanedBlockError';

  constructor(chain: string, { number, hash, host }: KnownBlock) {
    super(
      `${chain} block ${number} is orphaned: ${host ?? 'an endpoint'} returned ${hash}, and no endpoint has that block any more. ` +
        'The next run reads the day again from its start. If it is the last block of a final day, restate that day.',
    );
  }
}

/**
 * Cross-checks a block that was counted.
 * @throws OrphanedBlockError when it is no longer canonical; the errors of `crossCheck`
 */
export async function assertCanonical(source: Source, block: KnownBlock): Promise<void> {
  if ((await crossCheck(source, block)) === 'orphaned') {
    throw new OrphanedBlockError(source.chain.name, block);
  }
}
