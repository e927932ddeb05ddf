import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { compress } from 'snappyjs';
import type { RandomAccess } from '#core/blocks/files/source.ts';
import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import {
  decodeRlp,
  inList,
  isLegacy,
  type Nested,
  rlp,
} from '#test/support/generators/blocks/block-bytes.ts';

/* A writer of era files, independent of the code that reads them: formats/era1.md and formats/ere.md of eth-clients/e2store-format-specs. */

/** CRC-32C, bit by bit. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const MAX_CHUNK = 65_536;

/** Frames bytes as https://github.com/google/snappy/blob/main/framing_format.txt says. */
export function snappyFrames(bytes: Uint8Array): Buffer {
  const chunks = [Buffer.from('ff060000734e61507059', 'hex')];
  for (let at = 0; at < bytes.length; at += MAX_CHUNK) {
    const part = bytes.subarray(at, at + MAX_CHUNK);
    const compressed = compress(part);
    const isSmaller = compressed.length < part.length;
    const data = isSmaller ? compressed : part;
    const head = Buffer.alloc(8);
    head.writeUIntLE(((data.length + 4) << 8) | (isSmaller ? 0 : 1), 0, 4);
    const crc = crc32c(part);
    head.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0, 4);
    chunks.push(head, Buffer.from(data));
  }
  return Buffer.concat(chunks);
}

export function entry(type: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(type, 0);
  head.writeUInt32LE(data.length, 2);
  return Buffer.concat([head, data]);
}

const words = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigInt64LE(BigInt(value), 8 * index);
  return bytes;
};

/** Body and receipts of a block as RLP. */
export const bodyOf = ({ transactions }: BlockBytes) => rlp([transactions.map(inList), []]);
export const receiptsOf = ({ receipts }: BlockBytes) => rlp(receipts.map(inList));

/** Returns receipts as a file has them: without their blooms. @param form gets the type and the members of a receipt */
export const bloomlessReceipts = (
  { receipts }: BlockBytes,
  form: (type: Uint8Array, members: readonly Nested[]) => readonly Nested[],
): Uint8Array =>
  rlp(
    receipts.map((payload) => {
      const typeEnd = isLegacy(payload) ? 0 : 1;
      const [outcome, gas, _bloom, ...others] = decodeRlp(payload.subarray(typeEnd)) as Nested[];
      return form(payload.subarray(0, typeEnd), [outcome, gas, ...others] as Nested[]);
    }),
  );

/** Receipts with their types inside. */
export const slimReceiptsOf = (block: BlockBytes) =>
  bloomlessReceipts(block, (type, members) => [type, ...members.slice(0, 3)]);

const VERSION = entry(0x6532, new Uint8Array());

/** Positions of entries that follow each other, relative to `index`. */
function positions(entries: readonly Uint8Array[], from: number, index: number): number[] {
  let at = from - index;
  return entries.map(({ length }) => {
    at += length;
    return at - length;
  });
}

/** The place of a file in the chain. */
export interface WrittenEra {
  /** Number of the first block. */
  readonly first: number;
  /** Total difficulty of its parent. */
  readonly before?: bigint;
}

/** The record of each block in an accumulator, with its difficulty. */
interface HeaderRecord {
  readonly hash: Uint8Array;
  readonly difficulty: bigint;
  /** 256 bits, little-endian. */
  readonly totalDifficulty: Buffer;
}

const bigintOf = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
const littleEndian = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

export function headerRecords(blocks: readonly BlockBytes[], { before = 0n }: WrittenEra): HeaderRecord[] {
  let total = before;
  return blocks.map(({ header }) => {
    const difficulty = bigintOf((decodeRlp(header) as Uint8Array[])[7] as Uint8Array);
    total += difficulty;
    return { hash: keccak_256(header), difficulty, totalDifficulty: littleEndian(total) };
  });
}

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Root of a tree of `2 ** depth` leaves, of which the last are zero. */
function treeRoot(leaves: readonly Buffer[], depth: number): Buffer {
  if (depth === 0) return leaves[0] ?? Buffer.alloc(32);
  const half = 2 ** (depth - 1);
  const left = treeRoot(leaves.slice(0, half), depth - 1);
  return sha256(left, leaves.length === 0 ? left : treeRoot(leaves.slice(half), depth - 1));
}

