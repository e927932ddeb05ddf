import type { Chain } from '../chains/chains.ts';
import { type Fees, NO_FEES } from '../chains/fee-parts.ts';
import { type Unproven, unprovenOf } from '../chains/provable.ts';
import { hashedBody } from './hashed-body.ts';
import { proveHeader } from './header.ts';
import { toCount } from './hex.ts';
import { type PriceContext, priceContext } from './price-context.ts';
import { priceTransaction, type StatedPrices } from './prices.ts';
import { proveReceipts } from './receipts.ts';
import { type HashedTransaction, proveTransactions } from './transactions.ts';
import {
  ProofError,
  type Refusal,
  type RpcBlock,
  type RpcReceipt,
  type RpcTransaction,
  refusalOf,
} from './types.ts';

/** The figures of a block, derived from data that hashes to `hash`. */
export interface ProvenBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds. */
  readonly timestamp: number;
  /** Present where the L1 fees are those that the receipts state, on OP Mainnet before Bedrock; all else is proven there too. */
  readonly unproven: Unproven | undefined;
  readonly transactions: readonly ProvenTransaction[];
}

export interface ProvenTransaction {
  readonly hash: string;
  readonly type: number;
  readonly gasUsed: bigint;
  readonly fees: Fees;
  /** True for transactions that the protocol itself put into the block. */
  readonly isProtocol: boolean;
}

/**
 * Derives the figures of a block from the two answers of a node, if they hash to the block's hash. The caller must know from
 * elsewhere that this hash is final, and have awaited `loadKeccak`.
 * @returns the block, or the first field that contradicts the hashes
 */
export function proveBlock(
  chain: Chain,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): { readonly proven: ProvenBlock } | { readonly refused: Refusal } {
  try {
    return { proven: prove(chain, block, receipts) };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: refusalOf(error) };
  }
}

function prove(chain: Chain, block: RpcBlock, receipts: readonly RpcReceipt[]): ProvenBlock {
  const number = toCount(block.number, 'number');
  const unproven = unprovenOf(chain.rules, number);
  if (unproven?.what === 'everything') {
    throw new ProofError('number', `block ${number} cannot be proven: ${unproven.reason}`);
  }
  const hash = proveHeader(block);
  const body = hashedBody(chain, number, hash, block, receipts);
  const hashed = proveTransactions(chain, body.transactions, block.transactionsRoot);
  const gas = proveReceipts(chain.rules, block, hashed, body.receipts);
  const context = priceContext(chain, block);
  const proven = hashed.map((transaction, index) => {
    const receipt = body.receipts[index] as RpcReceipt;
    const source = body.transactions[index] as RpcTransaction;
    const priced = price(context, source, transaction, gas[index] as bigint, receipt, index);
    return unproven ? withStatedL1Fee(priced, receipt, index) : priced;
  });
  return {
    number,
    hash,
    parentHash: block.parentHash.toLowerCase(),
    timestamp: toCount(block.timestamp, 'timestamp'),
    unproven,
    transactions: body.stateSyncHash ? [...proven, stateSync(body.stateSyncHash)] : proven,
  };
}

function price(
  context: PriceContext,
  source: RpcTransaction,
  hashed: HashedTransaction,
  gasUsed: bigint,
  receipt: RpcReceipt,
  index: number,
): ProvenTransaction {
  const { fees, isProtocol, stated } = priceTransaction(context, source, hashed, gasUsed, index);
  checkStated(stated, receipt, index);
  return { hash: hashed.hash, type: hashed.type, gasUsed, fees, isProtocol };
}

/** @throws ProofError when a receipt states another value than the one that follows from the hashes */
function checkStated(derived: StatedPrices, receipt: RpcReceipt, index: number): void {
  for (const name of Object.keys(derived) as (keyof StatedPrices)[]) {
    const given = receipt[name];
    if (given === undefined || given === null || BigInt(given) === derived[name]) continue;
    throw new ProofError(
      `receipts[${index}].${name}`,
      `${given} is not ${derived[name]}, which follows from the block`,
    );
  }
}

/** Nodes state null for transactions without an L1 charge. A fee that is left out never counts as 0. */
function withStatedL1Fee(
  transaction: ProvenTransaction,
  { l1Fee }: RpcReceipt,
  index: number,
): ProvenTransaction {
  if (l1Fee === undefined) throw new ProofError(`receipts[${index}].l1Fee`, 'the node left it out');
  return { ...transaction, fees: { ...transaction.fees, l1Data: BigInt(l1Fee ?? 0) } };
}

const stateSync = (hash: string): ProvenTransaction => ({
  hash,
  type: 0,
  gasUsed: 0n,
  fees: NO_FEES,
  isProtocol: true,
});
