import pMap from 'p-map';
import { HEAD } from '../node/chain.ts';

/** What was found in blocks, for all readers to find the same: so nobody measures what is not done. */
export interface Found {
  readonly transactions: number;
  /** Wei. */
  readonly fees: bigint;
}

/** Reads so many blocks up to the finalized one. */
export type Reader = (count: number) => Promise<Found>;

/** As the ingest makes them at most, by lambda/rpc/circuit-breaker.ts: two for each block. */
export const CALLS_AT_ONCE = 32;

/** Reads each block by itself, with the calls at once that the ingest makes. */
export const eachBlock =
  (readBlock: (number: number) => Promise<Found>): Reader =>
  async (count) => {
    const numbers = Array.from({ length: count }, (_, index) => HEAD - count + 1 + index);
    const found = await pMap(numbers, readBlock, { concurrency: CALLS_AT_ONCE / 2 });
    return {
      transactions: found.reduce((sum, { transactions }) => sum + transactions, 0),
      fees: found.reduce((sum, { fees }) => sum + fees, 0n),
    };
  };
