import type { BlockBytes } from '../proof/prove-raw-block.ts';
import { payloadsIn, transactionsOfBody } from '../proof/raw-body.ts';
import { openList } from '../proof/rlp-reader.ts';
import { openSlimReceipts } from '../proof/slim-receipts.ts';
import { type BlockIndex, type Part, readBlockIndex } from './block-index.ts';
import { ENTRY_HEADER, ENTRY_TYPES, type Entries, openEntries } from './entries.ts';
import { EraFileError } from './era-file-error.ts';
import type { EraFileName } from './file-name.ts';
import type { RandomAccess } from './random-access.ts';
import { loadChecksum, openDecompressor } from './snappy.ts';

/** The blocks of an era file. */
export interface EraBlocks {
  /** Number of the first block. */
  readonly first: number;
  readonly count: number;
  /**
   * Reads the blocks in order. Each is valid until the next is read.
   * @param index of the first block to read, in the file
   * @throws EraFileError, UnreadableError or ProofError
   */
  readonly from: (index: number) => AsyncGenerator<BlockBytes>;
}

/**
 * Opens an era file. Total difficulties, accumulators and proofs are not read: hashes decide which blocks count.
 * @throws EraFileError, UnreadableError
 */
export async function openEraBlocks(file: RandomAccess, name: EraFileName): Promise<EraBlocks> {
  await loadChecksum();
  const index = await readBlockIndex(file, name);
  const version = openEntries(file, 0, ENTRY_HEADER);
  if ((await version.next(ENTRY_TYPES.version)).length > 0) throw new EraFileError('its version is unknown');
  return {
    ...{ first: index.first, count: index.count },
    from: (first) => (name.format === 'ere' ? ereBlocks(file, index, first) : era1Blocks(file, index, first)),
  };
}

async function* era1Blocks(file: RandomAccess, index: BlockIndex, first: number): AsyncGenerator<BlockBytes> {
  const decompress = openDecompressors();
  const entries = openEntries(file, index.position(first, 'header'), index.start);
  for (let block = first; block < index.count; block++) {
    checkPosition(entries, index, block, 'header');
    const header = decompress.header(await entries.next(ENTRY_TYPES.header));
    const body = decompress.body(await entries.next(ENTRY_TYPES.body));
    const receipts = decompress.receipts(await entries.next(ENTRY_TYPES.receipts));
    await entries.next(ENTRY_TYPES.totalDifficulty);
    yield {
      header,
      transactions: transactionsOfBody(body),
      receipts: payloadsIn(openList(receipts, 'receipts'), 'receipts'),
    };
  }
}

/** All headers come first, then all bodies, then all receipts: three places of the file are read side by side. */
async function* ereBlocks(file: RandomAccess, index: BlockIndex, first: number): AsyncGenerator<BlockBytes> {
  const decompress = openDecompressors();
  const fullReceipts = openSlimReceipts();
  const column = (part: Part, end: number) => openEntries(file, index.position(first, part), end);
  const headers = column('header', index.position(0, 'body'));
  const bodies = column('body', index.position(0, 'receipts'));
  const receipts = column('receipts', index.start);
  for (let block = first; block < index.count; block++) {
    checkPosition(headers, index, block, 'header');
    checkPosition(bodies, index, block, 'body');
    checkPosition(receipts, index, block, 'receipts');
    const header = decompress.header(await headers.next(ENTRY_TYPES.header));
    const body = decompress.body(await bodies.next(ENTRY_TYPES.body));
    const slim = decompress.receipts(await receipts.next(ENTRY_TYPES.slimReceipts));
    yield { header, transactions: transactionsOfBody(body), receipts: fullReceipts(slim) };
  }
}

const openDecompressors = () => ({
  header: openDecompressor(),
  body: openDecompressor(),
  receipts: openDecompressor(),
});

function checkPosition(entries: Entries, index: BlockIndex, block: number, part: Part): void {
  if (entries.position() !== index.position(block, part)) {
    throw new EraFileError(`its index is wrong about block ${block} of the file`);
  }
}
