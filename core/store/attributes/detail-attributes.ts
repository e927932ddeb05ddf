import * as z from 'zod/mini';
import type { DayDetails } from '../../figures/day-figures.ts';
import { describeIssues } from '../table/decode-item.ts';
import { dollarSumsSchema, encodeDollarSums } from './dollar-sums.ts';
import { encodeFeeCounts, feeCountsSchema } from './fee-counts.ts';
import { hoursSchema, toColumns } from './hour-columns.ts';
import { totalsFromAttributes, totalsShape, totalsToAttributes } from './shared-attributes.ts';

/* Hours, counts of fees and dollars, as attributes of the details of a day, and of progress. */

export const detailsShape = {
  hours: hoursSchema(totalsShape),
  fee_counts: feeCountsSchema,
  // Absent if no contract was known to record prices.
  dollars: z.optional(dollarSumsSchema),
};

export const toDetailAttributes = ({ hours, feeCounts, dollars }: DayDetails) => ({
  hours: toColumns(hours.map(totalsToAttributes)),
  fee_counts: encodeFeeCounts(feeCounts),
  dollars: dollars && encodeDollarSums(dollars),
});

export const detailsOf = (item: z.output<z.ZodMiniObject<typeof detailsShape>>): DayDetails => ({
  hours: item.hours.map(totalsFromAttributes),
  feeCounts: item.fee_counts,
  dollars: item.dollars,
});

const detailsSchema = z.strictObject(detailsShape);

/** Decodes details of a file, or returns the problem. */
export function parseDetails(value: unknown): { details: DayDetails } | { problem: string } {
  const { data, error } = detailsSchema.safeParse(value);
  return data ? { details: detailsOf(data) } : { problem: `details: ${describeIssues(error.issues)}` };
}
