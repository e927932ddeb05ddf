import { createListReader } from '../../proof/encoding/rlp-reader.ts';
import { createReceiptCompleter } from '../../proof/raw/bloomless-receipts.ts';
import type { BlockBytes } from '../../proof/raw/prove-raw-block.ts';
import { payloadsIn, transactionsOfBody } from '../../proof/raw/raw-body.ts';
import { type BlockFile, EraFileError, type EraFileName, type RandomAccess } from '../files/source.ts';
import { type BlockIndex, type BlockPart, readBlockIndex } from './block-index.ts';
import { createEntries, ENTRY_HEADER, ENTRY_TYPES, readEntry } from './e2store-entries.ts';
import { createDecompressor, loadChecksum } from './snappy.ts';

/** Opens an era file, and checks its version and its index. @throws EraFileError, UnreadableError */
export async function openEraFile(file: RandomAccess, name: EraFileName): Promise<BlockFile> {
  await loadChecksum();
  const version = readEntry(file, 0, ENTRY_HEADER, ENTRY_TYPES.version);
  // A file without an index is of another format.
  version.catch(() => {});
  const index = await readBlockIndex(file, name);
  if ((await version).length > 0) throw new EraFileError('its version is unknown');
  if (name.format === 'era1' && !index.hasAccumulator)
    throw new EraFileError('it has no accumulator before its index');
  const { first, count, position } = index;
  return {
    name: name.name,
    first,
    last: first + count - 1,
    header: async (number) => {
      const [at, end] = [position(number - first, 'header'), position(number - first + 1, 'header')];
      return createDecompressor(MAX_HEADER)(await readEntry(file, at, end, ENTRY_TYPES.header));
    },
    blocks: (from) => readBlocks(file, name, index, from - first),
  };
}

/**
 * Reads the blocks of an era file in order. Each is valid until the next is read. The type, the position and the checksum of each entry
 * are checked. The content of proofs and total difficulties is not, because hashes decide which blocks count.
 *
 * In an era1 file, the other parts of a block follow its header. In an ere file, all headers come first, then all bodies, then all receipts,
 * and so on: these places of the file are read side by side.
 * @param first place in the file of the first block to read
 */
async function* readBlocks(
  file: RandomAccess,
  { format }: EraFileName,
  index: BlockIndex,
  first: number,
): AsyncGenerator<BlockBytes> {
  const [decompress, completeReceipts] = [createDecompressors(), createReceiptCompleter('ere')];
  const { parts, position, count } = index;
  const open = (part: BlockPart) => createEntries(file, position(first, part), position(count, part));
  const headers = open('header');
  const places = parts.map((part) => ({ part, entries: part === 'header' ? headers : open(part) }));
  const next = (part: BlockPart, type: keyof typeof ENTRY_TYPES = part) =>
    (places.find((place) => place.part === part)?.entries ?? headers).next(ENTRY_TYPES[type]);
  const isEre = format === 'ere';
  for (let block = first; block < count; block++) {
    const header = decompress.header(await next('header'));
    const body = decompress.body(await next('body'));
    const receipts = decompress.receipts(await next('receipts', isEre ? 'slimReceipts' : 'receipts'));
    if (!isEre || parts.includes('totalDifficulty')) await next('totalDifficulty');
    if (parts.includes('proof')) decompress.proof(await next('proof'));
    // The next block begins where the index says, or the part of the last block ends where other entries begin.
    if (places.some(({ part, entries }) => entries.position() !== position(block + 1, part)))
      throw new EraFileError(`its index is wrong about the end of block ${block} of the file`);
    yield {
      header,
      transactions: transactionsOfBody(body),
      receipts: isEre
        ? completeReceipts(receipts)
        : payloadsIn(createListReader(receipts, 'receipts'), 'receipts'),
    };
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
