/* Exact decimals of whole numbers of units, 0 or more: with 18 decimals, `1500000000000000000n` is `1.5`. */

/** Formats a number of units with all its decimals. */
export function fixedDecimal(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Formats a number of units without trailing zeros, with 1 decimal or more. */
export const exactDecimal = (units: bigint, decimals: number): string =>
  fixedDecimal(units, decimals).replace(/\.?0+$/, '');

/** Parses a decimal with at most this number of decimals. */
export function unitsOf(decimal: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
