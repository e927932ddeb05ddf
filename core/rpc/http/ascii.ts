import { isAscii } from 'node:buffer';
import { DecodeError } from './decode.ts';
import { MAX_DEPTH } from './json-guard.ts';

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
