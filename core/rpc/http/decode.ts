import { isAscii } from 'node:buffer';
import { isQuantity } from '../../proof/encoding/hex.ts';
import { MAX_DEPTH } from './json-guard.ts';

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
export class DecodeError extends Error {}

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

/** The replacement for other text. No decoder accepts it. */
const NOT_HEX = '0x?';
const FOREIGN = /[^ -~]/;

/**
 * Replaces strings in a result that contain anything but printable ASCII with text that no decoder accepts. Otherwise we could hash other
 * bytes than we read: `Buffer.write(text, 'hex')` reads `İ` (U+0130) as the digit 0, because of its low byte.
 *
 * Such a string is not an error in itself, because members that we never read may hold any text: receipts of Nethermind contain revert
 * reasons, which anyone may choose (https://github.com/NethermindEth/nethermind/issues/11207).
 * @param result replaced in place
 * @throws DecodeError when a result with such text or with escapes is nested too deep
 */
export const withoutForeignText = (result: unknown, body: Buffer): unknown =>
  // An escape may produce any character. Honest responses have no escapes, so this check is all they cost.
  isAscii(body) && !body.includes('\\') ? result : replaced(result, 0);

function replaced(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return FOREIGN.test(value) ? NOT_HEX : value;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth >= MAX_DEPTH) throw new DecodeError(`nested more than ${MAX_DEPTH} deep`);
  // An iterator, because an array may have millions of elements.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value))
    Reflect.set(value, key, replaced(Reflect.get(value, key), depth + 1));
  return value;
}
