import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EraFileError, UnreadableError } from '#core/blocks/files/source.ts';
import {
  dataFilesOf,
  indexedItems,
  isFreezer,
  itemsInOrder,
  readTableIndex,
} from '#core/blocks/freezer/table.ts';
import { createFolder } from '#test/support/folders.ts';

/* The table `headers` of a freezer, with items that are no blocks: only their places and ends matter here. */

type Entry = readonly [file: number, offset: number];

/** Writes a table of these data files and entries of its index. The first entry states how many items were removed. */
function tableOf(files: readonly string[], entries?: readonly Entry[], meta?: string): string {
  const folder = createFolder();
  const write = (name: string, data: string | Buffer) =>
    writeFileSync(join(folder, `headers.${name}`), data, 'latin1');
  for (const [file, data] of files.entries()) write(`000${file}.cdat`, data);
  if (entries)
    write(
      'cidx',
      Buffer.concat(
        entries.map(([file, offset]) => {
          const entry = Buffer.alloc(6);
          entry.writeUInt16BE(file, 0);
          entry.writeUInt32BE(offset, 2);
          return entry;
        }),
      ),
    );
  if (meta !== undefined) write('meta', Buffer.from(meta, 'hex'));
  return folder;
}

const read = (folder: string, from: number, end: number) =>
  Array.fromAsync(indexedItems(folder, 'headers', from, end), ({ bytes }) => String(bytes));

/** Five items in two files, of which the first has the number 17. */
const FILES = ['abbccc', 'ddddeeeee'];
const ENTRIES: readonly Entry[] = [
  [0, 17],
  [0, 1],
  [0, 3],
  [0, 6],
  [1, 4],
  [1, 9],
];
const ITEMS = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];

test('lists its data files in order, and makes its folder a freezer', async () => {
  const folder = tableOf(FILES);
  writeFileSync(join(folder, 'headers.0012.rdat'), '');
  writeFileSync(join(folder, 'bodies.0002.cdat'), '');
  expect(await dataFilesOf(folder, 'headers')).toEqual([0, 1]);
  expect(await isFreezer(folder)).toBe(true);
  expect(await isFreezer(createFolder())).toBe(false);
  expect(await isFreezer(join(folder, 'missing'))).toBe(false);
});

describe('the range of an index', () => {
  const rangeWith = (meta?: string, entries = ENTRIES) =>
    readTableIndex(tableOf(FILES, entries, meta), 'headers');

  test.each([
    ['all items without a file of its state', undefined, 17, 22],
    ['all items that are not hidden', 'c20113', 19, 22],
    ['all items where those that are hidden are also removed', 'c20111', 17, 22],
    ['the items whose entries are flushed', 'c302111e', 17, 21],
    ['no item of an entry that is flushed in part', 'c302111d', 17, 20],
    ['the items that are there, though more is said to be flushed', 'c302137f', 19, 22],
  ])('has %s', async (_, meta, first, end) => {
    expect(await rangeWith(meta)).toEqual({ first, end, removed: 17 });
  });

  test('is undefined without an index', async () => {
    expect(await readTableIndex(tableOf(FILES), 'headers')).toBeUndefined();
  });

  test.each([
    ['an unknown version', 'c30311ff', 'headers.meta has an unknown version, or is damaged'],
    ['no number of hidden items', 'c101', 'headers.meta has an unknown version, or is damaged'],
    ['a second version that states nothing flushed', 'c20211', 'headers.meta has an unknown version'],
    ['other bytes in its state', 'ff', 'headers.meta has an unknown version'],
    ['nothing flushed', 'c3021105', 'the index of headers is empty'],
  ])('is refused with %s', async (_, meta, problem) => {
    await expect(rangeWith(meta)).rejects.toThrow(EraFileError);
    await expect(rangeWith(meta)).rejects.toThrow(problem);
  });
});

