/** Totals of blocks. All readers must find the same, so that they are comparable. */
export interface Found {
  readonly transactions: number;
  /** Wei. Some baselines do not read them. */
  readonly fees?: bigint;
}

/** Maximum concurrency of the ingest (core/rpc/health.ts), at two calls per block. */
export const CALLS_AT_ONCE = 64;
