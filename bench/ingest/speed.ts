import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { chainOf } from '../../lambda/chains/chains.ts';
import { median, type Ratio } from '../ratio.ts';
import { openChild } from './child.ts';
import { sample } from './node/block.ts';
import { cannedChain, HEAD } from './node/chain.ts';
import { openNode } from './node/open.ts';
import type { ReaderOptions } from './reader-process.ts';
import type { Found } from './readers/reader.ts';

/** Transactions of the sample: each block served has its transactions, receipts and roots. */
const TRANSACTIONS = sample.block.transactions.length;
/** Repetitions after the warm-up. */
const REPETITIONS = 21;
/** Proofs are compiled late: the code that encodes transactions runs once per block. */
const WARM_UPS = 12;

/** Compares the ingest with other readers, which prove nothing, on a real block. */
export async function speedRows(): Promise<Ratio[]> {
  const block = await knownBlock();
  await using node = await openNode({ chain: 'ETHEREUM', transactions: TRANSACTIONS });
  const { url } = node;
  await using ours = await openReading({ reader: 'ours', url, blocks: 32 }, block.found);
  const withoutFees = { ...block.found, fees: 0n };
  await using baseline = await openReading({ reader: 'baseline', url, blocks: 32 }, withoutFees);
  await using viem = await openReading({ reader: 'viem', url, blocks: 32 }, block.found);
  // Fewer blocks, because ethers takes much longer for each.
  await using ethers = await openReading({ reader: 'ethers', url, blocks: 4 }, block.found);
  // Alternately, so that other load on this machine affects all of them.
  for (let repetition = 0; repetition < WARM_UPS + REPETITIONS; repetition++) {
    for (const reading of [ours, baseline, viem, ethers]) await reading.repeat();
  }
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

const speedOf = (bytes: number, milliseconds: number): string =>
  `${(bytes / 1_000 / milliseconds).toFixed(0)} MB/s (${milliseconds.toFixed(2)} ms per block)`;

/** Returns the size of a block's responses, and its expected totals, computed from the JSON. */
async function knownBlock(): Promise<{ readonly bytes: number; readonly found: Found }> {
  const chain = await cannedChain(chainOf('ETHEREUM'), TRANSACTIONS);
  const json = chain.receipts(HEAD);
  const receipts: { gasUsed: string; effectiveGasPrice: string }[] = JSON.parse(json.toString());
  const fees = receipts.map(({ gasUsed, effectiveGasPrice }) => BigInt(gasUsed) * BigInt(effectiveGasPrice));
  return {
    bytes: chain.block(HEAD, 'full').length + json.length,
    found: { transactions: receipts.length, fees: fees.reduce((sum, fee) => sum + fee, 0n) },
  };
}

interface Reading extends AsyncDisposable {
  readonly repeat: () => Promise<void>;
  /**
   * Returns the median CPU time per block, for all threads of the process. Other load on this machine affects it less than elapsed
   * time.
   */
  readonly milliseconds: () => number;
}

const doneSchema = z.object({
  milliseconds: z.number(),
  found: z.object({ transactions: z.number(), fees: z.bigint() }),
});

/** @param inBlock expected totals of each block */
async function openReading(options: ReaderOptions, inBlock: Found): Promise<Reading> {
  const child = await openChild(new URL('reader-process.ts', import.meta.url), options);
  const { blocks } = options;
  const expected = { transactions: inBlock.transactions * blocks, fees: inBlock.fees * BigInt(blocks) };
  const taken: number[] = [];
  return {
    repeat: async () => {
      const { milliseconds, found } = doneSchema.parse(await child.repeat());
      if (!isDeepStrictEqual(found, expected)) {
        const counts = `${found.transactions} of ${expected.transactions} transactions`;
        throw new Error(`${options.reader} found ${counts}, or other fees, so its time is not comparable.`);
      }
      taken.push(milliseconds / blocks);
    },
    milliseconds: () => median(taken.slice(WARM_UPS)),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
