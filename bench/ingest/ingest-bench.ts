import type { Ratio } from '../ratio.ts';
import { memoryRows } from './memory.ts';
import { openNode } from './node/open.ts';
import { knownBlock, openReading, type Reading, repeatAll, speedOf, TRANSACTIONS } from './reading.ts';

/** Compares the ingest with other readers, which prove nothing, on a real block. */
async function speedRows(): Promise<Ratio[]> {
  const block = await knownBlock();
  await using node = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  const { url } = node;
  await using ours = await openReading({ reader: 'ours', url, blocks: 32 }, block.found);
  const withoutFees = { ...block.found, fees: 0n };
  await using baseline = await openReading({ reader: 'baseline', url, blocks: 32 }, withoutFees);
  await using viem = await openReading({ reader: 'viem', url, blocks: 32 }, block.found);
  // Fewer blocks, because ethers takes much longer for each.
  await using ethers = await openReading({ reader: 'ethers', url, blocks: 4 }, block.found);
  await repeatAll([ours, baseline, viem, ethers]);
  const timesFasterThan = (name: string, other: Reading, bound: Ratio['bound']): Ratio => ({
    what: `Ingest with all proofs; baseline: ${name}`,
    ours: speedOf(block.bytes, ours.milliseconds()),
    other: speedOf(block.bytes, other.milliseconds()),
    ratio: other.milliseconds() / ours.milliseconds(),
    bound,
  });
  return [
    timesFasterThan('undici and JSON.parse, same two responses', baseline, { atLeast: 0.35 }),
    timesFasterThan('viem, same two responses decoded', viem, { atLeast: 0.8 }),
    timesFasterThan('ethers, which requests each receipt', ethers, { atLeast: 5 }),
  ];
}

/** Compares the ingest's speed with a minimal reader and other libraries, and its memory with the size of responses. */
export async function ingestBench(): Promise<Ratio[]> {
  console.error('ingest: reading with the ingest, undici, viem and ethers alternately');
  const speed = await speedRows();
  console.error('ingest: measuring memory over many blocks');
  return [...speed, ...(await memoryRows())];
}
