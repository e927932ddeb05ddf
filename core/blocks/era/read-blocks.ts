import { createListReader } from '../../proof/encoding/rlp-reader.ts';
import { createReceiptCompleter } from '../../proof/raw/bloomless-receipts.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';
import { payloadsIn, transactionsOfBody } from '../../proof/raw/raw-body.ts';
import { EraFileError, type EraFileName, type RandomAccess } from '../files/source.ts';
import { type BlockIndex, type BlockPart, readBlockIndex } from './block-index.ts';
import { createEntries, ENTRY_HEADER, ENTRY_TYPES, type Entries, readEntry } from './e2store-entries.ts';
import { createDecompressor, loadChecksum } from './snappy.ts';

/**
 * Reads and checks the index of an era file.
 * @throws EraFileError, UnreadableError
 */
export async function readEraIndex(file: RandomAccess, name: EraFileName): Promise<BlockIndex> {
  await loadChecksum();
  const version = readEntry(file, 0, ENTRY_HEADER, ENTRY_TYPES.version);
  // A file without an index is of another format.
  version.catch(() => {});
  const index = await readBlockIndex(file, name);
  if ((await version).length > 0) throw new EraFileError('its version is unknown');
  if (name.format === 'era1' && !index.hasAccumulator)
    throw new EraFileError('it has no accumulator before its index');
  return index;
}

/** Reads the header of one block. @param at its place in the file @throws EraFileError, UnreadableError */
export async function readEraHeader(file: RandomAccess, index: BlockIndex, at: number): Promise<Buffer> {
  const end = index.position(at + 1, 'header');
  const entry = await readEntry(file, index.position(at, 'header'), end, ENTRY_TYPES.header);
  return createDecompressor(MAX_HEADER)(entry);
}

/**
 * Reads the blocks of an era file in order. Each is valid until the next is read. The type, the position and the checksum of each entry
 * are checked. The content of proofs and total difficulties is not, because hashes decide which blocks count.
 * @param first place in the file of the first block to read
 * @throws EraFileError, UnreadableError or ProofError
 */
export const readEraBlocks = (
  file: RandomAccess,
  { format }: EraFileName,
  index: BlockIndex,
  first: number,
): AsyncGenerator<BlockBytes> => (format === 'ere' ? ereBlocks : era1Blocks)(file, index, first);

async function* era1Blocks(file: RandomAccess, index: BlockIndex, first: number): AsyncGenerator<BlockBytes> {
  const decompress = createDecompressors();
  const entries = createEntries(file, index.position(first, 'header'), index.position(index.count, 'header'));
  for (let block = first; block < index.count; block++) {
    const header = decompress.header(await entries.next(ENTRY_TYPES.header));
    const body = decompress.body(await entries.next(ENTRY_TYPES.body));
    const receipts = decompress.receipts(await entries.next(ENTRY_TYPES.receipts));
    await entries.next(ENTRY_TYPES.totalDifficulty);
    checkEnd(entries, index, block, 'header');
    yield {
      header,
      transactions: transactionsOfBody(body),
      receipts: payloadsIn(createListReader(receipts, 'receipts'), 'receipts'),
    };
  }
}

/** All headers come first, then all bodies, then all receipts, and so on: these places of the file are read side by side. */
async function* ereBlocks(file: RandomAccess, index: BlockIndex, first: number): AsyncGenerator<BlockBytes> {
  const decompress = createDecompressors();
  const fullReceipts = createReceiptCompleter('ere');
  const section = (part: BlockPart) => createSection(file, index, first, part);
  const [headers, bodies, receipts] = [section('header'), section('body'), section('receipts')];
  const difficulties = index.parts.includes('totalDifficulty') ? section('totalDifficulty') : undefined;
  const proofs = index.parts.includes('proof') ? section('proof') : undefined;
  for (let block = first; block < index.count; block++) {
    const header = decompress.header(await headers());
    const body = decompress.body(await bodies());
    const slim = decompress.receipts(await receipts());
    await difficulties?.();
    if (proofs) decompress.proof(await proofs());
    yield { header, transactions: transactionsOfBody(body), receipts: fullReceipts(slim) };
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

const ERE_TYPES: Readonly<Record<BlockPart, number>> = { ...ENTRY_TYPES, receipts: ENTRY_TYPES.slimReceipts };

/** Returns a function that reads the next entry of one kind in an ere file. */
function createSection(
  file: RandomAccess,
  index: BlockIndex,
  first: number,
  part: BlockPart,
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
function checkEnd(entries: Entries, index: BlockIndex, block: number, part: BlockPart): void {
  if (entries.position() !== index.position(block + 1, part)) {
    throw new EraFileError(`its index is wrong about the end of block ${block} of the file`);
  }
}
