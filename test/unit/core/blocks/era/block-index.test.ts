import { type BlockPart, readBlockIndex } from '#core/blocks/era/block-index.ts';
import { BLOCKS_PER_FILE, EraFileError } from '#core/blocks/files/source.ts';
import { entry, inMemory } from '#test/support/generators/files/era-files.ts';
import { eraName } from '#test/support/generators/files/era-name.ts';

/*
 * Proves where an index says that the parts of blocks are, and which indexes are refused. The files have entries without content;
 * read-blocks.slow.test.ts reads blocks, and test/whole/era/layout.slow.test.ts damages files in many ways.
 */

const PARTS = {
  header: 0x0300,
  body: 0x0400,
  receipts: 0x0a00,
  totalDifficulty: 0x0600,
  proof: 0x0b00,
} as const;
const VERSION = entry(0x6532, Buffer.alloc(0));
const ACCUMULATOR = entry(0x0700, Buffer.alloc(32));
const words = (values: readonly number[]) => Buffer.from(BigInt64Array.from(values, BigInt).buffer);

interface Given {
  readonly format?: 'era1' | 'ere';
  readonly first?: number;
  readonly count?: number;
  /** The parts as they follow in the file, and as the index lists them. */
  readonly parts?: readonly BlockPart[];
  readonly listed?: readonly BlockPart[];
  readonly accumulator?: Buffer;
  /** Changes the words of the index. */
  readonly change?: (index: readonly number[]) => readonly number[];
}

const THREE: readonly BlockPart[] = ['header', 'body', 'receipts'];

/** Writes a file whose entries differ in length, and the position of each part. */
function write({ format = 'ere', first = 7, count = 2, accumulator = Buffer.alloc(0), ...given }: Given) {
  const { parts = THREE, listed = parts, change = (same) => same } = given;
  const blocks = Array.from({ length: count }, (_, block) => block);
  const entries: Buffer[] = [VERSION];
  const places = new Map<string, number>();
  const add = (part: BlockPart, block: number) => {
    places.set(`${part} ${block}`, Buffer.concat(entries).length);
    entries.push(entry(PARTS[part], Buffer.alloc(10 * (block + 1))));
  };
  if (format === 'ere') for (const part of parts) for (const block of blocks) add(part, block);
  else for (const block of blocks) for (const part of parts) add(part, block);
  const end = Buffer.concat(entries).length;
  const content = Buffer.concat([...entries, accumulator]);
  const columns = format === 'ere' ? listed : (['header'] as const);
  const offsets = blocks.flatMap((block) =>
    columns.map((part) => (places.get(`${part} ${block}`) ?? 0) - content.length),
  );
  const index = change([first, ...offsets, ...(format === 'ere' ? [columns.length] : []), count]);
  const bytes = Buffer.concat([content, entry(format === 'ere' ? 0x6732 : 0x6632, words(index))]);
  return { bytes, places, end };
}

const read = (bytes: Buffer, format = 'ere') =>
  readBlockIndex(inMemory(bytes), eraName(`mainnet-00000-0123abcd.${format}`));

const WITH_PROOFS: readonly BlockPart[] = [...THREE, 'proof', 'totalDifficulty'];

