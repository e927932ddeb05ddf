import * as z from 'zod/mini';
import type { Fees } from '../chains/fees.ts';
import type { Totals } from '../chains/totals.ts';

/** Attributes that day and progress items share, and how they become the values of the rules and back. */

const wei = z.bigint();
export const integer = z.pipe(z.bigint(), z.transform(Number));

export const blockRefSchema = z.object({ number: integer, hash: z.string() });

/** Counts, and fees in wei. DynamoDB keeps 38 digits of a number exactly. */
export const totalsToAttributes = ({ blocks, transactions, protocolTransactions, fees }: Totals) => ({
  block_count: blocks,
  transaction_count: transactions,
  protocol_transaction_count: protocolTransactions,
  execution_fees: fees.execution,
  l1_data_fees: fees.l1Data,
  operator_fees: fees.operator,
  blob_fees: fees.blob,
  fees_reported_twice: fees.retryableDoubleCount,
});

export const feesShape = {
  execution_fees: wei,
  l1_data_fees: wei,
  operator_fees: wei,
  blob_fees: wei,
  fees_reported_twice: wei,
};

type Attributes<Shape extends Record<string, z.ZodMiniType>> = {
  readonly [Name in keyof Shape]: z.output<Shape[Name]>;
};

export const feesFromAttributes = (item: Attributes<typeof feesShape>): Fees => ({
  execution: item.execution_fees,
  l1Data: item.l1_data_fees,
  operator: item.operator_fees,
  blob: item.blob_fees,
  retryableDoubleCount: item.fees_reported_twice,
});

export const totalsShape = {
  block_count: integer,
  transaction_count: integer,
  protocol_transaction_count: integer,
  ...feesShape,
};

export const totalsFromAttributes = (item: Attributes<typeof totalsShape>): Totals => ({
  blocks: item.block_count,
  transactions: item.transaction_count,
  protocolTransactions: item.protocol_transaction_count,
  fees: feesFromAttributes(item),
});
