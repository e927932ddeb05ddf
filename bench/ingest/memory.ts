import * as z from 'zod';
import { type ChainName, chainOf } from '../../lambda/chains/chains.ts';
import { median, type Ratio } from '../ratio.ts';
import { openChild } from './child.ts';
import type { MemoryOptions } from './memory-process.ts';
import { cannedChain, HEAD } from './node/chain.ts';
import { openNode } from './node/open.ts';
import { CALLS_AT_ONCE } from './readers/reader.ts';

const SAMPLES = 20;
const heldSchema = z.object({ heldAfter: z.array(z.number()).length(SAMPLES) });

/** As many as docs/cost.md reckons for Base; 1 MB of receipts. */
const SMALL = { chain: 'BASE', transactions: 30, blocks: 3_000 } as const;
const LARGE = { chain: 'ETHEREUM', transactions: 325, blocks: 160 } as const;

/** How much the ingest holds, and whether that grows with the blocks it has read: a day of Base has 432,000. */
export async function memoryRows(): Promise<Ratio[]> {
  const small = await read(SMALL);
  const large = await read(LARGE);
  // The first samples are left out: code is compiled then.
  const growth = median(small.heldAfter.slice(-7)) - median(small.heldAfter.slice(-14, -7));
  const staying = Math.max(0, growth) / ((SMALL.blocks / SAMPLES) * 7);
  const most = Math.max(...large.heldAfter);
  const inFlight = CALLS_AT_ONCE * large.bytes;
  return [
    {
      what: `memory that stays behind after each of ${SMALL.blocks} blocks, and what was read for it`,
      ours: `${staying.toFixed(0)} bytes`,
      other: `${(small.bytes / 1_000).toFixed(0)} KB`,
      ratio: staying / small.bytes,
      // If it stayed for a day of Base that were 90 MB. A header that is kept is twice as much.
      bound: { atMost: 0.002 },
    },
    {
      what: `most memory held over ${LARGE.blocks} blocks of 1 MB, and ${CALLS_AT_ONCE} such answers`,
      ours: `${(most / 1e6).toFixed(1)} MB`,
      other: `${(inFlight / 1e6).toFixed(1)} MB`,
      ratio: most / inFlight,
      bound: { atMost: 1 },
    },
  ];
}

interface Reading {
  /** Above what an idle process holds, in bytes, at even distances. */
  readonly heldAfter: readonly number[];
  /** Of the receipts of a block. */
  readonly bytes: number;
}

async function read({ chain, transactions, blocks }: Blocks): Promise<Reading> {
  await using node = await openNode({ chain, transactions });
  const options: MemoryOptions = { chain, url: node.url, blocks, samples: SAMPLES };
  await using child = await openChild(new URL('memory-process.ts', import.meta.url), options);
  const { heldAfter } = heldSchema.parse(child.message);
  return { heldAfter, bytes: cannedChain(chainOf(chain), transactions).receipts(HEAD).length };
}

interface Blocks {
  readonly chain: ChainName;
  readonly transactions: number;
  readonly blocks: number;
}
