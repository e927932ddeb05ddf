import type { Chain } from '../chains/chains.ts';
import type { PriceSource } from '../figures/dollars.ts';
import { toCount } from './encoding/hex.ts';
import { inElement, ProofError } from './encoding/proof-error.ts';
import { readTransactions } from './fields/read-transactions.ts';
import { proveTransactions } from './fields/transactions.ts';
import { hashedBody } from './hashed-body.ts';
import { proveHeader } from './header.ts';
import type { RpcBlock, RpcReceipt, StatedPrices } from './json/rpc-types.ts';
import { statedL1Fee } from './prices/l1-fee.ts';
import type { ProvenTransaction } from './prices/prices.ts';
import { type Proof, proofOf, proveFigures, unprovenIn } from './proven-block.ts';
import { proveReceipts } from './receipts.ts';

/**
 * Derives the figures of a block from the two answers of a node, if they hash to the block's hash. The caller must know it to be final.
 * @param feed the feed whose prices are read; none by default
 */
export const proveBlock = (
  chain: Chain,
  block: RpcBlock,
  given: readonly RpcReceipt[],
  feed?: PriceSource,
): Proof =>
  proofOf(() => {
    const unproven = unprovenIn(chain, block);
    const hash = proveHeader(block, chain.rules);
    const number = toCount(block.number, 'number');
    const { transactions, receipts, hasStateSync } = hashedBody(chain, number, hash, block, given);
    const hashed = proveTransactions(chain, transactions, block.transactionsRoot);
    const payloads = hashed.map(({ payload }) => payload);
    const rooted = {
      header: { ...block, hash },
      unproven,
      transactions: readTransactions(chain, payloads),
      receipts: proveReceipts(chain.rules, block, hashed, receipts),
      logsOf: (index: number) => receipts[index]?.logs ?? [],
      logsBy: () => receipts.map(({ logs = [] }) => logs),
      hasStateSync,
    };
    return proveFigures(chain, feed, rooted, (priced, stated, index) =>
      inElement('receipts', index, () => {
        const receipt = receipts[index] as RpcReceipt;
        checkStated(stated, receipt);
        return unproven ? withStatedL1Fee(priced, receipt) : priced;
      }),
    );
  });

const FORK_HINT = '; if every endpoint reports it, this chain has forked: update Chain Insights';

/** @throws ProofError when a receipt states another value than the one that follows from the hashes */
function checkStated(derived: StatedPrices, receipt: RpcReceipt): void {
  for (const name of Object.keys(derived) as (keyof StatedPrices)[]) {
    const given = receipt[name];
    if (given === undefined || given === null || BigInt(given) === derived[name]) continue;
    const problem = `${BigInt(given)} is not ${derived[name]}, which follows from the block`;
    throw new ProofError(name, name === 'blobGasPrice' ? problem + FORK_HINT : problem);
  }
}

/** Takes the L1 fee from the receipt. */
const withStatedL1Fee = (transaction: ProvenTransaction, { l1Fee }: RpcReceipt): ProvenTransaction => ({
  ...transaction,
  fees: { ...transaction.fees, l1Data: statedL1Fee(l1Fee, transaction.fees.execution > 0n) },
});
