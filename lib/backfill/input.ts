/* The input and the reports of the state machine. The command line imports this file, so it does not import the CDK. */

export interface BackfillInput {
  readonly chain: string;
  /** Days to read, YYYY-MM-DD, the newest first. The whole history of a chain fits into the 256 KiB that AWS allows. */
  readonly dates: readonly string[];
  /** Mirror or bucket of era files to read them from, in place of the nodes. */
  readonly url?: string;
  /** Days to read at once, if fewer than the stage allows. */
  readonly daysAtOnce?: number;
}

/** Prefix of reports in the bucket. Each map run writes to a folder below it, named by its ID. */
export const REPORTS = 'reports';
