import type { Account } from './random-signatures.ts';

/** The position of a block in a random chain, and what its header says of prices. */
export interface BlockPlace {
  readonly number: number;
  /** Seconds. */
  readonly timestamp: number;
  /** Seconds: the L1 attributes of a block have the layout that its parent's time calls for. */
  readonly parentTimestamp: number;
  readonly chainId: number;
  readonly miner: Account;
  /** Ethereum before Byzantium: only legacy transactions, and receipts with `root` in place of `status`. */
  readonly isOld: boolean;
  /** Number of members that forks have appended to the header: baseFeePerGas is the first of eight. */
  readonly appended: number;
  /** Wei; absent before London. */
  readonly baseFee?: bigint | undefined;
  /** Absent before Cancun. */
  readonly blobs?: BlobPrices | undefined;
}

interface BlobPrices {
  readonly excessBlobGas: bigint;
  /** Wei per blob gas. */
  readonly price: bigint;
  /** Most blobs of the block. */
  readonly max: number;
}
