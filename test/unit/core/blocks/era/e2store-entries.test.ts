import fc from 'fast-check';
import { createEntries } from '#core/blocks/era/e2store-entries.ts';
import { entry, inMemory } from '#test/support/generators/files/era-files.ts';

const HEADER = 0x0003;
const entries = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 12 });

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

test('refuses an entry that is larger than any block before it reads it', async () => {
  let read = 0;
  const header = Buffer.from('0300ffffffff0000', 'hex');
  const file = {
    size: 8_000_000_000,
    read: async (from: number, to: number) => {
      read += to - from;
      return Buffer.concat([header, Buffer.alloc(to - from - header.length)]);
    },
  };
  const entries = createEntries(file, 0, file.size);
  await expect(entries.next(HEADER)).rejects.toThrow('larger than any block');
  expect(read).toBeLessThan(10_000_000);
});
