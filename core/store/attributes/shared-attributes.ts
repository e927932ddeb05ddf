import * as z from 'zod/mini';
import { feeParts, mapFeeAttributes, mapFeeParts } from '../../figures/fee-parts.ts';
import { mapMeasureAttributes, mapMeasures, measures } from '../../figures/measures.ts';
import type { Totals } from '../../figures/totals.ts';

/* Attributes that day and checkpoint items share. */

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
  measures: mapMeasures((name) => item[measures[name]]),
});
