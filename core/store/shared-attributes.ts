import * as z from 'zod/mini';
import { feeParts, mapFeeAttributes, mapFeeParts } from '../figures/fee-parts.ts';
import type { Totals } from '../figures/totals.ts';
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
export const totalsToAttributes = (totals: Totals): TotalsAttributes => ({
  block_count: totals.blocks,
  transaction_count: totals.transactions,
  protocol_transaction_count: totals.protocolTransactions,
  ...mapFeeAttributes((name) => totals.fees[name]),
});

export const totalsFromAttributes = (item: TotalsAttributes): Totals => ({
  blocks: item.block_count,
  transactions: item.transaction_count,
  protocolTransactions: item.protocol_transaction_count,
  fees: mapFeeParts((name) => item[feeParts[name].attribute]),
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
