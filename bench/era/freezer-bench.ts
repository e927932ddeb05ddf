import { chainOf } from '../../core/chains/chains.ts';
import { totalFees } from '../../core/figures/fee-parts.ts';
import { loadKeccak } from '../../core/proof/encoding/keccak.ts';
import { proveRawBlock } from '../../core/proof/raw/prove-raw-block.ts';
import { HEAD } from '../ingest/node/chain.ts';
import { sampleBlocks } from '../ingest/readers/era.ts';
import { freezerChains } from '../ingest/readers/freezer-chains.ts';
import { openReading, repeatAll, TRANSACTIONS } from '../ingest/reading.ts';
import type { Ratio } from '../ratio.ts';

const BLOCKS = 64;

const rate = (milliseconds: number): string =>
  `${Math.round(1_000 / milliseconds)} blocks/s (${milliseconds.toFixed(2)} ms per block)`;

const clients = { ETHEREUM: 'geth', BSC: 'bsc', POLYGON: 'bor', BASE: 'op-geth', ARBITRUM: 'nitro' } as const;

/** Compares the proof of blocks from a freezer of each client with hashing the same bytes once. */
export async function freezerBench(): Promise<Ratio[]> {
  console.error(
    'freezer: proving blocks from the files of each client, and hashing their bytes once, alternately',
  );
  await loadKeccak();
  const ratios: Ratio[] = [];
  for (const chainName of freezerChains) {
    const chain = chainOf(chainName);
    const [block] = sampleBlocks(1, chain, chainName === 'ETHEREUM' ? 0 : HEAD);
    const proof = block && proveRawBlock(chain, block);
    if (!proof || 'refused' in proof) throw new Error(proof?.refused.problem);
    const { transactions, fees } = proof.sums.totals;
    const of = { url: '', blocks: BLOCKS };
    await using ours = await openReading(
      { reader: `freezer ${chainName}`, ...of },
      { transactions, fees: totalFees(fees) },
    );
    await using hashed = await openReading(
      { reader: `freezer ${chainName} hashed`, ...of },
      { transactions: TRANSACTIONS, fees: 0n },
    );
    await repeatAll([ours, hashed]);
    ratios.push({
      what: `freezer of ${clients[chainName]} with all proofs; baseline: decompression and one hash over each item`,
      ours: rate(ours.milliseconds()),
      other: rate(hashed.milliseconds()),
      ratio: hashed.milliseconds() / ours.milliseconds(),
      bound: { atLeast: 0.28 },
    });
  }
  return ratios;
}