describe('readBlockIndex', () => {
  test.each<[string, Given]>([
    ['three parts', {}],
    ['an accumulator', { accumulator: ACCUMULATOR }],
    ['total difficulties', { parts: [...THREE, 'totalDifficulty'] }],
    ['proofs', { parts: [...THREE, 'proof'] }],
    ['proofs, listed as they follow', { parts: WITH_PROOFS }],
    ['proofs, listed last', { parts: WITH_PROOFS, listed: [...THREE, 'totalDifficulty', 'proof'] }],
    ['genesis, alone', { first: 0, count: 1 }],
    ['the largest numbers that are exact', { first: Number.MAX_SAFE_INTEGER - 2 }],
  ])('finds each part of the blocks of an ere file with %s', async (_, given) => {
    const { bytes, places, end } = write(given);
    const { first = 7, count = 2, parts = THREE, listed = parts } = given;
    const index = await read(bytes);
    expect(index).toMatchObject({
      first,
      count,
      parts: listed,
      hasAccumulator: given.accumulator !== undefined,
    });
    for (const [column, part] of parts.entries()) {
      for (let block = 0; block < count; block++)
        expect(index.position(block, part)).toBe(places.get(`${part} ${block}`));
      const next = parts[column + 1];
      expect(index.position(count, part)).toBe(next ? places.get(`${next} 0`) : end);
    }
  });

  test('finds the header of each block of an era1 file, and where the last block ends', async () => {
    const { bytes, places, end } = write({ format: 'era1', accumulator: ACCUMULATOR });
    const index = await read(bytes, 'era1');
    expect(index).toMatchObject({ first: 7, count: 2, parts: ['header'], hasAccumulator: true });
    expect([0, 1].map((block) => index.position(block, 'header'))).toEqual(
      [0, 1].map((block) => places.get(`header ${block}`)),
    );
    expect(index.position(2, 'header')).toBe(end);
  });

  test('reads the longest index: 8,192 blocks with all five parts, behind an accumulator', async () => {
    const parts: readonly BlockPart[] = [...THREE, 'totalDifficulty', 'proof'];
    const indexOf = (count: number) => {
      const positions = Array.from({ length: count }, (_, block) =>
        parts.map((_, column) => VERSION.length + column * count + block),
      );
      const content = Buffer.concat([VERSION, Buffer.alloc(parts.length * count)]);
      const offsets = positions.flat().map((position) => position - content.length - ACCUMULATOR.length);
      return Buffer.concat([
        content,
        ACCUMULATOR,
        entry(0x6732, words([0, ...offsets, parts.length, count])),
      ]);
    };
    const index = await read(indexOf(BLOCKS_PER_FILE));
    expect(index).toMatchObject({ count: BLOCKS_PER_FILE, parts, hasAccumulator: true });
    expect(index.position(BLOCKS_PER_FILE - 1, 'proof')).toBe(VERSION.length + 5 * BLOCKS_PER_FILE - 1);
    await expect(read(indexOf(BLOCKS_PER_FILE + 1))).rejects.toThrow('it does not end with an index');
  });

  const NO_INDEX = 'it does not end with an index: the file is truncated or of another format';
  const OUTSIDE = 'its index points outside of it, or its parts are out of order';
  const NO_NUMBER = 'its index begins with a number that no block has';

  test.each<[string, Given, string]>([
    ['no block', { change: (index) => index.with(-1, 0) }, NO_INDEX],
    ['more blocks than a file has', { change: (index) => index.with(-1, BLOCKS_PER_FILE + 1) }, NO_INDEX],
    [
      'a block more than it lists',
      { change: (index) => index.with(-1, 3) },
      'an entry of type 0x3267 was expected, and 0x0000 was found',
    ],
    ['two parts', { change: (index) => index.with(-2, 2) }, NO_INDEX],
    ['six parts', { change: (index) => index.with(-2, 6) }, NO_INDEX],
    ['a negative number', { first: -1 }, NO_NUMBER],
    ['a number of more than 53 bits', { first: Number.MAX_SAFE_INTEGER - 1 }, NO_NUMBER],
    ['headers that begin later', { change: (index) => index.with(1, (index[1] ?? 0) + 1) }, OUTSIDE],
    ['bodies before the headers', { listed: ['header', 'receipts', 'body'] }, OUTSIDE],
    ['bodies where headers begin', { change: (index) => index.with(2, index[1] ?? 0) }, OUTSIDE],
    ['receipts at the end', { change: (index) => index.with(3, 0) }, OUTSIDE],
    [
      'receipts at the accumulator',
      { accumulator: ACCUMULATOR, change: (index) => index.with(3, -ACCUMULATOR.length) },
      OUTSIDE,
    ],
    [
      'a fifth part before the receipts',
      {
        parts: ['header', 'body', 'proof', 'receipts', 'totalDifficulty'],
        listed: [...THREE, 'totalDifficulty', 'proof'],
      },
      OUTSIDE,
    ],
    [
      'proofs before the receipts',
      { parts: ['header', 'body', 'proof', 'receipts'], listed: [...THREE, 'proof'] },
      OUTSIDE,
    ],
  ])('refuses an index with %s', async (_, given, problem) => {
    await expect(read(write(given).bytes)).rejects.toThrow(new EraFileError(problem));
  });

  test('refuses a file that is an index alone, because it points outside of it', async () => {
    const index = entry(0x6732, words([0, 8, 30, 60, 3, 1]));
    await expect(read(index)).rejects.toThrow(new EraFileError(OUTSIDE));
  });

  test('refuses a file of the other format', async () => {
    await expect(read(write({}).bytes, 'era1')).rejects.toThrow(EraFileError);
    await expect(read(write({ format: 'era1' }).bytes, 'ere')).rejects.toThrow(EraFileError);
  });
});
