import * as z from 'zod/mini';
import { HOURS_PER_DAY } from '../../figures/calendar.ts';
import { type FeeCounts, sortedCounts } from '../../figures/fee-buckets.ts';
import { feeParts, mapFeeAttributes, mapFeeParts } from '../../figures/fee-parts.ts';
import { mapMeasureAttributes, mapMeasures, measures } from '../../figures/measures.ts';
import type { Totals } from '../../figures/totals.ts';

/* Attributes that the items of days, of their details and of checkpoints share. */

/** Attributes share schemas, because each schema takes time in the cold start of a query function. */
const bigint = z.bigint();
const optionalBigint = z.optional(bigint);
export const integer = z.pipe(bigint, z.transform(Number));
export const optionalInteger = z.optional(integer);
/** Milliseconds since 1970; stored as ISO 8601. */
export const timestamp = z.pipe(z.iso.datetime(), z.transform(Date.parse));
export const blockRefShape = { number: integer, hash: z.string() };

export const totalsShape = {
  block_count: integer,
  transaction_count: integer,
  protocol_transaction_count: integer,
  ...mapFeeAttributes(() => bigint),
  // Absent if they do not follow from the blocks.
  ...mapMeasureAttributes(() => optionalBigint),
};

export type TotalsAttributes = Readonly<z.output<z.ZodMiniObject<typeof totalsShape>>>;

/** Returns totals as attributes, fees in wei. DynamoDB keeps 38 digits of a number exactly. */
export const totalsToAttributes = (totals: Totals): TotalsAttributes => ({
  block_count: totals.blocks,
  transaction_count: totals.transactions,
  protocol_transaction_count: totals.protocolTransactions,
  ...mapFeeAttributes((name) => totals.fees[name]),
  ...mapMeasureAttributes((name) => totals.measures[name]),
});

export const totalsFromAttributes = (item: TotalsAttributes): Totals => ({
  blocks: item.block_count,
  transactions: item.transaction_count,
  protocolTransactions: item.protocol_transaction_count,
  fees: mapFeeParts((name) => item[feeParts[name].attribute]),
  measures: mapMeasures((name) => item[measures[name]]),
});

// Lazy, because few requests are for hours, and a schema takes time in the cold start of a query function.
const columnsSchema = z.lazy(() =>
  z.record(z.string(), z.array(z.nullable(z.bigint())).check(z.length(HOURS_PER_DAY))),
);

/** Returns the schema of hours with some attributes. An attribute is stored as a list of 24 values, and decodes into 24 objects. */
export const hoursSchema = <Shape extends z.core.$ZodShape>(
  shape: Shape,
): z.ZodMiniType<z.output<z.ZodMiniObject<Shape>>[]> =>
  z.pipe(z.pipe(columnsSchema, z.transform(toRows)), z.array(z.object(shape)));

const toRows = (columns: z.output<typeof columnsSchema>): object[] =>
  Array.from({ length: HOURS_PER_DAY }, (_, hour) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[hour] ?? undefined])),
  );

/** The values of the 24 hours by attribute. */
export type HourColumns = Readonly<Record<string, readonly (number | bigint | null)[]>>;

/** Encodes hours. A measure that an hour lacks is null. */
export const toColumns = (hours: readonly TotalsAttributes[]): HourColumns =>
  Object.fromEntries(
    (Object.keys(totalsShape) as (keyof typeof totalsShape)[]).map((name) => [
      name,
      hours.map((hour) => hour[name] ?? null),
    ]),
  );

/** Base64 of pairs of LEB128 integers: the distance of a bucket from the one before, and its count. Ascending. */
export const feeCountsSchema = z.pipe(z.string(), z.transform(decodeFeeCounts));

export function encodeFeeCounts(counts: FeeCounts): string {
  const bytes: number[] = [];
  let before = 0;
  for (const [bucket, count] of sortedCounts(counts)) {
    for (let value of [bucket - before, count]) {
      for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
      bytes.push(value);
    }
    before = bucket;
  }
  return Buffer.from(bytes).toString('base64');
}

function decodeFeeCounts(text: string): FeeCounts {
  const integers: number[] = [];
  let [value, unit] = [0, 1];
  for (const byte of Buffer.from(text, 'base64')) {
    value += (byte % 0x80) * unit;
    unit *= 0x80;
    if (byte >= 0x80) continue;
    integers.push(value);
    [value, unit] = [0, 1];
  }
  const counts = new Map<number, number>();
  let bucket = 0;
  for (let index = 0; index + 1 < integers.length; index += 2) {
    bucket += integers[index] as number;
    counts.set(bucket, integers[index + 1] as number);
  }
  return counts;
}
