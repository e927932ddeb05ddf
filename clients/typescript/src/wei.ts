/* Fees are strings, because a floating-point number would lose digits. Add them up as whole wei. */

/** Converts an exact decimal of a coin, with at most 18 fractional digits: `1.5` is `1500000000000000000n`. */
export function weiOf(coins: string): bigint {
  const [whole = '', fraction = ''] = coins.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

/** Formats wei as an exact decimal of the coin, with 18 fractional digits. */
export function coinsOf(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}
