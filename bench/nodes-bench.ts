import { compare } from './compare.ts';
import { TRANSACTIONS } from './node/chain.ts';
import { openNode } from './node/node.ts';
import { type Ratio, timesAsFast } from './report.ts';

/** Compares the ingest of a real block with other readers, which prove nothing. */
export async function ingestBench(): Promise<Ratio[]> {
  console.error('ingest: reading with the ingest, undici and viem alternately');
  await using node = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  const { url } = node;
  const { ours, undici, viem } = await compare(32, {
    ours: ['ours', { url }],
    undici: ['baselines', { kind: 'undici', url }],
    viem: ['baselines', { kind: 'viem', url }],
  });
  const ingest = 'Ingest with all proofs; baseline:';
  return [
    timesAsFast(`${ingest} undici and JSON.parse, same two responses`, ours, undici, 0.35),
    timesAsFast(`${ingest} viem, same two responses decoded`, ours, viem, 0.8),
  ];
}

/** Three are read as JSON in any case (read-raw-block.ts). In the pauses between fewer blocks, V8 would collect all garbage. */
const RAW_BLOCKS = 192;

/** Compares the ingest of a real block as RLP with that as JSON, and with hashing the same bytes once. */
export async function rawBench(): Promise<Ratio[]> {
  console.error('raw: reading RLP and JSON with the ingest, and RLP with undici, alternately');
  await using rawNode = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS, isRaw: true });
  await using jsonNode = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  const { raw, json, hashed } = await compare(RAW_BLOCKS, {
    raw: ['ours', { url: rawNode.url }],
    json: ['ours', { url: jsonNode.url }],
    hashed: ['baselines', { kind: 'raw', url: rawNode.url }],
  });
  const ingest = 'Ingest of RLP with all proofs; baseline:';
  return [
    timesAsFast(`${ingest} the same blocks as JSON`, raw, json, 2),
    timesAsFast(`${ingest} undici, hex decoding and one hash over each part`, raw, hashed, 0.5),
  ];
}
