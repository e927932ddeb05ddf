import { isQuantity } from '../../proof/encoding/hex.ts';

/*
 * Decoders of the responses of nodes. They are strict about values and lenient about spelling: nodes differ in the case of hex digits,
 * some give numbers where the specification says hex, and all add members of their own. https://ethereum.github.io/execution-apis/
 *
 * They are plain functions rather than schemas, because a schema collects every issue of an array: an answer of 1.5 KB
 * could cost half a minute. These stop at the first bad value.
 */

/** Decodes a JSON value. Throws DecodeError. */
export type Decode<T> = (value: unknown) => T;

/** A node sent a value that does not decode. The message begins with the path of the value. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** Decodes a non-negative integer of any size. */
export function decodeQuantity(value: unknown): bigint {
  if (isQuantity(value)) return BigInt(value);
  throw new DecodeError('expected a hex quantity');
}

/** Decodes bytes that `parseHexJson` has found. */
export function bytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new DecodeError('expected hex of whole bytes');
}

/** Decodes an array of at most `max` elements, and stops at the first bad one. */
export const list =
  <T>(decode: Decode<T>, max: number): Decode<readonly T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new DecodeError('expected an array');
    if (value.length > max) throw new DecodeError(`${value.length} elements, more than ${max}`);
    return value.map((element, index) => {
      try {
        return decode(element);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        throw new DecodeError(`[${index}]: ${error.message}`);
      }
    });
  };
