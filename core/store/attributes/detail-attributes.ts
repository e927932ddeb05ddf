import * as z from 'zod/mini';
import type { DayDetails } from '../../figures/day-figures.ts';
import { type DollarSums, priceEvidences } from '../../figures/dollars.ts';
import { describeIssues, jsonText } from '../table/decode-item.ts';
import {
  encodeFeeCounts,
  feeCountsSchema,
  hoursSchema,
  toColumns,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from './shared-attributes.ts';

/* Hours, counts of fees and dollars, as attributes of the details of a day, and of progress. */

const bigInteger = z.pipe(
  z.string().check(z.regex(/^-?\d{1,100}$/)),
  z.transform((digits: string) => BigInt(digits)),
);

const updateSchema = z.optional(z.object({ answer: bigInteger, round: bigInteger, updatedAt: z.int() }));

export const readingSchema = z.object({
  number: z.int(),
  hash: z.string(),
  aggregator: z.string(),
  evidence: z.enum(priceEvidences),
});

/** Dollars are stored as JSON, because their integers have more digits than DynamoDB keeps. */
export const dollarSumsSchema = jsonText(
  z.object({
    aggregator: z.string(),
    maxAge: z.int(),
    unpriced: bigInteger,
    unpricedUntil: z.int(),
    priced: bigInteger,
    first: updateSchema,
    last: updateSchema,
    updates: z.int(),
    readings: z.readonly(z.array(readingSchema)),
    doubt: z.optional(z.string()),
  }),
);

export const encodeDollarSums = (sums: DollarSums): string =>
  JSON.stringify(sums, (_, value) => (typeof value === 'bigint' ? value.toString() : value));

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
