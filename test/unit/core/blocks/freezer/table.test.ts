import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EraFileError, UnreadableError } from '#core/blocks/files/source.ts';
import {
  dataFilesOf,
  indexedItems,
  isFreezer,
  itemsInOrder,
  type Place,
  readTableIndex,
} from '#core/blocks/freezer/table.ts';
import { createFolder } from '#test/support/folders.ts';
import { rlp } from '#test/support/generators/blocks/block-bytes.ts';

/*
 * Proves which items of a table can be read, and that an index that does not fit its files is refused at the block where it does not.
 * The items are made up: freezer.test.ts reads the blocks of real ones.
 */

/** The end of an item, or the first entry of an index, which states how many items were removed. */
const entry = (file: number, offset: number): Buffer => {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16BE(file, 0);
  bytes.writeUInt32BE(offset, 2);
  return bytes;
};

/** Writes a table of the items a, bb, ccc (in file 0) and dddd, eeeee (in file 1), with some changes. */
function write(entries: readonly Buffer[], files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = createFolder();
  const all = {
    'headers.0000.cdat': 'abbccc',
    'headers.0001.cdat': 'ddddeeeee',
    'headers.cidx': Buffer.concat(entries),
    ...files,
  };
  for (const [name, bytes] of Object.entries(all)) writeFileSync(join(folder, name), bytes);
  return folder;
}
const copyWithout = (folder: string, file: string) => {
  rmSync(join(folder, file));
  return folder;
};
const ENTRIES = [entry(0, 0), entry(0, 1), entry(0, 3), entry(0, 6), entry(1, 4), entry(1, 9)];
const items = async (folder: string, from: number, end: number) => {
  const read: string[] = [];
  try {
    for await (const { bytes } of indexedItems(folder, 'headers', from, end)) read.push(bytes.toString());
  } catch (error) {
    if (!(error instanceof EraFileError || error instanceof UnreadableError)) throw error;
    read.push(error.message.replaceAll(`${folder}/`, ''));
  }
  return read;
};

describe('dataFilesOf', () => {
  test('lists the numbers of the files of one table, ascending', async () => {
    const names = [
      'headers.0010.cdat',
      'headers.00001.cdat',
      'bodies.0007.cdat',
      'headers.0003.rdat',
      'xheaders.0004.cdat',
    ];
    const folder = write(ENTRIES, Object.fromEntries(names.map((name) => [name, ''])));
    expect(await dataFilesOf(folder, 'headers')).toEqual([0, 1, 10]);
  });

  test('tells a freezer from another folder', async () => {
    expect(await isFreezer(write(ENTRIES))).toBe(true);
    expect(await isFreezer(copyWithout(write(ENTRIES), 'headers.0001.cdat'))).toBe(true);
    expect(await isFreezer(createFolder())).toBe(false);
    expect(await isFreezer('no-such-folder')).toBe(false);
  });
});

