import type { DollarSums } from './dollars.ts';
import type { Totals } from './totals.ts';

export interface BlockHeader extends BlockRef {
  readonly parentHash: string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
  /** Absent if the header has none, or if its hash does not cover it. */
  readonly blobGas?: BlobGas | undefined;
}

/** The members of a header from which the price of blobs in the next block follows. */
export interface BlobGas {
  readonly excess: bigint;
  readonly used: bigint;
  /** Wei per gas. */
  readonly baseFee: bigint;
}

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

/** A valid block, reduced to its sums and its place in the chain. */
export interface ValidBlock extends BlockHeader {
  readonly totals: Totals;
  /** The bucket of the fee of each transaction that pays one (`fee-buckets.ts`). */
  readonly feeBuckets: readonly number[];
  /** The fees in dollars; absent if no aggregator is known. */
  readonly dollars?: DollarSums | undefined;
  /** True when every figure follows from the block's hash. */
  readonly isProven: boolean;
  /** True when a receipt states a price of blobs or of L1 data, and it equals the one that we derived. */
  readonly isPriceStated?: true;
}

/** A valid block with the host of the endpoint that gave it. */
export interface SummedBlock extends ValidBlock {
  readonly host: string;
}

/** Evidence from the chain itself that a block is final. */
export type FinalityProof =
  /** Two thirds of a sync committee of the beacon chain signed that the beacon block `root` at `slot` is final, and it contains the block. */
  | { readonly kind: 'sync committee'; readonly slot: number; readonly root: string }
  /** Two thirds of BSC's validators voted for `source` and `target`, its child, which makes the source final. */
  | { readonly kind: 'fast finality'; readonly source: BlockRef; readonly target: BlockRef };

/** The reason why a block counts as final: evidence from the chain, or the hosts that reported it, sorted. */
export type Finality = FinalityProof | { readonly kind: 'reported'; readonly hosts: readonly string[] };

export const reportedBy = (hosts: readonly string[]): Finality => ({ kind: 'reported', hosts });

/** Describes a block, such as `8 (0x2c6a1b3d…)`. */
export const describeBlock = ({ number, hash }: BlockRef): string => `${number} (${abbreviate(hash)})`;

export const abbreviate = (hash: string): string => `${hash.slice(0, 10)}…`;
