import type { Chain } from '../chains/chains.ts';
import type { PriceSource } from '../figures/dollars.ts';
import { toCount } from './encoding/hex.ts';
import { ProofError } from './encoding/proof-error.ts';
import { proveTransactions } from './fields/transactions.ts';
import { hashedBody } from './hashed-body.ts';
import { proveHeader } from './header.ts';
import type { RpcBlock, RpcReceipt, RpcTransaction } from './json/rpc-types.ts';
import { pricesIn } from './price-updates.ts';
import { priceContext } from './prices/price-context.ts';
import type { StatedPrices } from './prices/prices.ts';
import {
  linkOf,
  type Outcome,
  type Proof,
  type ProvenBlock,
  type ProvenTransaction,
  price,
  proofOf,
  STATE_SYNC,
  unprovenIn,
} from './proven-block.ts';
import { proveReceipts } from './receipts.ts';
import { withoutDonatedGas } from './redeems.ts';

/**
 * Derives the figures of a block from the two answers of a node, if they hash to the block's hash. The caller must know
 * that this hash is final, and must have awaited `loadKeccak`.
 * @param feed the feed whose prices are read; none by default
 */
export const proveBlock = (
  chain: Chain,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  feed?: PriceSource,
): Proof => proofOf(() => prove(chain, block, receipts, feed));

function prove(
  chain: Chain,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  feed: PriceSource | undefined,
): ProvenBlock {
  const unproven = unprovenIn(chain, block);
  const hash = proveHeader(block, chain.rules);
  const number = toCount(block.number, 'number');
  const body = hashedBody(chain, number, hash, block, receipts);
  const hashed = proveTransactions(chain, body.transactions, block.transactionsRoot);
  const outcomes = proveReceipts(chain.rules, block, hashed, body.receipts, body.transactions);
  const context = priceContext(chain, block);
  const proven = hashed.map((transaction, index) => {
    const receipt = body.receipts[index] as RpcReceipt;
    const source = body.transactions[index] as RpcTransaction;
    const { priced, stated } = price(context, source, transaction, outcomes[index] as Outcome, index);
    checkStated(stated, receipt, index);
    return unproven ? withStatedL1Fee(priced, receipt, index) : priced;
  });
  const logs = body.receipts.map((receipt) => receipt.logs ?? []);
  const net = withoutDonatedGas(chain.rules, proven, {
    hashOf: (index) => hashed[index]?.hash ?? '',
    limitOf: (index) => body.transactions[index]?.gas,
    logsOf: (index) => logs[index] ?? [],
    baseFee: context.baseFee,
  });
  return {
    ...linkOf(block, hash),
    prices: feed && { ...feed, ...pricesIn(block, logs, feed.aggregator) },
    unproven,
    transactions: body.hasStateSync ? [...net, STATE_SYNC] : net,
  };
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

/** Takes the L1 fee from the receipt, where null means that none was charged. A missing fee never counts as 0. */
function withStatedL1Fee(
  transaction: ProvenTransaction,
  { l1Fee }: RpcReceipt,
  index: number,
): ProvenTransaction {
  if (l1Fee === undefined) throw new ProofError(`receipts[${index}].l1Fee`, 'the node left it out');
  return { ...transaction, fees: { ...transaction.fees, l1Data: BigInt(l1Fee ?? 0) } };
}
