import type { Chain } from '../chains/chains.ts';
import { type Unproven, unprovenOf } from '../chains/provable.ts';
import type { BlockHeader, ValidBlock } from '../figures/block.ts';
import { LAST_SECOND } from '../figures/calendar.ts';
import { dollarsOf, type PriceSource } from '../figures/dollars.ts';
import { bucketOf } from '../figures/fee-buckets.ts';
import { exceedAllCoins, NO_FEES, sumFees, totalFees } from '../figures/fee-parts.ts';
import { NO_MEASURES, sumMeasures } from '../figures/measures.ts';
import { mayContain } from './encoding/bloom.ts';
import { toCount, toHex } from './encoding/hex.ts';
import { keccak256 } from './encoding/keccak.ts';
import { ProofError } from './encoding/proof-error.ts';
import type { Transaction } from './fields/read-transactions.ts';
import type { Log, RpcHeader, StatedPrices } from './json/rpc-types.ts';
import { type BlockUpdates, updatesIn } from './price-updates.ts';
import { readBlobGas } from './prices/eip4844.ts';
import { type ProvenTransaction, priceContext, priceTransaction } from './prices/prices.ts';
import { withoutDonatedGas } from './prices/redeems.ts';
import { type GasReceipt, proveGas } from './receipts.ts';

/** The figures of a block, derived from data that hashes to `hash`, except for those that are `unproven`. */
export interface ProvenBlock extends BlockHeader {
  /** Present if L1 fees come from the receipts, as on OP Mainnet before Bedrock, or if the block was only checked. */
  readonly unproven: Unproven | undefined;
  readonly transactions: readonly ProvenTransaction[];
  /** The prices that an aggregator recorded in the block; absent if no aggregator is known. */
  readonly prices?: (BlockUpdates & PriceSource) | undefined;
}

/** A block with its totals, or a refusal with the first field that contradicts the hashes, or, in a checked block, another field. */
export type Proof =
  | { readonly proven: ProvenBlock; readonly sums: Pick<ValidBlock, 'totals' | 'feeBuckets' | 'dollars'> }
  | { readonly refused: ProofError };

/** Polygon's pseudo-transaction, if the body lists it. */
export const STATE_SYNC: ProvenTransaction = {
  type: 0,
  fees: NO_FEES,
  measures: NO_MEASURES,
  isProtocol: true,
};

/** Any real header states less. The gas of a year of such blocks fits the 38 digits that the table keeps. */
const MAX_GAS = 2n ** 64n;

/** Runs a proof or the checks of a block, which throw ProofError. */
export function proofOf(prove: () => ProvenBlock): Proof {
  try {
    const proven = prove();
    const { number, hash, timestamp, transactions, prices } = proven;
    const totals = {
      blocks: 1,
      transactions: transactions.length,
      protocolTransactions: transactions.filter(({ isProtocol }) => isProtocol).length,
      fees: sumFees(transactions.map((one) => one.fees)),
      measures: sumMeasures(transactions.map(({ measures }) => measures)),
    };
    if (exceedAllCoins(totals.fees))
      throw new ProofError('transactions', 'their fees are more than all coins');
    if ((totals.measures.gasUsed ?? 0n) >= MAX_GAS)
      throw new ProofError('gasUsed', 'it is more than 64 bits');
    // A retryable's submission pays no fee, because its redeem does.
    const paid = transactions.map(({ fees }) => totalFees(fees)).filter((fee) => fee > 0n);
    const fees = totalFees(totals.fees);
    const dollars = prices && dollarsOf(prices, { number, hash, timestamp, fees, ...prices });
    return { proven, sums: { totals, feeBuckets: paid.map(bucketOf), dollars } };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: error };
  }
}

/** Returns the part of a block that cannot be proven. @throws ProofError if that is everything */
export function unprovenIn({ rules }: Chain, header: RpcHeader): Unproven | undefined {
  const number = toCount(header.number, 'number');
  const unproven = unprovenOf(rules, number);
  if (unproven?.what !== 'everything') return unproven;
  throw new ProofError('number', `block ${number} cannot be proven: ${unproven.reason}`);
}

export const placeOf = ({ number, hash, parentHash, timestamp }: Place): Omit<BlockHeader, 'blobGas'> => ({
  number: toCount(number, 'number'),
  hash,
  parentHash: parentHash.toLowerCase(),
  timestamp: toCount(timestamp, 'timestamp', LAST_SECOND),
});

type Place = Pick<RpcHeader, 'number' | 'hash' | 'parentHash' | 'timestamp'>;

/** Returns the place of a block whose header is proven, with the members that the next block depends on. */
export const linkOf = (header: RpcHeader): BlockHeader => ({
  ...placeOf(header),
  blobGas: readBlobGas(header),
});

/** A block whose header has its hash, whose transactions have its transactionsRoot, and whose receipts its receiptsRoot. */
interface RootedBlock {
  readonly header: RpcHeader;
  readonly unproven: Unproven | undefined;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly GasReceipt[];
  readonly logsOf: (index: number) => readonly Log[];
  /** Returns at least the logs of a contract, by receipt. */
  readonly logsBy: (address: string) => readonly (readonly Log[])[];
  /** True if the body lists Polygon's pseudo-transaction. */
  readonly hasStateSync: boolean;
}

/**
 * Derives the figures of a block.
 * @param feed the feed whose prices are read, if any
 * @param confirm compares a transaction with what its receipt states
 */
export function proveFigures(
  chain: Chain,
  feed: PriceSource | undefined,
  { header, unproven, transactions, receipts, logsOf, logsBy, hasStateSync }: RootedBlock,
  confirm = (priced: ProvenTransaction, _stated: StatedPrices, _index: number) => priced,
): ProvenBlock {
  // First, because a field of a fork that the chain does not have would leave out checks of gas.
  const context = priceContext(chain, header, transactions);
  const gas = proveGas(header, transactions, receipts);
  const proven = transactions.map((transaction, index) => {
    const outcome = { gasUsed: gas[index] as bigint, isFailed: receipts[index]?.isFailed };
    const { priced, stated } = priceTransaction(context, transaction, outcome, index);
    return confirm(priced, stated, index);
  });
  const net = withoutDonatedGas(chain.rules, proven, {
    hashOf: (index) => toHex(keccak256((transactions[index] as Transaction).payload)),
    limitOf: (index) => transactions[index]?.gas,
    logsOf,
    baseFee: context.baseFee,
  });
  const logs = feed && mayContain(header.logsBloom, feed.aggregator) ? logsBy(feed.aggregator) : [];
  return {
    ...linkOf(header),
    unproven,
    transactions: hasStateSync ? [...net, STATE_SYNC] : net,
    prices: feed && { ...feed, ...updatesIn(logs, feed.aggregator, Number(header.timestamp)) },
  };
}
