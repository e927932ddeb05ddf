import { BLOCKS_PER_FILE, EraFileError, type EraFileName, type RandomAccess } from '../files/source.ts';
import { ENTRY_HEADER, ENTRY_TYPES, entryLength } from './e2store-entries.ts';

/** The parts of a block that the index of an ere file lists. That of an era1 file lists headers; the other parts follow them. */
export type BlockPart = 'header' | 'body' | 'receipts' | 'totalDifficulty' | 'proof';

/** The index of an era file. */
export interface BlockIndex {
  /** Number of the first block. */
  readonly first: number;
  readonly count: number;
  readonly parts: readonly BlockPart[];
  /** True when the root of the header records stands before the index. Nothing of it is needed: hashes decide which blocks count. */
  readonly hasAccumulator: boolean;
  /**
   * Returns the position of a part in the file.
   * @param index of the block in the file; `count` gives the end of the part of the last block
   */
  readonly position: (index: number, part: BlockPart) => number;
}

const WORD = 8;
const ACCUMULATOR_HEADER = Buffer.from('0700200000000000', 'hex');
const ACCUMULATOR_ENTRY = ENTRY_HEADER + 32;
const MIN_PARTS = 3;
const ALL_PARTS: readonly BlockPart[] = ['header', 'body', 'receipts', 'totalDifficulty', 'proof'];

/** Reads a 64-bit word in the last bytes of a file; returns -1 for a position before them. */
const wordAt = (tail: Buffer, position: number): number =>
  position < 0 ? -1 : Number(tail.readBigInt64LE(position));

/**
 * Reads the index of an era file: https://github.com/eth-clients/e2store-format-specs formats/era1.md and formats/ere.md.
 * @throws EraFileError when the file does not end with one, or sections are not in the order of the format
 */
export async function readBlockIndex(file: RandomAccess, { format }: EraFileName): Promise<BlockIndex> {
  const isEre = format === 'ere';
  const words = (isEre ? ALL_PARTS.length : 1) * BLOCKS_PER_FILE + 3;
  const longest = ACCUMULATOR_ENTRY + ENTRY_HEADER + words * WORD;
  const tail = await file.read(Math.max(0, file.size - longest), file.size);
  const { begin, count, width } = findIndex(tail, isEre);
  const start = file.size - tail.length + begin;
  const before = begin - ACCUMULATOR_ENTRY;
  const hasAccumulator =
    before >= 0 && tail.subarray(before, before + ENTRY_HEADER).equals(ACCUMULATOR_HEADER);
  const end = start - (hasAccumulator ? ACCUMULATOR_ENTRY : 0);
  const first = wordAt(tail, begin + ENTRY_HEADER);
  if (first < 0 || !Number.isSafeInteger(first + count))
    throw new EraFileError('its index begins with a number that no block has');
  const offset = (index: number, column: number) =>
    start + wordAt(tail, begin + ENTRY_HEADER + WORD * (1 + width * index + column));
  const starts = Array.from({ length: width }, (_, column) => offset(0, column));
  checkOrder(starts, end);
  const parts = await partsAt(file, starts);
  const ends = starts.map((start) => Math.min(end, ...starts.filter((other) => other > start)));
  const position = (index: number, part: BlockPart) => {
    const column = parts.indexOf(part);
    return index === count ? (ends[column] as number) : offset(index, column);
  };
  return { first, count, parts, hasAccumulator, position };
}

/** Returns where the index begins in the tail of a file, its number of blocks, and the offsets that it has for each. */
function findIndex(tail: Buffer, isEre: boolean) {
  const count = wordAt(tail, tail.length - WORD);
  const width = isEre ? wordAt(tail, tail.length - 2 * WORD) : 1;
  const length = (1 + width * count + (isEre ? 2 : 1)) * WORD;
  const begin = tail.length - length - ENTRY_HEADER;
  const isPossible =
    count > 0 &&
    count <= BLOCKS_PER_FILE &&
    (!isEre || (width >= MIN_PARTS && width <= ALL_PARTS.length)) &&
    begin >= 0;
  const type = isEre ? ENTRY_TYPES.dynamicBlockIndex : ENTRY_TYPES.blockIndex;
  if (isPossible && entryLength(tail, begin, type) === length) return { begin, count, width };
  throw new EraFileError('it does not end with an index: the file is truncated or of another format');
}

/** Checks the order of the parts: version, headers, bodies, receipts, then the other parts in any order. */
function checkOrder(starts: readonly number[], end: number): void {
  const isInOrder =
    starts[0] === ENTRY_HEADER &&
    starts.every((start, column) => start < end && start > (starts[Math.min(column, MIN_PARTS) - 1] ?? 0));
  if (!isInOrder) throw new EraFileError('its index points outside of it, or its parts are out of order');
}

/**
 * Returns the parts that an index lists. The format lists total difficulties before proofs, and Nimbus lists them as they follow in
 * the file: https://github.com/status-im/nimbus-eth1 execution_chain/history/e2store_formats/ere.nim.
 */
async function partsAt(file: RandomAccess, starts: readonly number[]): Promise<readonly BlockPart[]> {
  const [fourth] = starts.slice(MIN_PARTS);
  if (fourth === undefined) return ALL_PARTS.slice(0, starts.length);
  const isProof = (await file.read(fourth, fourth + ENTRY_HEADER)).readUInt16LE() === ENTRY_TYPES.proof;
  const others = ALL_PARTS.slice(MIN_PARTS);
  const parts = [...ALL_PARTS.slice(0, MIN_PARTS), ...(isProof ? others.toReversed() : others)];
  return parts.slice(0, starts.length);
}
