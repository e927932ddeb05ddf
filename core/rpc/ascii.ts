import { isAscii } from 'node:buffer';

const BACKSLASH = 0x5c;

/** Replaces text that is not hex. No decoder accepts it. */
const NOT_HEX = '0x?';
const FOREIGN = /[^ -~]/;

/**
 * Replaces each string in a result that has other characters than printable ASCII with one that no decoder accepts. Otherwise the bytes
 * that are hashed could differ from the value that is read: `Buffer.write(text, 'hex')` takes `İ` (U+0130) for the digit 0, its low byte.
 *
 * Such a string alone is no error, because a member that is never read may hold any text: receipts of Nethermind contain revert
 * reasons, which anyone may choose (https://github.com/NethermindEth/nethermind/issues/11207).
 * @param result replaced in place
 * @param body the JSON that contains the result
 */
export function withoutForeignText(result: unknown, body: Buffer): unknown {
  // An escape may produce any character. Honest responses have none, so they cost only this check.
  if (isAscii(body) && !body.includes(BACKSLASH)) return result;
  const root = [result];
  // A stack of iterators, not of values: 48 MB hold millions of values, and stacking them would need as much memory again.
  const open = [entriesOf(root)];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: entry } = inner.entries.next();
    if (done) open.pop();
    else {
      const [key, value] = entry;
      if (typeof value === 'string' && FOREIGN.test(value)) Reflect.set(inner.of, key, NOT_HEX);
      else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
        open.push(entriesOf(value));
    }
  }
  return root[0];
}

function entriesOf(of: object): { of: object; entries: Iterator<[PropertyKey, unknown], undefined> } {
  return { of, entries: Array.isArray(of) ? of.entries() : Object.entries(of).values() };
}
