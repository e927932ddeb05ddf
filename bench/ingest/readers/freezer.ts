import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compress } from 'snappyjs';
import { createRawDecompressor } from '../../../core/blocks/era/snappy.ts';
import { openFreezer as openFiles } from '../../../core/blocks/freezer/blocks.ts';
import { findFreezerRange } from '../../../core/blocks/freezer/range.ts';
import { chainOf } from '../../../core/chains/chains.ts';
import { keccak256, loadKeccak } from '../../../core/proof/encoding/keccak.ts';
import { sample } from '../node/block.ts';
import { HEAD } from '../node/chain.ts';
import { bodyOf } from '../node/era-files.ts';
import { freezerFiles, storedReceiptsOf } from '../node/freezer-files.ts';
import { readFiles } from '../node/read-files.ts';
import { sampleBlocks, totalsOf } from './era.ts';
import type { FreezerChain } from './freezer-chains.ts';
import type { BenchReader } from './reader.ts';

const forms = { ETHEREUM: 'geth', BSC: 'geth', POLYGON: 'geth', BASE: 'op-geth', ARBITRUM: 'nitro' } as const;

/** Blocks of Ethereum begin with the first, and those of other chains after all their forks. */
const firstOf = (chain: FreezerChain): number => (chain === 'ETHEREUM' ? 0 : HEAD);

/** Opens a reader that proves and sums a freezer on disk. */
export async function ourFreezer(chainName: FreezerChain, count: number): Promise<BenchReader> {
  await loadKeccak();
  const chain = chainOf(chainName);
  const first = firstOf(chainName);
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const files = freezerFiles(sampleBlocks(count, chain, first), { form: forms[chainName], first });
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  const opened = openFiles(folder, chain, await findFreezerRange(folder, chain));
  return async () => totalsOf(await readFiles(opened, chain));
}

/** Opens a reader that only decompresses each item of the same freezer and hashes it once. Its fees are 0. */
export async function openFreezerBaseline(chainName: FreezerChain, count: number): Promise<BenchReader> {
  await loadKeccak();
  const items = sampleBlocks(count, chainOf(chainName), firstOf(chainName)).flatMap((block) =>
    [block.header, bodyOf(block), storedReceiptsOf(block, forms[chainName])].map((bytes) =>
      Buffer.from(compress(bytes)),
    ),
  );
  const decompress = createRawDecompressor();
  return async () => {
    for (const item of items) keccak256(decompress(item));
    return { transactions: count * sample.block.transactions.length, fees: 0n };
  };
}
