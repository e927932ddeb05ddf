import { ProofError } from './proof-error.ts';

/** The value of characters that are not hex digits. */
export const NO_DIGIT = 0xff;
/** Values of hex digits, by their character codes. */
export const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit++) {
  DIGITS[digit.toString(16).charCodeAt(0)] = digit;
  DIGITS[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

export const toHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;

/** Returns whether two hex strings are equal, ignoring case, which nodes are free to choose. */
export const isSameHex = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase();

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/**
 * Returns whether a value is an integer of up to 32 bytes, as hex or as the number that some nodes give. A value that no hash covers must be
 * checked before it is converted, because Number() and BigInt() trim white space, read an empty text as 0, and throw for some objects.
 */
export const isQuantity = (value: unknown): value is string | number =>
  typeof value === 'string' ? QUANTITY.test(value) : Number.isSafeInteger(value) && (value as number) >= 0;

/** Some nodes give numbers where the specification says hex: https://ethereum.github.io/execution-apis/. */
export function hexOf(value: unknown, name: string): string {
  if (value === undefined || value === null) throw new ProofError(name, 'the node left it out');
  if (typeof value === 'number' && isQuantity(value)) return `0x${value.toString(16)}`;
  throw new ProofError(name, 'it is not a hex string');
}

const MAX_SHOWN = 66;

/** Quotes a value of a node in a message: hex of up to 32 bytes. Other text may hold a secret or control characters. */
export function shown(value: unknown): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) return 'the given value';
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
}

/** @throws ProofError naming the field when a hex quantity is too large to count with */
export function toCount(hex: string, field: string, highest = Number.MAX_SAFE_INTEGER): number {
  const count = Number(hex);
  if (Number.isSafeInteger(count) && count <= highest) return count;
  throw new ProofError(field, `${shown(hex)} is too large`);
}
