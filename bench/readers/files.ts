import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress } from 'snappyjs';
import { bodyOf, era1File, eraFileName, ereFile } from '#test/support/generators/files/era-files.ts';
import { entriesOf } from '#test/support/generators/files/era-layout.ts';
import { formOf, freezerFiles, storedReceiptsOf } from '#test/support/generators/files/freezer-files.ts';
import { filesInMemory, readFiles } from '#test/support/generators/files/read-files.ts';
import { ENTRY_HEADER } from '../../core/blocks/era/e2store-entries.ts';
import { createDecompressor, createRawDecompressor, loadChecksum } from '../../core/blocks/era/snappy.ts';
import type { BlockFiles } from '../../core/blocks/files/source.ts';
import { findFreezerRange, openFreezer } from '../../core/blocks/freezer/freezer.ts';
import { type Chain, type ChainName, chainOf } from '../../core/chains/chains.ts';
import { totalFees } from '../../core/figures/fee-parts.ts';
import { addTotals, NO_TOTALS } from '../../core/figures/totals.ts';
import { keccak256 } from '../../core/proof/encoding/keccak.ts';
import type { BlockBytes } from '../../core/proof/raw/prove-raw-block.ts';
import { HEAD, sampleBlocks, TRANSACTIONS } from '../node/chain.ts';
import type { Found } from './reader.ts';

interface FileOptions {
  readonly format: 'era1' | 'ere' | 'freezer';
  readonly chain: ChainName;
  readonly blocks: number;
  /** Only decompresses the same bytes and hashes them once. */
  readonly isHashed?: boolean;
}

/** Opens a reader of files, which proves them unless it only hashes their bytes. */
export async function open({ format, chain: chainName, blocks: count, isHashed = false }: FileOptions) {
  await loadChecksum();
  const chain = chainOf(chainName);
  // An era file is the first one of its chain. The blocks of a freezer come after all forks.
  const blocks = sampleBlocks(chain, format === 'freezer' ? HEAD : 0, count);
  if (isHashed) {
    const hash = format === 'freezer' ? hashItems(chain, blocks) : hashEntries(eraFile(format, blocks));
    return async (): Promise<Found> => {
      hash();
      return { transactions: count * TRANSACTIONS };
    };
  }
  const files = format === 'freezer' ? await writeFreezer(chain, blocks) : openEra(format, blocks);
  return async (): Promise<Found> => {
    const { days, end } = await readFiles(files, chain);
    if (end.kind === 'no endpoint') throw new Error(end.reason);
    const totals = days.reduce((sum, day) => addTotals(sum, day.totals), NO_TOTALS);
    return { transactions: totals.transactions, fees: totalFees(totals.fees) };
  };
}

const PLACE = { first: 0 };

const eraFile = (format: 'era1' | 'ere', blocks: readonly BlockBytes[]): Buffer =>
  (format === 'era1' ? era1File : ereFile)(PLACE, blocks);

const openEra = (format: 'era1' | 'ere', blocks: readonly BlockBytes[]): BlockFiles =>
  filesInMemory(new Map([[eraFileName(format, 0, PLACE, blocks), eraFile(format, blocks)]]));

async function writeFreezer(chain: Chain, blocks: readonly BlockBytes[]): Promise<BlockFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  for (const [name, bytes] of freezerFiles(blocks, { form: formOf(chain), first: HEAD }))
    writeFileSync(join(folder, name), bytes);
  return openFreezer(folder, chain, await findFreezerRange(folder, chain));
}

/** Headers, bodies and receipts have these types. */
const HASHED_TYPES = [3, 4, 5, 10];

function hashEntries(file: Buffer): () => void {
  const decompress = createDecompressor();
  const entries = entriesOf(file).filter(([type = 0]) => HASHED_TYPES.includes(type));
  const data = entries.map((entry) => entry.subarray(ENTRY_HEADER));
  return () => {
    for (const frames of data) keccak256(decompress(frames));
  };
}

function hashItems(chain: Chain, blocks: readonly BlockBytes[]): () => void {
  const decompress = createRawDecompressor();
  const items = blocks
    .flatMap((block) => [block.header, bodyOf(block), storedReceiptsOf(block, formOf(chain))])
    .map((bytes) => Buffer.from(compress(bytes)));
  return () => {
    for (const item of items) keccak256(decompress(item));
  };
}
