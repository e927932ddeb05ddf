import * as z from 'zod';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { median, type Ratio } from '../ratio.ts';
import { openChild } from './child.ts';
import type { MemoryOptions } from './memory-process.ts';
import { cannedChain, HEAD } from './node/chain.ts';
import { openNode } from './node/open.ts';
import { CALLS_AT_ONCE } from './readers/reader.ts';

const SAMPLES = 20;
const heldSchema = z.object({ heldAfter: z.array(z.number()).length(SAMPLES) });

/** Blocks of Base as docs/cost.md assumes them, and of Ethereum with 1 MB of receipts. */
const SMALL = { chain: 'BASE', transactions: 30, blocks: 3_000 } as const;
const LARGE = { chain: 'ETHEREUM', transactions: 365, blocks: 160 } as const;

/** Measures the ingest's memory, and its growth per block: a day of Base has 432,000. */
export async function memoryRows(): Promise<Ratio[]> {
  const small = await read(SMALL);
  const large = await read(LARGE);
  // Omits the first samples, during which code is compiled.
  const growth = median(small.heldAfter.slice(-7)) - median(small.heldAfter.slice(-14, -7));
  const retained = Math.max(0, growth) / ((SMALL.blocks / SAMPLES) * 7);
  const max = Math.max(...large.heldAfter);
  const inFlight = CALLS_AT_ONCE * large.bytes;
  return [
    {
      what: `Memory retained per block, over ${SMALL.blocks} blocks; baseline: size of its receipts`,
      ours: `${retained.toFixed(0)} bytes`,
      other: `${(small.bytes / 1_000).toFixed(0)} KB`,
      ratio: retained / small.bytes,
      // Over a day of Base, this bound amounts to 90 MB. Retaining each header would take twice as much.
      bound: { atMost: 0.002 },
    },
    {
      what: `Peak memory over ${LARGE.blocks} blocks of 1 MB; baseline: ${CALLS_AT_ONCE} such responses`,
      ours: `${(max / 1e6).toFixed(1)} MB`,
      other: `${(inFlight / 1e6).toFixed(1)} MB`,
      ratio: max / inFlight,
      bound: { atMost: 1 },
    },
  ];
}

interface Reading {
  /** Bytes in use above those of an idle process, at regular intervals. */
  readonly heldAfter: readonly number[];
  /** Size of a block's receipts. */
  readonly bytes: number;
}

async function read({ chain, transactions, blocks }: Blocks): Promise<Reading> {
  await using node = await openNode({ chain, transactions });
  const options: MemoryOptions = { chain, url: node.url, blocks, samples: SAMPLES };
  await using child = await openChild(new URL('memory-process.ts', import.meta.url), options);
  const { heldAfter } = heldSchema.parse(child.message);
  const served = await cannedChain(chainOf(chain), transactions);
  return { heldAfter, bytes: served.receipts(HEAD).length };
}

interface Blocks {
  readonly chain: ChainName;
  readonly transactions: number;
  readonly blocks: number;
}
