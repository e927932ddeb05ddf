import { ProofError } from './types.ts';

/** Stands for a character that is no hex digit. */
export const NO_DIGIT = 0xff;
/** Values of hex digits, by their character codes. */
export const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit++) {
  DIGITS[digit.toString(16).charCodeAt(0)] = digit;
  DIGITS[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** Digits are decoded in parts: V8 compiles a short loop that is called often well, but not one long loop. */
const PART = 4_096;

/** Returns the bytes that hex digits in a text stand for, or undefined when they are not whole bytes. */
export function bytesOfDigits(text: Buffer, from: number, to: number): Buffer | undefined {
  if ((to - from) % 2 > 0) return undefined;
  const bytes = Buffer.allocUnsafe((to - from) / 2);
  let all = 0;
  for (let at = 0; at < bytes.length; at += PART) {
    all |= decodeDigits(text, from + 2 * at, bytes, at, Math.min(at + PART, bytes.length));
  }
  return all < 16 ? bytes : undefined;
}

/** Writes the bytes from `begin` to `end`, and returns the bits of all digits. */
function decodeDigits(text: Buffer, from: number, bytes: Buffer, begin: number, end: number): number {
  let all = 0;
  for (let index = begin, at = from; index < end; index++, at += 2) {
    const high = DIGITS[text[at] as number] as number;
    const low = DIGITS[text[at + 1] as number] as number;
    all |= high | low;
    bytes[index] = (high << 4) | low;
  }
  return all;
}

export const toHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;

/** Returns whether two hex strings are equal but for the case of their digits, which nodes are free to choose. */
export const isSameHex = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase();

const LONGEST_SHOWN = 66;

/** Quotes a value of a node in a message: hex of up to 32 bytes. Other text may hold a secret or control characters. */
export function shown(value: string | null | undefined): string {
  if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) return 'the given value';
  return value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value;
}

/** @throws ProofError naming the field when a hex quantity is too large to count with */
export function toCount(hex: string, field: string, highest = Number.MAX_SAFE_INTEGER): number {
  const count = Number(hex);
  if (Number.isSafeInteger(count) && count <= highest) return count;
  throw new ProofError(field, `${shown(hex)} is too large`);
}
