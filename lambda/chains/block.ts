/**
 * A decoded block: hashes and addresses are lower-case `0x` hex, gas and wei are bigint, types are numbers. A field that
 * the node omits is absent here too; the rules decide whether that is an error.
 */
export interface Block extends BlockHeader {
  readonly miner?: string | undefined;
  readonly transactionsRoot?: string | undefined;
  /** Transaction hashes, in the order of the block body. */
  readonly transactions: readonly string[];
  readonly receipts: readonly Receipt[];
}

export interface BlockHeader extends BlockRef {
  readonly parentHash: string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
}

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

/** A block as one endpoint reported it, so that a cross-check can compare it with others. */
export interface SeenBlock extends BlockRef {
  /** Seconds. */
  readonly timestamp: number;
  readonly host: string;
}

/** A block that is counted. Of blocks before the current run, only number and hash may be known. */
export interface KnownBlock extends BlockRef {
  readonly timestamp?: number | undefined;
  readonly host?: string | undefined;
}

export interface Receipt {
  readonly transactionHash: string;
  readonly transactionIndex: number;
  readonly blockHash: string;
  readonly blockNumber: number;
  /** EIP-2718 transaction type; 0 is a legacy transaction. */
  readonly type: number;
  readonly from: string;
  /** Absent when the transaction creates a contract. */
  readonly to?: string | null | undefined;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** Wei per gas. */
  readonly effectiveGasPrice?: bigint | null | undefined;
  /** Wei per gas, from the transaction itself; present only if the receipt has no `effectiveGasPrice`. */
  readonly gasPrice?: bigint | null | undefined;
  readonly blobGasUsed?: bigint | null | undefined;
  readonly blobGasPrice?: bigint | null | undefined;
  /** OP Stack, wei. Null on some receipts from before Bedrock without an L1 charge. */
  readonly l1Fee?: bigint | null | undefined;
  /** OP Stack since Isthmus. Nodes omit both when both are zero. */
  readonly operatorFeeScalar?: bigint | null | undefined;
  readonly operatorFeeConstant?: bigint | null | undefined;
}
