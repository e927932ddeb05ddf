import { type BlockPart, readBlockIndex } from '#core/blocks/era/block-index.ts';
import { EraFileError } from '#core/blocks/files/source.ts';
import { entry, inMemory } from '#test/support/generators/files/era-files.ts';
import { eraName } from '#test/support/generators/files/era-name.ts';

/*
 * Reading the index at the end of an era file. These files have nothing but what that needs: the header of their version, space for
 * blocks, perhaps an accumulator, and the index.
 */

const HEADER = 8;
const VERSION = entry(0x6532, Buffer.alloc(0));
const ACCUMULATOR = entry(0x0700, Buffer.alloc(32));
const INDEX_TYPES = { era1: 0x6632, ere: 0x6732 };

interface Written {
  readonly format?: keyof typeof INDEX_TYPES;
  readonly first?: bigint;
  /** The positions of each block's parts in the file; one for each block in an era1 file. */
  readonly positions: readonly (readonly number[])[];
  /** Bytes of the file before its accumulator or index. */
  readonly length?: number;
  readonly hasAccumulator?: boolean;
  /** Number of blocks and of their parts that the index states. */
  readonly count?: number;
  readonly width?: number;
}

/** Writes a file with an index of an ere file, unless another format is given. */
function fileWith({ format = 'ere', first = 0n, positions, length = 100, ...rest }: Written): Buffer {
  const { hasAccumulator = false, count = positions.length, width = positions[0]?.length ?? 0 } = rest;
  const content = length === 0 ? [] : [VERSION, Buffer.alloc(length - HEADER)];
  const before = Buffer.concat([...content, ...(hasAccumulator ? [ACCUMULATOR] : [])]);
  const offsets = positions.flat().map((position) => BigInt(position - before.length));
  const words = [first, ...offsets, ...(format === 'ere' ? [BigInt(width)] : []), BigInt(count)];
  const data = Buffer.alloc(8 * words.length);
  for (const [at, word] of words.entries()) data.writeBigInt64LE(word, 8 * at);
  return Buffer.concat([before, entry(INDEX_TYPES[format], data)]);
}

const read = (file: Buffer, format: keyof typeof INDEX_TYPES = 'ere') =>
  readBlockIndex(inMemory(file), eraName(`mainnet-00000-01234567.${format}`));

/** Two blocks with headers at 8 and 20, bodies at 30 and 45, and receipts at 60 and 80. */
const THREE_PARTS = [
  [8, 30, 60],
  [20, 45, 80],
];
const PARTS: readonly BlockPart[] = ['header', 'body', 'receipts', 'totalDifficulty', 'proof'];

test('gives the position of each part, whose last entry ends where another part begins, or the index', async () => {
  // The largest number of which that of the end is exact.
  const number = Number.MAX_SAFE_INTEGER - 2;
  const file = fileWith({ first: BigInt(number), positions: THREE_PARTS });
  const { first, count, parts, hasAccumulator, position } = await read(file);
  expect({ first, count, parts, hasAccumulator }).toEqual({
    first: number,
    count: 2,
    parts: PARTS.slice(0, 3),
    hasAccumulator: false,
  });
  const positions = parts.map((part) => [0, 1, 2].map((index) => position(index, part)));
  expect(positions).toEqual([
    [8, 20, 30],
    [30, 45, 60],
    [60, 80, 100],
  ]);
});

test('ends the last part at the accumulator where there is one, and has headers alone in an era1 file', async () => {
  const file = fileWith({ format: 'era1', positions: [[8], [50]], hasAccumulator: true });
  const { parts, hasAccumulator, position } = await read(file, 'era1');
  expect({ parts, hasAccumulator }).toEqual({ parts: ['header'], hasAccumulator: true });
  expect([0, 1, 2].map((index) => position(index, 'header'))).toEqual([8, 50, 100]);
});

test('reads the longest index: 8,192 blocks with all five parts, behind an accumulator', async () => {
  const count = 8_192;
  const positions = Array.from({ length: count }, (_, block) =>
    PARTS.map((_, part) => 8 + part * 10 * count + 10 * block),
  );
  const length = 8 + PARTS.length * 10 * count;
  const index = await read(fileWith({ positions, length, hasAccumulator: true }));
  expect(index).toMatchObject({ count, parts: PARTS, hasAccumulator: true });
  expect(index.position(count - 1, 'proof')).toBe(length - 10);
  expect(index.position(count, 'proof')).toBe(length);

  const longer = fileWith({ positions: [...positions, positions[0] ?? []], length });
  await expect(read(longer)).rejects.toThrow('it does not end with an index');
});

describe('the index is refused', () => {
  const NO_INDEX = 'it does not end with an index: the file is truncated or of another format';
  const OUTSIDE = 'its index points outside of it, or its parts are out of order';
  const NO_NUMBER = 'its index begins with a number that no block has';

  test.each<[string, Written, string]>([
    ['without blocks', { positions: [], width: 3 }, NO_INDEX],
    ['with blocks of two parts', { positions: [[8, 30]] }, NO_INDEX],
    ['with blocks of six parts', { positions: [[8, 20, 30, 40, 50, 60]] }, NO_INDEX],
    [
      'with more blocks than its length allows',
      { positions: THREE_PARTS, count: 3 },
      'an entry of type 0x3267 was expected',
    ],
    ['if nothing is before it', { positions: THREE_PARTS, length: 0 }, OUTSIDE],
    ['if the first header does not follow the version', { positions: [[9, 30, 60]] }, OUTSIDE],
    ['if bodies begin with the headers', { positions: [[8, 8, 60]] }, OUTSIDE],
    ['if receipts are before bodies', { positions: [[8, 60, 30]] }, OUTSIDE],
    ['if a further part is before the receipts', { positions: [[8, 30, 60, 59]] }, OUTSIDE],
    ['if the last part is before the receipts', { positions: [[8, 30, 60, 80, 59]] }, OUTSIDE],
    ['if receipts begin where it begins itself', { positions: [[8, 30, 100]] }, OUTSIDE],
    ['if receipts begin with the accumulator', { positions: [[8, 30, 100]], hasAccumulator: true }, OUTSIDE],
    ['if its first number is negative', { positions: THREE_PARTS, first: -1n }, NO_NUMBER],
    [
      'if the number after its last block is not exact',
      { positions: THREE_PARTS, first: 2n ** 53n - 2n },
      NO_NUMBER,
    ],
  ])('%s', async (_, written, reason) => {
    const refused = read(fileWith(written));
    await expect(refused).rejects.toThrow(EraFileError);
    await expect(refused).rejects.toThrow(reason);
  });
});
