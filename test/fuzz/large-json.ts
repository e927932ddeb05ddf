/* Large JSON values that cost a decoder far more than they cost a node to send. */

const MB = 2 ** 20;
const HASH = `"0x${'7'.repeat(64)}"`;

/** JSON of about `size` bytes. */
type LargeJson = (size: number) => string;

const arrayOf =
  (element: string): LargeJson =>
  (size) =>
    `[${`${element},`.repeat(size / (element.length + 1))}${element}]`;

const textOf =
  (part: string): LargeJson =>
  (size) =>
    `"${part.repeat(size / part.length)}"`;

const members = (count: number, start = 0): string =>
  `{${Array.from({ length: count }, (_, index) => `"${start + index}x":""`).join()}}`;

/** Objects that differ in the names of their members, so that the parser shares no shape. */
const differentObjects =
  (count: number, padding: string): LargeJson =>
  (size) => {
    const objects: string[] = [];
    for (let bytes = 0, start = 10 ** 7; bytes < size; start += count) {
      const object = members(count, start) + padding;
      objects.push(object);
      bytes += object.length + 1;
    }
    return `[${objects.join()}]`;
  };

/** Values that may replace any member of an answer. */
export const largeJson: Readonly<Record<string, LargeJson>> = {
  'empty objects': arrayOf('{}'),
  'empty arrays': arrayOf('[]'),
  'small numbers': arrayOf('1'),
  'large numbers': arrayOf('1e308'),
  nulls: arrayOf('null'),
  'empty strings': arrayOf('""'),
  hashes: arrayOf(HASH),
  'access lists': arrayOf(`{"address":"0x${'a'.repeat(40)}","storageKeys":[${HASH}]}`),
  authorizations: arrayOf(
    '{"chainId":"0x1","address":"0x","nonce":"0x1","r":"0x1","s":"0x1","yParity":"0x0"}',
  ),
  logs: arrayOf(`{"address":"0x","topics":[${HASH}],"data":"0x"}`),
  'objects of 12 bytes': arrayOf('{"a":"0x01"}'),
  'objects with 900 members': differentObjects(900, ''),
  'objects with 2 members': differentObjects(2, ' '.repeat(30)),
  'objects with 1 member': differentObjects(1, ' '.repeat(26)),
  'one object with many members': (size) => members(size / 14),
  'nested arrays': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'unfinished arrays': (size) => '['.repeat(size),
  'hex digits': (size) => `"0x${'f'.repeat(size)}"`,
  'escaped characters': textOf('\\u0000'),
  'escaped surrogates': textOf('\\ud83d'),
  'letters that take two bytes': textOf('Ā'),
  digits: (size) => '9'.repeat(size),
  spaces: (size) => `${' '.repeat(size)}1`,
};

/** Sizes below and above the limit from which responses are scanned, up to 16 MB. */
export const largeSizes = [MB - 1_000, 1.5 * MB, 4 * MB, 15.9 * MB].map(Math.floor);
