import { openNode } from '../ingest/node/open.ts';
import { knownBlock, openReading, repeatAll, speedOf, TRANSACTIONS } from '../ingest/reading.ts';
import type { Ratio } from '../ratio.ts';

/**
 * Three of them are read as JSON in any case (core/blocks/nodes/read-raw-block.ts). Repetitions of fewer blocks, with pauses in between, would
 * let V8 collect all garbage in each, which it does not when blocks are read continuously.
 */
const BLOCKS = 192;

/** Compares the ingest of a real block as RLP with that as JSON, and with hashing the same bytes once. */
export async function rawBench(): Promise<Ratio[]> {
  console.error('raw: reading RLP and JSON with the ingest, and RLP with undici, alternately');
  const { bytes, rawBytes, found } = await knownBlock();
  await using rawNode = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS, isRaw: true });
  await using jsonNode = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  await using raw = await openReading({ reader: 'ours', url: rawNode.url, blocks: BLOCKS }, found);
  await using json = await openReading({ reader: 'ours', url: jsonNode.url, blocks: BLOCKS }, found);
  const hashed = { transactions: found.transactions, fees: 0n };
  await using baseline = await openReading({ reader: 'raw', url: rawNode.url, blocks: BLOCKS }, hashed);
  await repeatAll([raw, json, baseline]);
  const ours = speedOf(rawBytes, raw.milliseconds());
  return [
    {
      what: 'Ingest of RLP with all proofs; baseline: the same blocks as JSON',
      ours,
      other: speedOf(bytes, json.milliseconds()),
      ratio: json.milliseconds() / raw.milliseconds(),
      bound: { atLeast: 2 },
    },
    {
      what: 'Ingest of RLP with all proofs; baseline: undici, hex decoding and one hash over each part',
      ours,
      other: speedOf(rawBytes, baseline.milliseconds()),
      ratio: baseline.milliseconds() / raw.milliseconds(),
      bound: { atLeast: 0.5 },
    },
  ];
}
