import { type Fees, NO_FEES } from '../../lambda/chains/fee-parts.ts';
import { addressOf } from './builders.ts';
import type { Random } from './random.ts';

/** A generated transaction with its expected fees, computed from the definitions and not by the rules under test. */
export interface RandomTransaction {
  readonly type: number;
  readonly from: string;
  /** Null for a contract creation. */
  readonly to: string | null;
  readonly gasUsed: bigint;
  /** `effectiveGasPrice` of the receipt, wei per gas. */
  readonly price: bigint;
  /** `gasPrice` of the transaction, wei per gas. */
  readonly gasPrice: bigint;
  /** False when the receipt omits `effectiveGasPrice`. */
  readonly isPriceInReceipt: boolean;
  readonly succeeded: boolean;
  /** Further quantities of the receipt, by field. */
  readonly fields: Readonly<Record<string, bigint | null>>;
  readonly isProtocol: boolean;
  /** In wei. */
  readonly paid: Fees;
}

/** The position of generated transactions in a random chain. */
export interface BlockPlace {
  readonly number: number;
  /** Seconds. */
  readonly timestamp: number;
  readonly miner: string;
  /** Ethereum before Byzantium: only legacy transactions, and receipts with `root` in place of `status`. */
  readonly isOld: boolean;
}

export const [LEGACY, ACCESS_LIST, DYNAMIC_FEE, BLOB, SET_CODE] = [0, 1, 2, 3, 4] as const;

export const randomAddress = (random: Random): string => addressOf(`${random.bigintBelow(2n ** 64n)}`);

/** Generates a price or an amount of any size, including 0 and values beyond 2^53. */
export const randomAmount = (random: Random): bigint =>
  random.bigintBelow(10n ** random.pick([0n, 3n, 9n, 12n, 15n, 19n]));

export const randomGas = (random: Random): bigint =>
  BigInt(21_000 + random.below(random.pick([1, 100_000, 30_000_000])));

/** Generates a user transaction of one of the types, which pays only for its gas. */
export function userTransaction(
  random: Random,
  types: readonly number[],
  given: Partial<Omit<RandomTransaction, 'paid'>> = {},
): RandomTransaction {
  const drawn = {
    type: random.pick(types),
    from: randomAddress(random),
    to: random.chance(0.15) ? null : randomAddress(random),
    gasUsed: randomGas(random),
    price: randomAmount(random),
    isPriceInReceipt: true,
    succeeded: random.chance(0.8),
    fields: {},
    isProtocol: false,
    ...given,
  };
  return {
    gasPrice: drawn.price,
    ...drawn,
    paid: { ...NO_FEES, execution: drawn.gasUsed * drawn.price },
  };
}

/**
 * Omits the price from some receipts, only if the transaction has a single price that it pays.
 */
export function perhapsWithoutPrice(
  random: Random,
  place: BlockPlace,
  transaction: RandomTransaction,
): RandomTransaction {
  const namesThePrice = transaction.type === LEGACY || transaction.type === ACCESS_LIST;
  const isPriceInReceipt = !(namesThePrice && random.chance(place.isOld ? 0.4 : 0.15));
  return { ...transaction, isPriceInReceipt };
}
