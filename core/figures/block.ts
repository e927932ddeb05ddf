import type { Totals } from './totals.ts';

/** A block's header. */
export interface BlockHeader extends BlockRef {
  readonly parentHash: string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
}

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

/** A valid block, reduced to its sums and its place in the chain. */
export interface ValidBlock extends BlockHeader {
  readonly totals: Totals;
  /** True when every figure follows from the block's hash. */
  readonly isProven: boolean;
}

/** A valid block with the host of the endpoint that gave it. */
export interface SummedBlock extends ValidBlock {
  readonly host: string;
}
