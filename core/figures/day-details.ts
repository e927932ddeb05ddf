import type { DollarSums } from './dollars.ts';
import type { FeeCounts } from './fee-buckets.ts';
import type { Totals } from './totals.ts';

/** Details of a day, which are stored apart from its figures and follow from the same blocks. */
export interface DayDetails {
  /** The totals of each hour (UTC), 24 of them. */
  readonly hours: readonly Totals[];
  readonly feeCounts: FeeCounts;
  /** The fees in dollars; absent if no contract was known to record prices. */
  readonly dollars?: DollarSums | undefined;
}
