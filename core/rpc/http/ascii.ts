import { isAscii } from 'node:buffer';

const BACKSLASH = 0x5c;

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
 */
export function withoutForeignText(result: unknown, body: Buffer): unknown {
  // An escape may produce any character. Honest responses have no escapes, so this check is all they cost.
  if (isAscii(body) && !body.includes(BACKSLASH)) return result;
  const root = [result];
  // A stack of iterators instead of values: 48 MB hold millions of values, which would need as much memory again on the stack.
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
