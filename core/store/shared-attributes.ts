import * as z from 'zod/mini';
import { feeParts, mapFeeAttributes, mapFeeParts } from '../figures/fee-parts.ts';
import { mapMeasureAttributes, mapMeasures, measures } from '../figures/measures.ts';
import type { Totals } from '../figures/totals.ts';
/* Attributes that day and checkpoint items share. */

/** One schema for all, because each takes time in the cold start of a query function. */
export const bigint = z.bigint();
export const optionalBigint = z.optional(bigint);
export const integer = z.pipe(bigint, z.transform(Number));
export const optionalInteger = z.optional(integer);
export const blockRefShape = { number: integer, hash: z.string() };

/** Buckets. */
export const quantilesSchema = z.object({ p10: integer, median: integer, p90: integer });

export const totalsShape = {
  block_count: integer,
  transaction_count: integer,
  protocol_transaction_count: integer,
  ...mapFeeAttributes(() => bigint),
  // Absent where they do not follow from the blocks, and in what earlier versions stored.
  ...mapMeasureAttributes(() => optionalBigint),
};

type TotalsAttributes = Readonly<z.output<z.ZodMiniObject<typeof totalsShape>>>;

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
  measures: mapMeasures((name) => item[measures[name].attribute]),
});

/**
 * Renamed attributes: new days also have the former name, so that the last release reads them. Releases from `writtenBefore` on may
 * stop writing it, but must read it forever (docs/decisions/0037-expand-and-contract.md).
 */
export const formerNames = {
  fees_reported_twice: { current: 'retryable_double_count', writtenBefore: '0.3.0' },
} as const satisfies Record<string, { current: keyof TotalsAttributes; writtenBefore: string }>;

const renamed = Object.entries(formerNames);

/** Adds the former names of attributes to the item of a day. */
export const withFormerNames = <Item extends TotalsAttributes>(item: Item) => ({
  ...item,
  ...Object.fromEntries(renamed.map(([former, { current }]) => [former, item[current]])),
});

/** Wraps the schema of an object with totals, so that it also reads former names, and leaves them out. */
export const withTotals = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(z.transform(withCurrentNames), schema);

function withCurrentNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const item: Record<string, unknown> = { ...value };
  for (const [former, { current }] of renamed) {
    if (!(former in item)) continue;
    item[current] ??= item[former];
    delete item[former];
  }
  return item;
}
