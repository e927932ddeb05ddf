/**
 * A block as the rules need it, decoded: hashes and addresses are lower-case `0x` hex, gas and wei are bigint,
 * types are numbers. What a node leaves out is absent here too; whether that is an error is for the rules to say.
 */
export interface Block extends BlockHeader {
  readonly receipts: readonly Receipt[];
}

export interface BlockHeader extends BlockRef {
  readonly parentHash: string;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: number;
  readonly miner?: string | undefined;
  readonly transactionsRoot?: string | undefined;
  /** Transaction hashes, in the order of the block body. */
  readonly transactions: readonly string[];
}

export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

/** A block as an endpoint reported it, kept to cross-check other endpoints later. */
export interface SeenBlock extends BlockRef {
  /** Seconds. */
  readonly timestamp: number;
  /** Host of the endpoint. */
  readonly host: string;
}

/** A block that was counted; of one that was counted long ago only number and hash are known. */
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
  /** Wei per gas, from the transaction itself; read only where the receipt has no `effectiveGasPrice`. */
  readonly gasPrice?: bigint | null | undefined;
  readonly blobGasUsed?: bigint | null | undefined;
  readonly blobGasPrice?: bigint | null | undefined;
  /** OP stack, wei. Null on some receipts from before Bedrock that had no L1 charge. */
  readonly l1Fee?: bigint | null | undefined;
  /** OP stack since Isthmus. Nodes leave both out when both are zero. */
  readonly operatorFeeScalar?: bigint | null | undefined;
  readonly operatorFeeConstant?: bigint | null | undefined;
}
