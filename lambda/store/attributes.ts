import * as z from 'zod/mini';
import { feeParts, mapFeeAttributes, mapFeeParts } from '../chains/fee-parts.ts';
import type { Totals } from '../chains/totals.ts';

/* Attributes that day and checkpoint items share. */

export const integer = z.pipe(z.bigint(), z.transform(Number));

export const blockRefShape = { number: integer, hash: z.string() };

export const totalsShape = {
  block_count: integer,
  transaction_count: integer,
  protocol_transaction_count: integer,
  ...mapFeeAttributes(() => z.bigint()),
};

type TotalsAttributes = { readonly [Name in keyof typeof totalsShape]: z.output<(typeof totalsShape)[Name]> };

/** Returns totals as attributes, fees in wei. DynamoDB keeps 38 digits of a number exactly. */
export const totalsToAttributes = ({
  blocks,
  transactions,
  protocolTransactions,
  fees,
}: Totals): TotalsAttributes => ({
  block_count: blocks,
  transaction_count: transactions,
  protocol_transaction_count: protocolTransactions,
  ...mapFeeAttributes((name) => fees[name]),
});

export const totalsFromAttributes = (item: TotalsAttributes): Totals => ({
  blocks: item.block_count,
  transactions: item.transaction_count,
  protocolTransactions: item.protocol_transaction_count,
  fees: mapFeeParts((name) => item[feeParts[name].attribute]),
});

/** Wraps the schema of an object with totals, so that it also reads what release 0.1.0 wrote. */
export const withTotals = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(z.transform(withCurrentNames), schema);

/** Release 0.1.0 named `retryable_double_count` `fees_reported_twice`. */
function withCurrentNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('fees_reported_twice' in value)) return value;
  const { fees_reported_twice, ...item } = value;
  return { ...item, retryable_double_count: fees_reported_twice };
}

/** Longest reason of a restatement, in UTF-16 units. EventBridge refuses events above 256 KB, which would hold back the later events of the chain. */
export const MAX_REASON_LENGTH = 500;

/** Cuts a reason to its longest length, and leaves no half of a character, which is no valid text. */
export const cutReason = (reason: string): string => reason.slice(0, MAX_REASON_LENGTH).toWellFormed();
