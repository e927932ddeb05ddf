import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayDetails } from '../../figures/day-figures.ts';
import { type DollarSums, priceEvidences } from '../../figures/dollars.ts';
import {
  encodeFeeCounts,
  feeCountsSchema,
  type HourColumns,
  hoursSchema,
  toColumns,
  totalsFromAttributes,
  totalsShape,
  totalsToAttributes,
} from '../attributes/shared-attributes.ts';
import { describeIssues, jsonText, readItem } from '../table/decode-item.ts';
import { type DayRevision, dayKey, revisionKey } from '../table/keys.ts';
import type { ChainReader, Write } from '../table/table.ts';

/*
 * Hours and counts of fees have an item of their own, so that requests for days do not read them. Readers look it up by the revision of
 * the day, so they do not find it before the day is written. Progress has the same attributes.
 */

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

/** The details of a day as attributes. */
export interface DetailAttributes {
  readonly hours: HourColumns;
  readonly fee_counts: string;
  readonly dollars: string | undefined;
}

export const toDetailAttributes = ({ hours, feeCounts, dollars }: DayDetails): DetailAttributes => ({
  hours: toColumns(hours.map(totalsToAttributes)),
  fee_counts: encodeFeeCounts(feeCounts),
  dollars: dollars && encodeDollarSums(dollars),
});

export const detailsOf = (item: z.output<z.ZodMiniObject<typeof detailsShape>>): DayDetails => ({
  hours: item.hours.map(totalsFromAttributes),
  feeCounts: item.fee_counts,
  dollars: item.dollars,
});

const detailsSchema = z.object(detailsShape);

/** Decodes details of a file, or returns the problem. */
export function parseDetails(value: unknown): { details: DayDetails } | { problem: string } {
  const { data, error } = z.strictObject(detailsShape).safeParse(value);
  return data ? { details: detailsOf(data) } : { problem: `details: ${describeIssues(error.issues)}` };
}

export const putDetails = (store: ChainReader, of: DayRevision, details: DayDetails): Write => ({
  put: { ...revisionKey(store, 'details', of), ...toDetailAttributes(details) },
});

/** Reads the details of a revision of a day; returns undefined when it was imported without them. */
export async function getDetails(store: ChainReader, of: DayRevision): Promise<DayDetails | undefined> {
  const item = await readItem(detailsSchema, store, revisionKey(store, 'details', of));
  return item && detailsOf(item);
}

/** Reads the details of a stored day; undefined if it was imported without them, even where a deleted day has left some. */
export async function getDetailsOfDay(store: ChainReader, day: UtcDay): Promise<DayDetails | undefined> {
  const item = await store.table.getItem(dayKey(store, day));
  return item?.measures_version === undefined
    ? undefined
    : getDetails(store, { day, revision: Number(item.revision) });
}
