import * as z from 'zod/mini';
import type { DayDetails } from '../figures/day-details.ts';
import { describeIssues } from './decode-item.ts';
import { encodeFeeCounts, feeCountsSchema } from './fee-counts.ts';
import { hoursSchema, toColumns } from './hour-columns.ts';
import { totalsFromAttributes, totalsShape, totalsToAttributes } from './shared-attributes.ts';

/* Hours and counts of fees, as attributes of the details of a day, and of progress. */

export const detailsShape = { hours: hoursSchema(totalsShape), fee_counts: feeCountsSchema };

export const toDetailAttributes = ({ hours, feeCounts }: DayDetails) => ({
  hours: toColumns(hours.map(totalsToAttributes)),
  fee_counts: encodeFeeCounts(feeCounts),
});

export const detailsOf = (item: z.output<z.ZodMiniObject<typeof detailsShape>>): DayDetails => ({
  hours: item.hours.map(totalsFromAttributes),
  feeCounts: item.fee_counts,
});

const detailsSchema = z.strictObject(detailsShape);

/** Details, or why a value is none. */
export type ParsedDetails = { readonly details: DayDetails | undefined } | { readonly problem: string };

/** Decodes details, which may come from a file. */
export function parseDetails(value: unknown): ParsedDetails {
  const { data, error } = detailsSchema.safeParse(value);
  return data ? { details: detailsOf(data) } : { problem: `details: ${describeIssues(error.issues)}` };
}
