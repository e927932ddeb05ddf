import { entry } from '#test/support/generators/files/era-files.ts';
import { entriesOf, laidOut } from '#test/support/generators/files/era-layout.ts';
import { SMALL_FILES, smallFiles, sumOf } from '#test/support/generators/files/small-era-files.ts';

const is = (type: number) => (one: Buffer) => one[0] === type;
const [ACCUMULATOR, PROOF, TOTAL_DIFFICULTY] = [0x07, 0x0b, 0x06];

/** Puts bytes before each entry in turn. */
const insertions = (file: Buffer, inserted: Buffer) =>
  entriesOf(file).map((_, index) => laidOut(file, (entries) => entries.toSpliced(index, 0, inserted)));

async function problemOf(kind: (typeof SMALL_FILES)[number], bytes: Buffer) {
  return (await sumOf({ ...smallFiles()[kind], bytes })).problem;
}

describe.each(SMALL_FILES)('%s', (kind) => {
  test.each([
    ['bytes', Buffer.alloc(3)],
    ['an empty entry', entry(0x0000, Buffer.alloc(5))],
    ['an entry of a type that no format defines', entry(0x0c00, Buffer.alloc(5))],
    ['a second version', entry(0x6532, Buffer.alloc(0))],
    ['another accumulator', entry(0x0700, Buffer.alloc(32))],
  ])('is refused with %s anywhere between its entries', async (what, inserted) => {
    const files = insertions(smallFiles()[kind].bytes, inserted);
    // Before the index, one accumulator is valid.
    const isValid = what === 'another accumulator' && kind === 'an ere file since the merge';
    for (const file of isValid ? files.slice(0, -1) : files) {
      expect(await problemOf(kind, file)).toEqual(expect.any(String));
    }
  });

  test('is refused with an entry repeated, or left out', async () => {
    const { bytes } = smallFiles()[kind];
    const isOptional = (one: Buffer) => kind !== 'an era1 file' && is(ACCUMULATOR)(one);
    for (const [index, one] of entriesOf(bytes).slice(0, -1).entries()) {
      const repeated = laidOut(bytes, (entries) => entries.toSpliced(index, 0, one));
      expect(await problemOf(kind, repeated)).toEqual(expect.any(String));
      const without = laidOut(bytes, (entries) => entries.toSpliced(index, 1));
      if (!isOptional(one)) expect(await problemOf(kind, without)).toEqual(expect.any(String));
    }
  });
});

test('accepts an ere file with total difficulties before its proofs, as go-ethereum has written them', async () => {
  const kind = 'an ere file from before the merge';
  const { bytes } = smallFiles()[kind];
  const rank = (one: Buffer) =>
    is(TOTAL_DIFFICULTY)(one) ? 1 : is(PROOF)(one) ? 2 : is(ACCUMULATOR)(one) ? 3 : 0;
  const swapped = laidOut(bytes, (entries) => entries.toSorted((a, b) => rank(a) - rank(b)));
  expect(swapped.equals(bytes)).toBe(false);
  expect(await problemOf(kind, swapped)).toBeUndefined();
});

test('accepts an ere file without an accumulator, which the format allows', async () => {
  const kind = 'an ere file with the merge';
  const without = laidOut(smallFiles()[kind].bytes, (entries) =>
    entries.filter((one) => !is(ACCUMULATOR)(one)),
  );
  expect(await problemOf(kind, without)).toBeUndefined();
});

test.each([
  [
    'a number that no block has',
    (index: Buffer) => index.writeBigInt64LE(1n << 54n, 8),
    'begins with a number',
  ],
  ['a negative number', (index: Buffer) => index.writeBigInt64LE(-2n, 8), 'begins with a number'],
  ['an offset after the index', (index: Buffer) => index.writeBigInt64LE(8n, 16), 'points outside of it'],
  [
    'an offset before the file',
    (index: Buffer) => index.writeBigInt64LE(-(1n << 62n), 16),
    'points outside of it',
  ],
])('refuses an index with %s', async (_, change, problem) => {
  for (const kind of SMALL_FILES) {
    const entries = entriesOf(smallFiles()[kind].bytes);
    const index = Buffer.from(entries.at(-1) ?? []);
    change(index);
    expect(await problemOf(kind, Buffer.concat([...entries.slice(0, -1), index]))).toContain(problem);
  }
});
