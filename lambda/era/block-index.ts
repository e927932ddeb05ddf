import { ENTRY_HEADER, ENTRY_TYPES, entryLength } from './entries.ts';
import { EraFileError } from './era-file-error.ts';
import { BLOCKS_PER_FILE, type EraFileName } from './file-name.ts';
import type { RandomAccess } from './random-access.ts';

/** The parts of a block that an era1 file has one after the other, and an ere file in a column each. */
export type Part = 'header' | 'body' | 'receipts';

/** The index at the end of an era file. */
export interface BlockIndex {
  /** Number of the first block. */
  readonly first: number;
  /** Blocks in the file. */
  readonly count: number;
  /** Position of the index in the file. */
  readonly start: number;
  /**
   * Returns the position of a part of a block; in an era1 file, of its header.
   * @param index of the block in the file
   */
  readonly position: (index: number, part: Part) => number;
}

const WORD = 8;
/** Header, body and receipts, then a total difficulty and a proof in files that have them. */
const FEWEST_COMPONENTS = 3;
const MOST_COMPONENTS = 5;
const COLUMN: Readonly<Record<Part, number>> = { header: 0, body: 1, receipts: 2 };

/**
 * Reads the index of an era file: https://github.com/eth-clients/e2store-format-specs formats/era1.md and formats/ere.md.
 * @throws EraFileError when the file does not end with one
 */
export async function readBlockIndex(file: RandomAccess, { format }: EraFileName): Promise<BlockIndex> {
  const isEre = format === 'ere';
  const words = (isEre ? MOST_COMPONENTS : 1) * BLOCKS_PER_FILE + 3;
  const tail = await file.read(Math.max(0, file.size - ENTRY_HEADER - words * WORD), file.size);
  const wordAt = (position: number): number => {
    const word = position < 0 || position + WORD > tail.length ? -1n : tail.readBigInt64LE(position);
    return Number(word);
  };
  const count = wordAt(tail.length - WORD);
  const components = isEre ? wordAt(tail.length - 2 * WORD) : 1;
  const length = (1 + components * count + (isEre ? 2 : 1)) * WORD;
  const begin = tail.length - length - ENTRY_HEADER;
  const isPossible =
    count > 0 &&
    count <= BLOCKS_PER_FILE &&
    (!isEre || (components >= FEWEST_COMPONENTS && components <= MOST_COMPONENTS)) &&
    begin >= 0;
  const type = isEre ? ENTRY_TYPES.dynamicBlockIndex : ENTRY_TYPES.blockIndex;
  if (!isPossible || entryLength(tail, begin, type) !== length) {
    throw new EraFileError('it does not end with an index: the file is truncated or of another format');
  }
  const start = file.size - ENTRY_HEADER - length;
  const position = (index: number, part: Part) =>
    start + wordAt(begin + ENTRY_HEADER + WORD * (1 + components * index + (isEre ? COLUMN[part] : 0)));
  return { first: wordAt(begin + ENTRY_HEADER), count, start, position };
}
