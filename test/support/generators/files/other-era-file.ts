import type { BlockBytes } from '#core/proof/raw/prove-raw-block.ts';
import {
  bodyOf,
  headerRecords,
  receiptsOf,
  slimReceiptsOf,
  type WrittenEra,
} from '#test/support/generators/files/era-files.ts';

/* Era files by another library. */

/** Loads `@ethereumjs/e2store`. Its CommonJS build expects a default export, which one of its dependencies lacks. */
export async function loadE2store() {
  const streams: object = jest.requireActual('@chainsafe/snappy-stream');
  Object.assign(streams, { default: streams });
  return await import('@ethereumjs/e2store');
}

const totalOf = (littleEndian: Uint8Array) =>
  BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`);

/** The hash and the total difficulty of each block, as the library has them. */
const recordsOf = (place: WrittenEra, blocks: readonly BlockBytes[]) =>
  headerRecords(blocks, place).map(({ hash, totalDifficulty, difficulty }) => ({
    blockHash: hash,
    totalDifficulty: totalOf(totalDifficulty),
    isPreMerge: difficulty > 0n,
  }));

/** Writes an era1 file. @param place at the beginning of an era */
export async function otherEra1File(place: WrittenEra, blocks: readonly BlockBytes[]): Promise<Buffer> {
  const { formatEra1 } = await loadE2store();
  const records = recordsOf(place, blocks);
  const tuples = blocks.map((block, index) => ({
    header: block.header,
    body: bodyOf(block),
    receipts: receiptsOf(block),
    totalDifficulty: records[index]?.totalDifficulty ?? 0n,
  }));
  const file = Buffer.from(await formatEra1(tuples, records, place.first / 8_192));
  // Version 10.0.0 writes offsets as if eight bytes came before the index, and not the 40 of the accumulator.
  for (let block = 0; block < blocks.length; block++) {
    const at = file.length - 8 * (blocks.length + 1) + 8 * block;
    file.writeBigInt64LE(file.readBigInt64LE(at) - 32n, at);
  }
  return file;
}

/** Writes an ere file. The library has no writer of them, but one of their entries. */
export async function otherEreFile(place: WrittenEra, blocks: readonly BlockBytes[]): Promise<Buffer> {
  const { EpochAccumulator, Era1Types, formatEntry, VERSION } = await loadE2store();
  const records = recordsOf(place, blocks);
  const sections: readonly (readonly [type: readonly number[], data: readonly Uint8Array[]])[] = [
    [[3, 0], blocks.map(({ header }) => header)],
    [[4, 0], blocks.map(bodyOf)],
    [[10, 0], blocks.map(slimReceiptsOf)],
    [[6, 0], headerRecords(blocks, place).map(({ totalDifficulty }) => totalDifficulty)],
  ];
  const chunks: Uint8Array[] = [await formatEntry(VERSION)];
  const size = () => chunks.reduce((sum, { length }) => sum + length, 0);
  const positions: number[][] = blocks.map(() => []);
  for (const [type, data] of sections) {
    for (const [block, one] of data.entries()) {
      positions[block]?.push(size());
      chunks.push(await formatEntry({ type: Uint8Array.from(type), data: one }));
    }
  }
  const root = EpochAccumulator.merkleRoot(records.filter(({ isPreMerge }) => isPreMerge));
  chunks.push(await formatEntry({ type: Era1Types.AccumulatorRoot, data: root }));
  const start = size();
  const words = [place.first, ...positions.flat().map((at) => at - start), sections.length, blocks.length];
  const index = new DataView(new ArrayBuffer(8 + 8 * words.length));
  index.setUint16(0, 0x6732);
  index.setUint32(2, 8 * words.length, true);
  for (const [at, word] of words.entries()) index.setBigInt64(8 + 8 * at, BigInt(word), true);
  return Buffer.concat([...chunks, new Uint8Array(index.buffer)]);
}