describe('readTableIndex', () => {
  const meta = (...members: readonly number[]) => ({ 'headers.meta': Buffer.from(rlp(members)) });

  test.each<[string, Buffer[], Record<string, Buffer>, object]>([
    ['without a file of its tail', ENTRIES, {}, { first: 0, end: 5, removed: 0 }],
    [
      'without removed items',
      [entry(0, 100), ...ENTRIES.slice(1)],
      {},
      { first: 100, end: 105, removed: 100 },
    ],
    ['without hidden items', ENTRIES, meta(1, 2), { first: 2, end: 5, removed: 0 }],
    [
      'with more items removed than hidden',
      [entry(0, 3), ...ENTRIES.slice(1)],
      meta(1, 2),
      { first: 3, end: 8, removed: 3 },
    ],
    ['up to where it is flushed', ENTRIES, meta(2, 0, 18), { first: 0, end: 2, removed: 0 }],
    ['up to the last whole entry', [...ENTRIES, Buffer.alloc(5)], {}, { first: 0, end: 5, removed: 0 }],
    [
      'up to its end where more is said to be flushed',
      ENTRIES,
      meta(2, 0, 100),
      { first: 0, end: 5, removed: 0 },
    ],
    ['up to the last whole flushed entry', ENTRIES, meta(2, 0, 17), { first: 0, end: 1, removed: 0 }],
  ])('has the range %s', async (_, entries, files, range) => {
    expect(await readTableIndex(write(entries, files), 'headers')).toEqual(range);
  });

  test('is absent in a folder of downloaded files', async () => {
    const folder = write(ENTRIES);
    rmSync(join(folder, 'headers.cidx'));
    expect(await readTableIndex(folder, 'headers')).toBeUndefined();
  });

  test.each<[string, Buffer[], Record<string, Buffer>, string]>([
    ['an empty index', [], {}, 'the index of headers is empty'],
    ['an index of which nothing is flushed', ENTRIES, meta(2, 0, 5), 'the index of headers is empty'],
    ['an unknown version', ENTRIES, meta(3, 0, 36), 'headers.meta has an unknown version, or is damaged'],
    ['a version without its tail', ENTRIES, meta(1), 'headers.meta has an unknown version, or is damaged'],
    [
      'a version 2 without what is flushed',
      ENTRIES,
      meta(2, 0),
      'headers.meta has an unknown version, or is damaged',
    ],
    [
      'a damaged version',
      ENTRIES,
      { 'headers.meta': Buffer.from('ff') },
      'headers.meta has an unknown version, or is damaged',
    ],
  ])('refuses %s', async (_, entries, files, problem) => {
    await expect(readTableIndex(write(entries, files), 'headers')).rejects.toThrow(new EraFileError(problem));
  });
});

describe('indexedItems', () => {
  test.each([
    [0, 5, ['a', 'bb', 'ccc', 'dddd', 'eeeee']],
    [2, 4, ['ccc', 'dddd']],
    [3, 4, ['dddd']],
    [4, 4, []],
  ])('reads items %i to before %i, from whichever files have them', async (from, end, expected) => {
    expect(await items(write(ENTRIES), from, end)).toEqual(expected);
  });

  test('counts from the first item that is left, which begins at the first byte of its file', async () => {
    const folder = write([entry(1, 103), entry(1, 4), entry(1, 9)]);
    expect(await items(folder, 103, 105)).toEqual(['dddd', 'eeeee']);
    expect(await items(folder, 102, 105)).toEqual(['the table headers lacks blocks of 102 to 104']);
    expect(await items(folder, 103, 106)).toEqual(['the table headers lacks blocks of 103 to 105']);
  });

  test.each([
    [
      'an item that ends before it begins',
      ENTRIES.with(2, entry(0, 0)),
      ['a', 'block 1: the index of headers is wrong about its place'],
    ],
    [
      'an item in an earlier file',
      ENTRIES.with(5, entry(0, 9)),
      ['a', 'bb', 'ccc', 'dddd', 'block 4: the index of headers is wrong about its place'],
    ],
    [
      'an item that is larger than any block',
      ENTRIES.with(4, entry(1, 64_000_001)),
      ['a', 'bb', 'ccc', 'block 3: the index of headers is wrong about its place'],
    ],
    [
      'an item of 64,000,000 bytes where its file has less',
      ENTRIES.with(4, entry(1, 64_000_000)),
      ['a', 'bb', 'ccc', 'headers.0001.cdat ends before byte 64000000, where its index has a block'],
    ],
    [
      'an item after the end of its file',
      ENTRIES.with(3, entry(0, 7)),
      ['headers.0000.cdat ends before byte 7, where its index has a block'],
    ],
    [
      'an item in a file that is missing',
      ENTRIES.with(5, entry(2, 1)),
      ['a', 'bb', 'ccc', 'dddd', 'headers.0002.cdat is missing'],
    ],
  ])('refuses %s', async (_, entries, expected) => {
    expect(await items(write(entries), 0, 5)).toEqual(expected);
  });

  test('reads all items where they are more than one read of the index or of a file has', async () => {
    const small = Array.from({ length: 5_000 }, (_, at) => entry(0, at));
    const files = { 'headers.0000.cdat': 'x'.repeat(4_999) };
    expect(await items(write(small, files), 0, 4_999)).toEqual(Array(4_999).fill('x'));
    const MB = 1_000_000;
    const large = [0, 3, 5, 8].map((end) => entry(0, end * MB));
    const parts = ['a'.repeat(3 * MB), 'b'.repeat(2 * MB), 'c'.repeat(3 * MB)];
    expect(await items(write(large, { 'headers.0000.cdat': parts.join('') }), 0, 3)).toEqual(parts);
  });

  test('refuses a table without an index', async () => {
    const folder = write(ENTRIES);
    rmSync(join(folder, 'headers.cidx'));
    expect(await items(folder, 0, 1)).toEqual(['the table headers lacks blocks of 0 to 0']);
  });

  test('reads empty items, which share a place', async () => {
    const folder = write([entry(0, 0), entry(0, 0), entry(0, 1), entry(0, 1), entry(0, 3)]);
    expect(await items(folder, 0, 4)).toEqual(['', 'a', '', 'bb']);
  });
});

