import type { Block, Receipt } from '../../chains/block.ts';
import { BlockError } from '../../chains/block-error.ts';
import type { Chain } from '../../chains/chains.ts';
import { isStateSync } from '../../chains/protocol-transactions.ts';
import { stateSyncHash } from '../../proof/state-sync.ts';
import { type ArbosHeader, checkArbosRules } from '../../proof/tripwires.ts';
import {
  address,
  count,
  type Decode,
  hash,
  list,
  object,
  optional,
  quantity,
  timestamp,
} from '../../rpc/decode.ts';
import { boundProblem, offer } from './price-bounds.ts';

/*
 * Consistency checks for blocks that cannot be proven (lambda/chains/provable.ts), and for chains whose operator accepts them.
 * They find responses that do not belong together, but not a node that lies consistently.
 */

/** At 21,000 gas each, as many transactions need several times the gas limit of any supported chain. */
const MOST_TRANSACTIONS = 100_000;

const body = object({ hash });
const transaction = (value: unknown) => ({ ...body(value), offered: offer(value) });
const block = object({
  number: count,
  hash,
  parentHash: hash,
  timestamp,
  miner: optional(address),
  transactionsRoot: optional(hash),
  baseFeePerGas: optional(quantity),
  transactions: list(transaction, MOST_TRANSACTIONS),
});
const receipts: Decode<readonly Receipt[]> = list(
  object({
    transactionHash: hash,
    transactionIndex: count,
    blockHash: hash,
    blockNumber: count,
    type: count,
    from: address,
    to: optional(address),
    gasUsed: quantity,
    cumulativeGasUsed: quantity,
    effectiveGasPrice: optional(quantity),
    blobGasUsed: optional(quantity),
    blobGasPrice: optional(quantity),
    l1Fee: nullable(quantity),
    operatorFeeScalar: optional(quantity),
    operatorFeeConstant: optional(quantity),
  }),
  MOST_TRANSACTIONS + 1,
);

/** Optimism before Bedrock: null means that no L1 fee was charged, and absent that the node left it out. */
function nullable<T>(decode: Decode<T>): Decode<T | null | undefined> {
  return (value) => (value === null || value === undefined ? value : decode(value));
}

/**
 * Checks that a block and receipts, which may come from different machines behind one address, belong together: one receipt for
 * each transaction of the body, in order.
 * @param given the block, not decoded
 * @param givenReceipts its receipts, not decoded
 * @returns the block with just the receipts of its body; Polygon's state-sync pseudo-transaction has none
 * @throws DecodeError, BlockError with the contradiction, or ProofError when ArbOS has changed its rules
 */
export function checkBlock(chain: Chain, number: number, given: unknown, givenReceipts: unknown): Block {
  const { transactions: bodies, ...header } = block(given);
  const refuse = (problem: string, transaction?: string): never => {
    throw new BlockError({ chain: chain.name, block: number, ...(transaction && { transaction }) }, problem);
  };
  if (header.number !== number) refuse(`the node answered with block ${header.number}`);
  // Before the bounds: a block with newer rules may exceed them.
  if (chain.rules.family === 'arbitrum') checkArbosRules(chain.rules, given as ArbosHeader);
  const hashes = bodies.map((body) => body.hash);
  const hollow = hashes.length === 0 && emptinessProblem(chain, header);
  if (hollow) refuse(hollow);
  const counted = withoutStateSync(chain, { ...header, hashes }, receipts(givenReceipts));
  if (counted.receipts.length !== counted.hashes.length) {
    refuse(`${counted.hashes.length} transactions, but ${counted.receipts.length} receipts`);
  }
  checkReceipts(chain, { ...header, hashes: counted.hashes }, counted.receipts, refuse);
  const priced = counted.receipts.map((receipt, index) => {
    const offered = bodies[index]?.offered;
    const problem = offered && boundProblem(chain.rules, header, receipt, offered);
    if (problem) refuse(problem, receipt.transactionHash);
    // For the types that name a single price, the transaction has it where an old receipt has none.
    return { ...receipt, gasPrice: offered?.gasPrice };
  });
  const { baseFeePerGas: _, ...ref } = header;
  return { ...ref, transactions: hashes, receipts: priced };
}

type Header = Omit<ReturnType<typeof block>, 'transactions'>;
type HeaderWithHashes = Header & { readonly hashes: readonly string[] };

function checkReceipts(
  chain: Chain,
  { number, hash: blockHash, hashes }: HeaderWithHashes,
  all: readonly Receipt[],
  refuse: (problem: string, transaction: string) => void,
): void {
  let gasBefore = 0n;
  for (const [index, receipt] of all.entries()) {
    const { transactionHash, gasUsed, cumulativeGasUsed } = receipt;
    if (transactionHash !== hashes[index]) {
      refuse(`receipt ${index} is not that of transaction ${hashes[index]}`, transactionHash);
    }
    if (receipt.blockHash !== blockHash) {
      refuse(`receipt of block hash ${receipt.blockHash}, not ${blockHash}`, transactionHash);
    }
    if (receipt.blockNumber !== number) refuse(`receipt of block ${receipt.blockNumber}`, transactionHash);
    if (receipt.transactionIndex !== index) {
      refuse(`receipt ${index} has index ${receipt.transactionIndex}`, transactionHash);
    }
    // Some nodes give a state-sync pseudo-transaction, which used no gas, a cumulativeGasUsed of 0.
    if (chain.rules.family === 'polygon' && isStateSync(receipt)) continue;
    if (cumulativeGasUsed !== gasBefore + gasUsed) {
      refuse(
        `cumulativeGasUsed ${cumulativeGasUsed} does not follow ${gasBefore} by gasUsed ${gasUsed}`,
        transactionHash,
      );
    }
    gasBefore = cumulativeGasUsed;
  }
}

/** Root of an empty Merkle Patricia trie, keccak256(rlp('')). */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** Returns why a block must have transactions, or undefined if it may have none. */
function emptinessProblem({ rules }: Chain, { number, transactionsRoot }: Header): string | undefined {
  if (transactionsRoot !== undefined && transactionsRoot !== EMPTY_ROOT) {
    return 'no transactions, but a transactionsRoot that is not empty';
  }
  const alwaysFilledAfter =
    rules.family === 'op-stack'
      ? rules.bedrockBlock
      : rules.family === 'arbitrum'
        ? rules.nitroBlock
        : Infinity;
  return number > alwaysFilledAfter
    ? 'no transactions, but every block of this chain begins with a protocol transaction'
    : undefined;
}

/** Nodes disagree about Polygon's state-sync pseudo-transaction: what the body lists counts, with just the hash that follows from the block's. */
function withoutStateSync(
  { rules }: Chain,
  { number, hash: blockHash, hashes }: HeaderWithHashes,
  all: readonly Receipt[],
): { readonly hashes: readonly string[]; readonly receipts: readonly Receipt[] } {
  if (rules.family !== 'polygon' || number >= rules.stateSyncTypeFrom) return { hashes, receipts: all };
  const stateSync = stateSyncHash(number, blockHash);
  const inBody = hashes.at(-1) === stateSync;
  const inReceipts = all.at(-1)?.transactionHash === stateSync || (inBody && all.length === hashes.length);
  return {
    hashes: inBody ? hashes.slice(0, -1) : hashes,
    receipts: inReceipts ? all.slice(0, -1) : all,
  };
}
