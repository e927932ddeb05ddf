import { LAST_SECOND } from '../chains/utc-day.ts';

/*
 * Decoders of what nodes answer. Values are strict and spelling is not: nodes differ in the case of hex digits, some give
 * numbers where the specification says hex, and all add members of their own. https://ethereum.github.io/execution-apis/
 *
 * They are plain functions rather than schemas, because a schema collects every issue of an array: an answer of 1.5 KB
 * could cost half a minute. These stop at the first bad value.
 */

/** Decodes a JSON value. Throws DecodeError. */
export type Decode<T> = (value: unknown) => T;

/** A value that a node should not have sent. The message begins with its path. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

const HEX_QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/** Decodes a non-negative integer of any size. */
export function quantity(value: unknown): bigint {
  const isHex = typeof value === 'string' && value.length <= 66 && HEX_QUANTITY.test(value);
  if (isHex || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return BigInt(value);
  throw new DecodeError('expected a hex quantity');
}

/** Decodes a non-negative integer that counts something, such as a block number. */
export function count(value: unknown): number {
  const number = Number(quantity(value));
  if (Number.isSafeInteger(number)) return number;
  throw new DecodeError('expected a number below 2^53');
}

/** Decodes seconds since 1970. */
export function timestamp(value: unknown): number {
  const seconds = count(value);
  if (seconds <= LAST_SECOND) return seconds;
  throw new DecodeError('expected a timestamp in seconds');
}

function hexOf(bytes: number, name: string): Decode<string> {
  const digits = new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i');
  return (value) => {
    if (typeof value === 'string' && value.length === 2 + bytes * 2 && digits.test(value))
      return value.toLowerCase();
    throw new DecodeError(`expected ${name}`);
  };
}

/** Decodes 32 bytes as lower-case hex. */
export const hash = hexOf(32, 'a hash of 32 bytes');
/** Decodes 20 bytes as lower-case hex. */
export const address = hexOf(20, 'an address of 20 bytes');

/** Decodes bytes that `parseHexJson` has found. */
export function bytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new DecodeError('expected hex of whole bytes');
}

/** Decodes a value that a node may leave out. */
export const optional =
  <T>(decode: Decode<T>): Decode<T | undefined> =>
  (value) =>
    value === undefined || value === null ? undefined : decode(value);

/** Decodes an object by its members, and drops all others. */
export function object<Shape extends Readonly<Record<string, Decode<unknown>>>>(
  shape: Shape,
): Decode<{ readonly [Name in keyof Shape]: ReturnType<Shape[Name]> }> {
  const members = Object.entries(shape);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new DecodeError('expected an object');
    }
    const source = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      members.map(([name, decode]) => [name, within(`.${name}`, () => decode(source[name]))]),
    ) as { [Name in keyof Shape]: ReturnType<Shape[Name]> };
  };
}

/** Decodes an array of at most `most` elements, and stops at the first bad one. */
export const list =
  <T>(decode: Decode<T>, most: number): Decode<readonly T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new DecodeError('expected an array');
    if (value.length > most) throw new DecodeError(`${value.length} elements, more than ${most}`);
    return value.map((element, index) => within(`[${index}]`, () => decode(element)));
  };

function within<T>(path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(/^[.[]/.test(error.message) ? path + error.message : `${path}: ${error.message}`);
  }
}

/** Decodes a header; its transactions are not looked at. */
export const header = object({ number: count, hash, parentHash: hash, timestamp });
