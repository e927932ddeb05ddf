import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { chainOf } from '../../lambda/chains/chains.ts';
import { median, type Ratio } from '../ratio.ts';
import { openChild } from './child.ts';
import { cannedChain, HEAD } from './node/chain.ts';
import { openNode } from './node/open.ts';
import type { ReaderOptions } from './reader-process.ts';
import type { Found } from './readers/reader.ts';

/** Their receipts have 560 KB. */
const TRANSACTIONS = 182;
/** A few more of them come first, to warm up. */
const REPETITIONS = 21;
const WARM_UPS = 4;

/** Blocks of real receipts, read by the ingest and by what could be had instead. */
export async function speedRows(): Promise<Ratio[]> {
  const block = knownBlock();
  await using node = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  const { url } = node;
  await using ours = await openReading({ reader: 'ours', url, blocks: 32 }, block.found);
  await using floor = await openReading({ reader: 'floor', url, blocks: 32 }, { ...block.found, fees: 0n });
  await using viem = await openReading({ reader: 'viem', url, blocks: 32 }, block.found);
  // It takes so long for each that fewer must do.
  await using ethers = await openReading({ reader: 'ethers', url, blocks: 4 }, block.found);
  // By turns, so that what else the machine does meets all of them.
  for (let repetition = 0; repetition < WARM_UPS + REPETITIONS; repetition++) {
    for (const reading of [ours, floor, viem, ethers]) await reading.repeat();
  }
  const timesFasterThan = (name: string, other: Reading, bound: Ratio['bound']): Ratio => ({
    what: `ingest with every check, times as fast as ${name}`,
    ours: speedOf(block.bytes, ours.milliseconds()),
    other: speedOf(block.bytes, other.milliseconds()),
    ratio: other.milliseconds() / ours.milliseconds(),
    bound,
  });
  return [
    timesFasterThan('undici and JSON.parse', floor, { atLeast: 0.8 }),
    timesFasterThan('viem', viem, { atLeast: 1.5 }),
    timesFasterThan('ethers', ethers, { atLeast: 10 }),
  ];
}

const speedOf = (bytes: number, milliseconds: number): string =>
  `${(bytes / 1_000 / milliseconds).toFixed(0)} MB/s (${milliseconds.toFixed(2)} ms a block)`;

/** What the answers about a block weigh, and what must be found in it, added up from its JSON. */
function knownBlock(): { readonly bytes: number; readonly found: Found } {
  const chain = cannedChain(chainOf('ETHEREUM'), TRANSACTIONS);
  const json = chain.receipts(HEAD);
  const receipts: { gasUsed: string; effectiveGasPrice: string }[] = JSON.parse(json.toString());
  const fees = receipts.map(({ gasUsed, effectiveGasPrice }) => BigInt(gasUsed) * BigInt(effectiveGasPrice));
  return {
    bytes: chain.header(HEAD).length + json.length,
    found: { transactions: receipts.length, fees: fees.reduce((sum, fee) => sum + fee, 0n) },
  };
}

interface Reading extends AsyncDisposable {
  readonly repeat: () => Promise<void>;
  /**
   * The median of the processor time for one block, of all threads of the process: that is what a machine with one core
   * needs, and what else this one does matters less to it than to a clock.
   */
  readonly milliseconds: () => number;
}

const doneSchema = z.object({
  milliseconds: z.number(),
  found: z.object({ transactions: z.number(), fees: z.bigint() }),
});

/** @param inBlock what must be found in each block: those of the canned chain have the same transactions */
async function openReading(options: ReaderOptions, inBlock: Found): Promise<Reading> {
  const child = await openChild(new URL('reader-process.ts', import.meta.url), options);
  const { blocks } = options;
  const expected = { transactions: inBlock.transactions * blocks, fees: inBlock.fees * BigInt(blocks) };
  const taken: number[] = [];
  return {
    repeat: async () => {
      const { milliseconds, found } = doneSchema.parse(await child.ask());
      if (!isDeepStrictEqual(found, expected)) {
        const what = `${found.transactions} transactions of ${expected.transactions}, or other fees`;
        throw new Error(`${options.reader} found ${what}: it does not do the work that is measured`);
      }
      taken.push(milliseconds / blocks);
    },
    milliseconds: () => median(taken.slice(WARM_UPS)),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
