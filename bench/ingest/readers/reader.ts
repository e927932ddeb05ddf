import pMap from 'p-map';
import { HEAD } from '../node/chain.ts';

/** Totals of blocks. All readers must find the same, so that they are comparable. */
export interface Found {
  readonly transactions: number;
  /** Wei. */
  readonly fees: bigint;
}

/** Reads the last `count` blocks, up to the finalized one. */
export type BenchReader = (count: number) => Promise<Found>;

/** Maximum concurrency of the ingest (core/rpc/circuit-breaker.ts), at two calls per block. */
export const CALLS_AT_ONCE = 64;

/** Creates a reader from a function that reads one block, with the ingest's concurrency. */
export const eachBlock =
  (readBlock: (number: number) => Promise<Found>): BenchReader =>
  async (count) => {
    const numbers = Array.from({ length: count }, (_, index) => HEAD - count + 1 + index);
    const found = await pMap(numbers, readBlock, { concurrency: CALLS_AT_ONCE / 2 });
    return {
      transactions: found.reduce((sum, { transactions }) => sum + transactions, 0),
      fees: found.reduce((sum, { fees }) => sum + fees, 0n),
    };
  };
