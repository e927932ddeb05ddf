import { exactDecimal, fixedDecimal, unitsOf } from '../../core/figures/decimals.ts';

/** An exact figure in units of 10^-26: those of dollars, of which coins need 18. Counts have the same unit, so that one arithmetic serves all figures. */
export type Amount = bigint;

const DECIMALS = 26;
const ONE = 10n ** BigInt(DECIMALS);
/** 10^-18 of a coin. */
export const WEI: Amount = ONE / 10n ** 18n;

/** Parses an exact decimal of the API, such as `358.558440870590355682`. */
export const parseAmount = (decimal: string): Amount => unitsOf(decimal, DECIMALS);

export const countAmount = (count: number): Amount => BigInt(count) * ONE;

/** Returns the nearest floating-point number, for drawing only. */
export const toNumber = (amount: Amount): number => Number(amount / WEI) / Number(ONE / WEI);

/** Formats every digit, without trailing zeros: the text that the API returned. */
export const formatExact = (amount: Amount): string => exactDecimal(amount, DECIMALS);

export const groupThousands = (value: string): string =>
  value.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/** Rounds half up to significant digits, and groups. The integer part keeps all digits; zeros at the end stand for further ones. */
export function formatRounded(amount: Amount, digits = 5): string {
  const integerDigits = amount.toString().length - DECIMALS;
  const decimals = Math.min(DECIMALS, Math.max(0, digits - integerDigits));
  const unit = 10n ** BigInt(DECIMALS - decimals);
  const rounded = (amount + unit / 2n) / unit;
  return groupThousands(rounded * unit === amount ? formatExact(amount) : fixedDecimal(rounded, decimals));
}

export const sumAmounts = (amounts: readonly Amount[]): Amount => amounts.reduce((sum, one) => sum + one, 0n);

export const compareAmounts = (a: Amount, b: Amount): number => (a === b ? 0 : a < b ? -1 : 1);

/** Returns the change from one amount to another as a fraction: 0.5 for a half more; undefined from 0. */
export const changeFrom = (before: Amount, after: Amount): number | undefined =>
  before === 0n ? undefined : Number(((after - before) * 1_000_000n) / before) / 1e6;
