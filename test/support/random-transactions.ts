import { type Fees, NO_FEES } from '../../lambda/chains/fee-parts.ts';
import { addressOf } from './builders.ts';
import type { Random } from './random.ts';

/** A transaction with what is expected of it: computed here, as it is made, from the definitions and not by the rules under test. */
export interface RandomTransaction {
  readonly type: number;
  readonly from: string;
  /** Null when it creates a contract. */
  readonly to: string | null;
  readonly gasUsed: bigint;
  /** Wei per gas, as the receipt has it in `effectiveGasPrice`. */
  readonly price: bigint;
  /** Wei per gas, as the transaction itself has it in `gasPrice`. */
  readonly gasPrice: bigint;
  /** False where the receipt leaves `effectiveGasPrice` out. */
  readonly isPriceInReceipt: boolean;
  readonly succeeded: boolean;
  /** Further quantities of the receipt, by field. */
  readonly fields: Readonly<Record<string, bigint | null>>;
  readonly isProtocol: boolean;
  /** Wei, part by part. */
  readonly paid: Fees;
}

/** Where in a random chain transactions are made for. */
export interface BlockPlace {
  readonly number: number;
  /** Seconds. */
  readonly timestamp: number;
  readonly miner: string;
  /** Before Byzantium, on Ethereum: only legacy transactions, and receipts with `root` in place of `status`. */
  readonly isOld: boolean;
}

export const [LEGACY, ACCESS_LIST, DYNAMIC_FEE, BLOB, SET_CODE] = [0, 1, 2, 3, 4] as const;

export const randomAddress = (random: Random): string => addressOf(`${random.bigintBelow(2n ** 64n)}`);

/** Prices and amounts of every size that occurs, nothing at all among them, and far beyond 2^53. */
export const randomAmount = (random: Random): bigint =>
  random.bigintBelow(10n ** random.pick([0n, 3n, 9n, 12n, 15n, 19n]));

export const randomGas = (random: Random): bigint =>
  BigInt(21_000 + random.below(random.pick([1, 100_000, 30_000_000])));

/** A user's transaction of one of the given types, which pays for its gas and nothing more. */
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
 * A chance that the receipt leaves the price out: only where the transaction names just one price, and that is what
 * was paid.
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
