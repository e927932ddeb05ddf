import type { Chain } from '../chains/chains.ts';
import { type Unproven, unprovenOf } from '../chains/provable.ts';
import type { BlockHeader, ValidBlock } from '../figures/block.ts';
import { LAST_SECOND } from '../figures/calendar.ts';
import { type DollarSums, dollarsOf, type PriceSource } from '../figures/dollars.ts';
import { bucketOf } from '../figures/fee-buckets.ts';
import { exceedAllCoins, type Fees, NO_FEES, sumFees, totalFees } from '../figures/fee-parts.ts';
import { type Measures, NO_MEASURES, sumMeasures } from '../figures/measures.ts';
import type { Totals } from '../figures/totals.ts';
import { toCount } from './encoding/hex.ts';
import { ProofError, type Refusal, refusalOf } from './encoding/proof-error.ts';
import type { HashedTransaction } from './fields/transactions.ts';
import type { PricedMembers, RpcHeader } from './json/rpc-types.ts';
import type { BlockUpdates } from './price-updates.ts';
import { readBlobGas } from './prices/eip4844.ts';
import type { PriceContext } from './prices/price-context.ts';
import { priceTransaction, type StatedPrices } from './prices/prices.ts';

/** The figures of a block, derived from data that hashes to `hash`, except for those that are `unproven`. */
export interface ProvenBlock extends BlockHeader {
  /** Present if L1 fees come from the receipts, as on OP Mainnet before Bedrock, or if the block was only checked. */
  readonly unproven: Unproven | undefined;
  readonly transactions: readonly ProvenTransaction[];
  /** The prices that an aggregator recorded in the block; absent if no aggregator is known. */
  readonly prices?: (BlockUpdates & PriceSource) | undefined;
}

export interface ProvenTransaction {
  readonly type: number;
  readonly fees: Fees;
  readonly measures: Measures;
  /** True for transactions that the protocol itself put into the block. */
  readonly isProtocol: boolean;
}

/** A block with its totals, or a refusal with the first field that contradicts the hashes, or, in a checked block, another field. */
export type Proof =
  | { readonly proven: ProvenBlock; readonly sums: Pick<ValidBlock, 'totals' | 'feeBuckets' | 'dollars'> }
  | { readonly refused: Refusal };

/** Polygon's pseudo-transaction, if the body lists it. */
export const STATE_SYNC: ProvenTransaction = {
  type: 0,
  fees: NO_FEES,
  measures: NO_MEASURES,
  isProtocol: true,
};

const totalsOf = ({ transactions }: ProvenBlock): Totals => ({
  blocks: 1,
  transactions: transactions.length,
  protocolTransactions: transactions.filter(({ isProtocol }) => isProtocol).length,
  fees: sumFees(transactions.map(({ fees }) => fees)),
  measures: sumMeasures(transactions.map(({ measures }) => measures)),
});

/** Lists the buckets of transactions that pay a fee. A retryable's submission pays none, because its redeem does. */
const feeBucketsOf = ({ transactions }: ProvenBlock): number[] =>
  transactions
    .map(({ fees }) => totalFees(fees))
    .filter((fee) => fee > 0n)
    .map(bucketOf);

/** Any real header states less. The gas of a year of such blocks fits the 38 digits that the table keeps. */
const MAX_GAS = 2n ** 64n;

/** Runs a proof or the checks of a block, which throw ProofError. */
export function proofOf(prove: () => ProvenBlock): Proof {
  try {
    const proven = prove();
    const totals = totalsOf(proven);
    if (exceedAllCoins(totals.fees))
      throw new ProofError('transactions', 'their fees are more than all coins');
    if ((totals.measures.gasUsed ?? 0n) >= MAX_GAS)
      throw new ProofError('gasUsed', 'it is more than 64 bits');
    return { proven, sums: { totals, feeBuckets: feeBucketsOf(proven), dollars: dollarsIn(proven, totals) } };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { refused: refusalOf(error) };
  }
}

const dollarsIn = (
  { number, hash, timestamp, prices }: ProvenBlock,
  { fees }: Totals,
): DollarSums | undefined =>
  prices && dollarsOf(prices, { number, hash, timestamp, fees: totalFees(fees), ...prices });

/** Returns the part of a block that cannot be proven. @throws ProofError if that is everything */
export function unprovenIn({ rules }: Chain, header: RpcHeader): Unproven | undefined {
  const number = toCount(header.number, 'number');
  const unproven = unprovenOf(rules, number);
  if (unproven?.what !== 'everything') return unproven;
  throw new ProofError('number', `block ${number} cannot be proven: ${unproven.reason}`);
}

export const placeOf = (
  { number, parentHash, timestamp }: Pick<RpcHeader, 'number' | 'parentHash' | 'timestamp'>,
  hash: string,
) => ({
  number: toCount(number, 'number'),
  hash,
  parentHash: parentHash.toLowerCase(),
  timestamp: toCount(timestamp, 'timestamp', LAST_SECOND),
});

/** Returns the place of a block whose header is proven, with the members that the next block depends on. */
export const linkOf = (header: RpcHeader, hash: string): BlockHeader => ({
  ...placeOf(header, hash),
  blobGas: readBlobGas(header),
});

/** The outcome of a transaction, from its receipt. */
export interface Outcome {
  readonly gasUsed: bigint;
  /** Undefined before Byzantium, when receipts had a state root instead of a status (EIP-658). */
  readonly isFailed: boolean | undefined;
}

interface Measured extends Outcome {
  readonly blobs: bigint | undefined;
  /** Wei per gas. */
  readonly price: bigint;
  /** Wei per gas; undefined if it is not known. */
  readonly baseFee: bigint | undefined;
}

/** Returns the measures of one transaction. @param fees the fees that it paid, which may be 0 regardless of its gas */
export const measuresOf = (fees: Fees, { gasUsed, isFailed, blobs, price, baseFee }: Measured): Measures => ({
  gasUsed,
  failedTransactions: isFailed === undefined ? undefined : BigInt(isFailed),
  priorityFees:
    fees.execution === 0n
      ? 0n
      : baseFee === undefined
        ? undefined
        : gasUsed * (price > baseFee ? price - baseFee : 0n),
  blobs,
});

export function price(
  context: PriceContext,
  source: PricedMembers,
  hashed: Pick<HashedTransaction, 'type' | 'payload'>,
  outcome: Outcome,
  index: number,
): { readonly priced: ProvenTransaction; readonly stated: StatedPrices } {
  const { fees, isProtocol, price, blobs, stated } = priceTransaction(
    context,
    source,
    hashed,
    outcome.gasUsed,
    index,
  );
  // Before London, nothing was burned.
  const measures = measuresOf(fees, { ...outcome, blobs, price, baseFee: context.baseFee ?? 0n });
  return { priced: { type: hashed.type, fees, measures, isProtocol }, stated };
}
