import fc from 'fast-check';
import { createEntries, entryLength, readEntry } from '#core/blocks/era/e2store-entries.ts';
import type { RandomAccess } from '#core/blocks/files/source.ts';
import { entry, inMemory } from '#test/support/generators/files/era-files.ts';

const HEADER = 0x0003;
const entries = fc.array(fc.uint8Array({ maxLength: 60, size: 'max' }), {
  minLength: 1,
  maxLength: 12,
  size: 'max',
});

test('reads entries of any size through windows of any size', async () => {
  await fc.assert(
    fc.asyncProperty(entries, fc.integer({ min: 1, max: 90 }), async (given, window) => {
      const file = Buffer.concat(given.map((data) => entry(0x0300, data)));
      // Gives at most `window` bytes at once, as if windows were that small.
      const read = async (from: number, to: number) => file.subarray(from, Math.min(to, from + window));
      const opened = createEntries({ size: file.length, read }, 0, file.length);
      for (const data of given) expect(await opened.next(HEADER)).toEqual(Buffer.from(data));
      expect(opened.position()).toBe(file.length);
      await expect(opened.next(HEADER)).rejects.toThrow('the file ends early');
    }),
  );
});

test.each([
  ['an entry of another type', entry(0x0400, Buffer.from('a')), '0x0004 was found'],
  ['an entry whose reserved bytes are not zero', entry(0x0300, Buffer.alloc(0)).fill(1, 6), 'was expected'],
  ['an entry that is longer than the file', entry(0x0300, Buffer.alloc(9)).subarray(0, -1), 'ends early'],
])('refuses %s', async (_, file, problem) => {
  const opened = createEntries(inMemory(file), 0, file.length);
  await expect(opened.next(HEADER)).rejects.toThrow(problem);
});

/** A file whose reads are noted. It has zeros behind the given bytes. */
function noted(size: number, bytes: Buffer) {
  const reads: (readonly [from: number, to: number])[] = [];
  const file: RandomAccess = {
    size,
    read: async (from, to) => {
      reads.push([from, to]);
      const part = bytes.subarray(from, to);
      return Buffer.concat([part, Buffer.alloc(to - from - part.length)]);
    },
  };
  return { file, reads };
}

describe('an entry that is larger than any block', () => {
  const TOO_LARGE = Buffer.from('03000190d0030000', 'hex');

  test('is refused by its header, and one of 64,000,000 bytes is not', () => {
    expect(entryLength(Buffer.from('03000090d0030000', 'hex'), 0, HEADER)).toBe(64_000_000);
    expect(() => entryLength(TOO_LARGE, 0, HEADER)).toThrow('an entry is larger than any block');
  });

  test('is not read', async () => {
    const { file, reads } = noted(8_000_000_000, TOO_LARGE);
    await expect(createEntries(file, 0, file.size).next(HEADER)).rejects.toThrow('larger than any block');
    await expect(readEntry(file, 0, file.size, HEADER)).rejects.toThrow('larger than any block');
    // The window of the entries, the next one, and the bytes that hold most headers.
    const MIB = 1 << 20;
    expect(reads).toEqual([
      [0, 4 * MIB],
      [4 * MIB, 8 * MIB],
      [0, 1_024],
    ]);
  });
});

describe('a single entry', () => {
  const data = (length: number) => Buffer.alloc(length, 'data');
  const fileOf = (length: number) => Buffer.concat([data(3), entry(0x0300, data(length))]);

  test.each([
    [0, 1],
    [1_016, 1],
    [1_017, 2],
  ])('of %i bytes is read with %i requests, whatever follows', async (length, requests) => {
    for (const bytes of [fileOf(length), Buffer.concat([fileOf(length), data(9)])]) {
      const { file, reads } = noted(bytes.length, bytes);
      expect(await readEntry(file, 3, bytes.length, HEADER)).toEqual(data(length));
      expect(reads).toHaveLength(requests);
    }
  });

  const FILE = fileOf(5);
  test.each([
    ['begins before the file', -1, FILE.length, 'its index points outside of it'],
    ['has no space for its header', 3, 3 + 7, 'its index points outside of it'],
    ['ends behind the file', 3, FILE.length + 1, 'its index points outside of it'],
    ['is longer than its part of the file', 3, FILE.length - 1, 'the file ends early'],
  ])('is refused if it %s', async (_, at, end, problem) => {
    await expect(readEntry(inMemory(FILE), at, end, HEADER)).rejects.toThrow(problem);
  });
});

test('a part that fits one window is read with one request', async () => {
  const bytes = entry(0x0300, Buffer.alloc(9));
  const { file, reads } = noted(100, bytes);
  await createEntries(file, 0, bytes.length).next(HEADER);
  expect(reads).toEqual([[0, bytes.length]]);
});

test.each([
  [-1, 0],
  [1, 0],
  [0, 1],
])('refuses a part from %i that ends %i bytes behind an empty file', (from, beyond) => {
  expect(() => createEntries(inMemory(Buffer.alloc(0)), from, beyond)).toThrow('points outside');
});

test('an empty part has no entry', async () => {
  const { file } = noted(8, entry(0x0300, Buffer.alloc(0)));
  for (const at of [0, 8])
    await expect(createEntries(file, at, at).next(HEADER)).rejects.toThrow('the file ends early');
});
