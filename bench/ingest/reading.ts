import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { chainOf } from '../../core/chains/chains.ts';
import { median } from '../ratio.ts';
import { openChild } from './child.ts';
import { sample } from './node/block.ts';
import { cannedChain, HEAD } from './node/chain.ts';
import type { ReaderOptions } from './reader-process.ts';
import type { Found } from './readers/reader.ts';

/** Transactions of the sample: each block served has its transactions, receipts and roots. */
export const TRANSACTIONS = sample.block.transactions.length;
/** Repetitions after the warm-up. */
const REPETITIONS = 21;
/** Proofs are compiled late: the code that encodes transactions runs once per block. */
const WARM_UPS = 12;

/** Repeats the readings alternately, so that other load on this machine affects all of them. */
export async function repeatAll(readings: readonly Reading[]): Promise<void> {
  for (let repetition = 0; repetition < WARM_UPS + REPETITIONS; repetition++) {
    for (const reading of readings) await reading.repeat();
  }
}

export const speedOf = (bytes: number, milliseconds: number): string =>
  `${(bytes / 1_000 / milliseconds).toFixed(0)} MB/s (${milliseconds.toFixed(2)} ms per block)`;

interface KnownBlock {
  /** Of both responses in JSON. */
  readonly bytes: number;
  /** Of both responses with RLP. */
  readonly rawBytes: number;
  readonly found: Found;
}

/** Returns the sizes of a block's responses, and its expected totals, computed from the JSON. */
export async function knownBlock(): Promise<KnownBlock> {
  const chain = await cannedChain(chainOf('ETHEREUM'), TRANSACTIONS);
  const json = chain.receipts(HEAD);
  const receipts: { gasUsed: string; effectiveGasPrice: string }[] = JSON.parse(json.toString());
  const fees = receipts.map(({ gasUsed, effectiveGasPrice }) => BigInt(gasUsed) * BigInt(effectiveGasPrice));
  return {
    bytes: chain.block(HEAD, 'full').length + json.length,
    rawBytes: chain.rawBlock(HEAD).length + chain.rawReceipts.length,
    found: { transactions: receipts.length, fees: fees.reduce((sum, fee) => sum + fee, 0n) },
  };
}

export interface Reading extends AsyncDisposable {
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
export async function openReading(options: ReaderOptions, inBlock: Found): Promise<Reading> {
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