/** The SSZ hash tree root of a list of at most 8,192 records. */
function accumulatorOf(records: readonly HeaderRecord[]): Buffer {
  const leaves = records.map(({ hash, totalDifficulty }) => sha256(hash, totalDifficulty));
  return sha256(treeRoot(leaves, 13), littleEndian(BigInt(records.length)));
}

/** Writes an era1 file. */
export function era1File(place: WrittenEra, blocks: readonly BlockBytes[]): Buffer {
  const records = headerRecords(blocks, place);
  const tuples = blocks.map((block, index) =>
    Buffer.concat([
      entry(0x0300, snappyFrames(block.header)),
      entry(0x0400, snappyFrames(bodyOf(block))),
      entry(0x0500, snappyFrames(receiptsOf(block))),
      entry(0x0600, (records[index] as HeaderRecord).totalDifficulty),
    ]),
  );
  const content = Buffer.concat([VERSION, ...tuples, entry(0x0700, accumulatorOf(records))]);
  const index = [place.first, ...positions(tuples, VERSION.length, content.length), blocks.length];
  return Buffer.concat([content, entry(0x6632, words(index))]);
}

const isBeforeMerge = ({ difficulty }: HeaderRecord) => difficulty > 0n;

interface EreOptions {
  readonly hasProofs?: boolean;
  /** The index lists proofs before total difficulties, as Nimbus writes it. */
  readonly isIndexInFileOrder?: boolean;
}

/** Writes an ere file. If its first block is from before the merge, it has total difficulties and an accumulator. */
export function ereFile(
  place: WrittenEra,
  blocks: readonly BlockBytes[],
  { hasProofs = false, isIndexInFileOrder = false }: EreOptions = {},
): Buffer {
  const records = headerRecords(blocks, place);
  const isPreMerge = records.slice(0, 1).some(isBeforeMerge);
  const difficulties = records.map(({ totalDifficulty }) => entry(0x0600, totalDifficulty));
  // No reader of blocks looks into them.
  const proofs = records.map(({ hash }) => entry(0x0b00, snappyFrames(rlp([Uint8Array.of(0), hash]))));
  const sections = [
    blocks.map((block) => entry(0x0300, snappyFrames(block.header))),
    blocks.map((block) => entry(0x0400, snappyFrames(bodyOf(block)))),
    blocks.map((block) => entry(0x0a00, snappyFrames(slimReceiptsOf(block)))),
    ...(hasProofs ? [proofs] : []),
    ...(isPreMerge ? [difficulties] : []),
  ];
  const accumulator = isPreMerge ? [entry(0x0700, accumulatorOf(records.filter(isBeforeMerge)))] : [];
  const content = Buffer.concat([VERSION, ...sections.flat(), ...accumulator]);
  const offsets = positions(sections.flat(), VERSION.length, content.length);
  // The format lists proofs last, unlike the file.
  const isReordered = hasProofs && isPreMerge && !isIndexInFileOrder;
  const columns = isReordered ? [0, 1, 2, 4, 3] : [...sections.keys()];
  const index = blocks.flatMap((_, block) =>
    columns.map((column) => offsets[column * blocks.length + block] as number),
  );
  return Buffer.concat([
    content,
    entry(0x6732, words([place.first, ...index, columns.length, blocks.length])),
  ]);
}

/** Returns the name of a file with these blocks. */
export function eraFileName(
  format: 'era1' | 'ere',
  era: number,
  place: WrittenEra,
  blocks: readonly BlockBytes[],
): string {
  const records = headerRecords(blocks, place);
  const hash = Buffer.from(format === 'era1' ? accumulatorOf(records) : (records.at(-1)?.hash ?? []));
  return `mainnet-${String(era).padStart(5, '0')}-${hash.toString('hex', 0, 4)}.${format}`;
}

/** Returns a file in memory. */
export const inMemory = (bytes: Buffer): RandomAccess => ({
  size: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
});
