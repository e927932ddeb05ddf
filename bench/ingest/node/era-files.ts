import { RLP } from '@ethereumjs/rlp';
import { compress } from 'snappyjs';
import type { RandomAccess } from '../../../lambda/era/random-access.ts';
import type { BlockBytes } from '../../../lambda/proof/prove-raw-block.ts';
import { rlp } from './block-bytes.ts';

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

const LARGEST_CHUNK = 65_536;

/** Frames bytes as https://github.com/google/snappy/blob/main/framing_format.txt says. */
export function snappyFrames(bytes: Uint8Array): Buffer {
  const chunks = [Buffer.from('ff060000734e61507059', 'hex')];
  for (let at = 0; at < bytes.length; at += LARGEST_CHUNK) {
    const part = bytes.subarray(at, at + LARGEST_CHUNK);
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

type Nested = Uint8Array | readonly Nested[];
const decoded = (bytes: Uint8Array) => RLP.decode(bytes) as Nested;
const isLegacy = (payload: Uint8Array) => (payload[0] ?? 0) >= 0xc0;

/** A legacy transaction or receipt stands in a list as it is, and a typed one as a byte string. */
const inList = (payload: Uint8Array): Nested => (isLegacy(payload) ? decoded(payload) : payload);

/** Body and receipts of a block as RLP. */
export const bodyOf = ({ transactions }: BlockBytes) => rlp([transactions.map(inList), []]);
export const receiptsOf = ({ receipts }: BlockBytes) => rlp(receipts.map(inList));

/** Receipts without their blooms, with their types inside. */
const slimReceiptsOf = ({ receipts }: BlockBytes) =>
  rlp(
    receipts.map((payload) => {
      const [outcome, gas, _bloom, logs] = decoded(
        isLegacy(payload) ? payload : payload.subarray(1),
      ) as Nested[];
      const type = isLegacy(payload) ? new Uint8Array() : payload.subarray(0, 1);
      return [type, outcome, gas, logs] as Nested[];
    }),
  );

const VERSION = entry(0x6532, new Uint8Array());
const HASH = new Uint8Array(32);

/** Positions of entries that follow each other, relative to `index`. */
function positions(entries: readonly Uint8Array[], from: number, index: number): number[] {
  let at = from - index;
  return entries.map(({ length }) => {
    at += length;
    return at - length;
  });
}

/** Writes an era1 file. @param first number of the first block */
export function era1File(first: number, blocks: readonly BlockBytes[]): Buffer {
  const tuples = blocks.map((block) =>
    Buffer.concat([
      entry(0x0300, snappyFrames(block.header)),
      entry(0x0400, snappyFrames(bodyOf(block))),
      entry(0x0500, snappyFrames(receiptsOf(block))),
      entry(0x0600, HASH),
    ]),
  );
  const content = Buffer.concat([VERSION, ...tuples, entry(0x0700, HASH)]);
  const index = [first, ...positions(tuples, VERSION.length, content.length), blocks.length];
  return Buffer.concat([content, entry(0x6632, words(index))]);
}

/** Writes an ere file, without total difficulties and proofs. @param first number of the first block */
export function ereFile(first: number, blocks: readonly BlockBytes[]): Buffer {
  const columns = [
    blocks.map((block) => entry(0x0300, snappyFrames(block.header))),
    blocks.map((block) => entry(0x0400, snappyFrames(bodyOf(block)))),
    blocks.map((block) => entry(0x0a00, snappyFrames(slimReceiptsOf(block)))),
  ];
  const content = Buffer.concat([VERSION, ...columns.flat()]);
  const offsets = positions(columns.flat(), VERSION.length, content.length);
  const index = blocks.flatMap((_, block) =>
    columns.map((_, column) => offsets[column * blocks.length + block] as number),
  );
  return Buffer.concat([content, entry(0x6732, words([first, ...index, columns.length, blocks.length]))]);
}

/** Returns a file in memory. */
export const inMemory = (bytes: Buffer): RandomAccess => ({
  size: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
  close: async () => {},
});
