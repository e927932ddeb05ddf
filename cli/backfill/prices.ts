/**
 * What a backfill is paid by, in US dollars: list prices in us-east-1, looked up in November 2026, without what is free in
 * each account. docs/cost.md has the same.
 */
export const prices = {
  /** arm64, https://aws.amazon.com/lambda/pricing/ */
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1_000_000,
  /** Standard workflows, https://aws.amazon.com/step-functions/pricing/ */
  stateTransition: 25 / 1_000_000,
  /** On demand, https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  tableWrite: 0.625 / 1_000_000,
} as const;

export const PRICED = 'us-east-1, November 2026';

/** What the ingest function has, as the stack sets it. */
export const INGEST_MEMORY_GB = 1_769 / 1_024;
