import { createListReader } from '../proof/encoding/rlp-reader.ts';
import type { BlockBytes } from '../proof/prove-raw-block.ts';
import { createReceiptCompleter } from '../proof/raw/bloomless-receipts.ts';
import { payloadsIn, transactionsOfBody } from '../proof/raw/raw-body.ts';
import { type BlockIndex, type Part, readBlockIndex } from './block-index.ts';
import { createEntries, ENTRY_HEADER, ENTRY_TYPES, type Entries } from './e2store-entries.ts';
import type { BlockFileName } from './file-name.ts';
import { createDecompressor, loadChecksum } from './snappy.ts';
import { EraFileError, type RandomAccess } from './source.ts';

/** A block of an era file. */
export interface EraBlock extends BlockBytes {
  /** 256 bits, little-endian; absent where the file has none, as after the merge. */
  readonly totalDifficulty?: Buffer | undefined;
}

/** The blocks of an era file. */
export interface EraBlocks {
  /** Number of the first block. */
  readonly first: number;
  readonly count: number;
  /** The root of the header records, as the file states it. */
  readonly accumulator: Buffer | undefined;
  /**
   * Reads the blocks in order. Each is valid until the next is read. Every byte from the first block to the index belongs to an
   * entry whose type, position and checksum are checked. The content of proofs is not read, because hashes decide which blocks count.
   * @param index of the first block to read, in the file
   * @throws EraFileError, UnreadableError or ProofError
   */
  readonly from: (index: number) => AsyncGenerator<EraBlock>;
}

/** Blocks that are not in a file of their own: a range of a freezer. */
export interface BlockRange {
  /** Bytes that were read so far. */
  readonly size: number;
  readonly blocks: EraBlocks;
}

/**
 * Reads the index of an era file, and returns its blocks.
 * @throws EraFileError, UnreadableError
 */
export async function readEraBlocks(file: RandomAccess, name: BlockFileName): Promise<EraBlocks> {
  await loadChecksum();
  const index = await readBlockIndex(file, name);
  const version = createEntries(file, 0, ENTRY_HEADER);
  if ((await version.next(ENTRY_TYPES.version)).length > 0) throw new EraFileError('its version is unknown');
  const isEre = name.format === 'ere';
  if (!isEre && !index.accumulator) throw new EraFileError('it has no accumulator before its index');
  return {
    first: index.first,
    count: index.count,
    accumulator: index.accumulator,
    from: (first) => (isEre ? ereBlocks(file, index, first) : era1Blocks(file, index, first)),
  };
}

async function* era1Blocks(file: RandomAccess, index: BlockIndex, first: number): AsyncGenerator<EraBlock> {
  const decompress = createDecompressors();
  const entries = createEntries(file, index.position(first, 'header'), index.position(index.count, 'header'));
  for (let block = first; block < index.count; block++) {
    const header = decompress.header(await entries.next(ENTRY_TYPES.header));
    const body = decompress.body(await entries.next(ENTRY_TYPES.body));
    const receipts = decompress.receipts(await entries.next(ENTRY_TYPES.receipts));
    const totalDifficulty = await entries.next(ENTRY_TYPES.totalDifficulty);
    checkEnd(entries, index, block, 'header');
    yield {
      header,
      transactions: transactionsOfBody(body),
      receipts: payloadsIn(createListReader(receipts, 'receipts'), 'receipts'),
      totalDifficulty,
    };
  }
}

/** All headers come first, then all bodies, then all receipts, and so on: these places of the file are read side by side. */
async function* ereBlocks(file: RandomAccess, index: BlockIndex, first: number): AsyncGenerator<EraBlock> {
  const decompress = createDecompressors();
  const fullReceipts = createReceiptCompleter('ere');
  const section = (part: Part) => createSection(file, index, first, part);
  const [headers, bodies, receipts] = [section('header'), section('body'), section('receipts')];
  const difficulties = index.parts.includes('totalDifficulty') ? section('totalDifficulty') : undefined;
  const proofs = index.parts.includes('proof') ? section('proof') : undefined;
  for (let block = first; block < index.count; block++) {
    const header = decompress.header(await headers());
    const body = decompress.body(await bodies());
    const slim = decompress.receipts(await receipts());
    const totalDifficulty = await difficulties?.();
    if (proofs) decompress.proof(await proofs());
    yield { header, transactions: transactionsOfBody(body), receipts: fullReceipts(slim), totalDifficulty };
  }
}

/** Bytes. Today, a header and a proof have less than 1 KB each. */
export const MAX_HEADER = 65_536;

const createDecompressors = () => ({
  header: createDecompressor(MAX_HEADER),
  body: createDecompressor(),
  receipts: createDecompressor(),
  proof: createDecompressor(MAX_HEADER),
});

const ERE_TYPES: Readonly<Record<Part, number>> = { ...ENTRY_TYPES, receipts: ENTRY_TYPES.slimReceipts };

/** Returns a function that reads the next entry of one kind in an ere file. */
function createSection(
  file: RandomAccess,
  index: BlockIndex,
  first: number,
  part: Part,
): () => Promise<Buffer> {
  const entries = createEntries(file, index.position(first, part), index.position(index.count, part));
  let block = first;
  return async () => {
    const data = await entries.next(ERE_TYPES[part]);
    checkEnd(entries, index, block, part);
    block += 1;
    return data;
  };
}

/** Checks that the next block begins where the index says, or that the part of the last block ends where other entries begin. */
function checkEnd(entries: Entries, index: BlockIndex, block: number, part: Part): void {
  if (entries.position() !== index.position(block + 1, part)) {
    throw new EraFileError(`its index is wrong about the end of block ${block} of the file`);
  }
}
