import fc from 'fast-check';
import { HOURS_PER_DAY } from '#core/figures/calendar.ts';
import type { DayDetails } from '#core/figures/day-figures.ts';
import { quantilesOf } from '#core/figures/fee-buckets.ts';
import { mapFeeParts } from '#core/figures/fee-parts.ts';
import { mapMeasures, NO_MEASURES } from '#core/figures/measures.ts';
import { NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { figuresOf, type StoredDay } from '#core/store/days/day-item.ts';

/** Returns a day with measures. All its blocks are in its second hour, and all its transactions pay a fee of one bucket. */
export function withDetails(given: StoredDay, bucket = 300): { day: StoredDay; details: DayDetails } {
  const feeCounts = new Map([[bucket, given.transaction_count]]);
  const day: StoredDay = {
    ...given,
    gas_used: 21_000n,
    failed_transaction_count: 1n,
    priority_fees: 5n,
    blob_count: 0n,
    measures_version: 1,
    distribution_version: 1,
    fee_quantiles: quantilesOf(feeCounts),
  };
  const none = { ...NO_TOTALS, measures: NO_MEASURES };
  const hours = Array.from({ length: HOURS_PER_DAY }, () => none).with(1, figuresOf(day).totals);
  return { day, details: { hours, feeCounts } };
}

const big = fc.bigInt({ min: 0n, max: 10n ** 38n - 1n });
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });

const anyTotals: fc.Arbitrary<Totals> = fc.record({
  blocks: count,
  transactions: count,
  protocolTransactions: count,
  fees: fc.record(mapFeeParts(() => big)),
  measures: fc.record(mapMeasures(() => fc.option(big, { nil: undefined }))),
});

/** Any details, also those that no day has. */
export const anyDetails: fc.Arbitrary<DayDetails> = fc.record({
  hours: fc.array(anyTotals, { minLength: HOURS_PER_DAY, maxLength: HOURS_PER_DAY }),
  feeCounts: fc
    .uniqueArray(fc.tuple(fc.nat({ max: 4_000 }), fc.integer({ min: 1, max: 2 ** 40 })), {
      selector: ([bucket]) => bucket,
    })
    .map((counts) => new Map(counts)),
});