describe('items by an index', () => {
  test('are cut where their entries end, from any item to any other', async () => {
    const folder = tableOf(FILES, ENTRIES);
    for (let from = 0; from < ITEMS.length; from++)
      for (let end = from + 1; end <= ITEMS.length; end++)
        expect(await read(folder, 17 + from, 17 + end)).toEqual(ITEMS.slice(from, end));
  });

  test('are all read where they are more than one read of the index or of a file has', async () => {
    const small = Array.from({ length: 5_000 }, (_, at): Entry => [0, at]);
    expect(await read(tableOf(['x'.repeat(4_999)], small), 0, 4_999)).toEqual(Array(4_999).fill('x'));
    const MB = 1_000_000;
    const large = [0, 3, 5, 8].map((end): Entry => [0, end * MB]);
    const parts = ['a'.repeat(3 * MB), 'b'.repeat(2 * MB), 'c'.repeat(3 * MB)];
    expect(await read(tableOf([parts.join('')], large), 0, 3)).toEqual(parts);
  });

  test.each([
    [16, 18],
    [20, 23],
  ])('are refused from %i to before %i, which the table lacks', async (from, end) => {
    const reading = read(tableOf(FILES, ENTRIES), from, end);
    await expect(reading).rejects.toThrow(`the table headers lacks blocks of ${from} to ${end - 1}`);
  });

  test('are refused without an index', async () => {
    await expect(read(tableOf(FILES), 17, 18)).rejects.toThrow('the table headers lacks blocks of 17 to 17');
  });

  const WRONG = 'block 19: the index of headers is wrong about its place';
  test.each<[string, Entry, string]>([
    ['ends before it begins', [0, 2], WRONG],
    ['is larger than any block', [1, 64_000_001], WRONG],
    ['is longer than its file', [1, 64_000_000], 'headers.0001.cdat ends before byte 64000000, where its'],
    ['is in a file that is gone', [2, 1], 'headers.0002.cdat is missing'],
  ])('are valid before one that %s', async (_, entry, problem) => {
    const folder = tableOf(FILES, ENTRIES.with(3, entry));
    const items: string[] = [];
    const reading = async () => {
      for await (const { bytes } of indexedItems(folder, 'headers', 17, 22)) items.push(String(bytes));
    };
    await expect(reading()).rejects.toThrow(problem);
    expect(items).toEqual(['a', 'bb']);
  });

  test('are in files that never go back', async () => {
    const reading = read(tableOf(FILES, ENTRIES.with(5, [0, 1])), 17, 22);
    await expect(reading).rejects.toThrow('block 21: the index of headers is wrong about its place');
  });
});

describe('items without an index', () => {
  /** Items of this test state their length in four bytes. */
  const endOf = (bytes: Buffer, at: number) => {
    const end = at + 4 <= bytes.length ? at + 4 + bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    return end <= bytes.length ? end : undefined;
  };
  const itemOf = (data: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return length.toString('latin1') + data;
  };
  const inOrder = (folder: string, start?: { readonly file: number; readonly offset: number }) =>
    Array.fromAsync(itemsInOrder(folder, 'headers', endOf, start), ({ file, offset, bytes }) => [
      file,
      offset,
      String(bytes.subarray(4)),
    ]);

  test('end where their own lengths say, in each file, and are read from any place on', async () => {
    const folder = tableOf([itemOf('a') + itemOf('') + itemOf('ccc'), itemOf('dddd') + itemOf('eeeee')]);
    const items = [
      [0, 0, 'a'],
      [0, 5, ''],
      [0, 9, 'ccc'],
      [1, 0, 'dddd'],
      [1, 8, 'eeeee'],
    ];
    expect(await inOrder(folder)).toEqual(items);
    for (const [index, [file, offset]] of items.entries())
      expect(await inOrder(folder, { file: Number(file), offset: Number(offset) })).toEqual(
        items.slice(index),
      );
  });

  test('may be larger than one read, and begin anywhere in it', async () => {
    const data = ['a'.repeat(3_000_000), 'b'.repeat(9_000_000), 'c'];
    const items = await inOrder(tableOf([data.map(itemOf).join('')]));
    expect(items.map(([, , bytes]) => bytes)).toEqual(data);
  });

  test('are refused where a file ends within one, or no block is as large', async () => {
    const folder = tableOf([itemOf('a') + itemOf('bb').slice(0, -1)]);
    await expect(inOrder(folder)).rejects.toThrow('headers.0000.cdat ends within an item');
    const huge = tableOf(['\x7f\xff\xff\xff']);
    truncateSync(join(huge, 'headers.0000.cdat'), 300_000_000);
    await expect(inOrder(huge)).rejects.toThrow('has an item that is larger than any block');
  });

  test('cannot be read from a folder that is missing', async () => {
    await expect(inOrder(join(createFolder(), 'missing'))).rejects.toThrow(UnreadableError);
  });
});
