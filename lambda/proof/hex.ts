import { ProofError } from './types.ts';

export const toHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;

/** Returns whether two hex strings are equal but for the case of their digits, which nodes are free to choose. */
export const isSameHex = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase();

/** @throws ProofError naming the field when a hex quantity is too large to count with */
export function toCount(hex: string, field: string): number {
  const count = Number(hex);
  if (Number.isSafeInteger(count)) return count;
  throw new ProofError(field, `${hex} is too large`);
}