describe('itemsInOrder', () => {
  /** An item ends after the run of its letter, once another one follows. */
  const endOf = (bytes: Buffer, at: number) => {
    const length = (bytes[at] ?? 0) - 0x60;
    return length > 0 && at + length <= bytes.length ? at + length : undefined;
  };
  const all = async (folder: string, start?: Place) =>
    (await Array.fromAsync(itemsInOrder(folder, 'headers', endOf, start))).map(({ file, offset, bytes }) => [
      file,
      offset,
      bytes.toString(),
    ]);

  test('finds the items of all files without an index, with their places', async () => {
    expect(await all(write([]))).toEqual([
      [0, 0, 'a'],
      [0, 1, 'bb'],
      [0, 3, 'ccc'],
      [1, 0, 'dddd'],
      [1, 4, 'eeeee'],
    ]);
  });

  test('begins at a place, and reads later files from their beginning', async () => {
    const folder = write([]);
    expect((await all(folder, { file: 0, offset: 3 })).map(([, , text]) => text)).toEqual([
      'ccc',
      'dddd',
      'eeeee',
    ]);
    expect((await all(folder, { file: 1, offset: 4 })).map(([, , text]) => text)).toEqual(['eeeee']);
  });

  test('refuses a file that ends within an item', async () => {
    const folder = write([]);
    truncateSync(join(folder, 'headers.0000.cdat'), 5);
    await expect(all(folder)).rejects.toThrow('headers.0000.cdat ends within an item');
  });

  test('finds items that are larger than one read, anywhere in it, but none that is larger than any block', async () => {
    /** Items state their length in eight digits. */
    const endOfStated = (bytes: Buffer, at: number) => {
      const end = at + 8 + Number(bytes.subarray(at, at + 8));
      return at + 8 <= bytes.length && end <= bytes.length ? end : undefined;
    };
    const folder = write([]);
    const given = ['a'.repeat(3_000_000), 'b'.repeat(9_000_000), 'c'];
    const stated = given.map((item) => String(item.length).padStart(8, '0') + item);
    writeFileSync(join(folder, 'headers.0000.cdat'), stated.join(''));
    writeFileSync(join(folder, 'headers.0001.cdat'), '');
    const found = await Array.fromAsync(itemsInOrder(folder, 'headers', endOfStated), ({ bytes }) =>
      bytes.toString(),
    );
    expect(found).toEqual(stated);

    writeFileSync(join(folder, 'headers.0000.cdat'), '99999999');
    truncateSync(join(folder, 'headers.0000.cdat'), 300_000_000);
    const reading = Array.fromAsync(itemsInOrder(folder, 'headers', () => undefined));
    await expect(reading).rejects.toThrow('has an item that is larger than any block');
  });

  test('refuses a folder that cannot be read', async () => {
    await expect(all(join(createFolder(), 'missing'))).rejects.toThrow(UnreadableError);
  });
});
