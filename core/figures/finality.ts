import type { BlockRef } from './block.ts';

/** Evidence from the chain itself that a block is final. */
export type FinalityProof =
  /** Two thirds of Ethereum's sync committee signed that the beacon block `root` at `slot` is final, and it contains the block. */
  | { readonly kind: 'sync committee'; readonly slot: number; readonly root: string }
  /** Two thirds of BSC's validators voted for `source` and `target`, its child, which makes the source final. */
  | { readonly kind: 'fast finality'; readonly source: BlockRef; readonly target: BlockRef };

/** The reason why a block counts as final: evidence from the chain, or the hosts that reported it, sorted. */
export type Finality = FinalityProof | { readonly kind: 'reported'; readonly hosts: readonly string[] };

export const reportedBy = (hosts: readonly string[]): Finality => ({ kind: 'reported', hosts });
