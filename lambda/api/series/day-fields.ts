import type { PublicRow } from '../../../core/rows/day-row.ts';

/** The fields of the rows of `/days`, from which a request may choose. A row lacks those that it does not have. */
export const dayFields = [
  'date',
  'day_count',
  'transaction_count',
  'user_transaction_count',
  'protocol_transaction_count',
  'fees',
  'execution_fees',
  'l1_data_fees',
  'operator_fees',
  'blob_fees',
  'retryable_double_count',
  'base_fees',
  'priority_fees',
  'median_fee',
  'p10_fee',
  'p90_fee',
  'distribution_version',
  'failed_transaction_count',
  'gas_used',
  'blob_count',
  'measures_version',
  'fees_usd',
  'price',
  'unpriced_reason',
  'block_count',
  'first_block',
  'last_block',
  'parent_hash',
  'finality',
  'evidence',
  'archive',
  'definition_version',
  'revision',
  'restatements',
  'ingested_at',
] as const satisfies readonly (keyof PublicRow)[];

/** Returns those of the fields that no row with these columns of CSV has: `first_block` has two, and `restatements` a count. */
export const fieldsNotIn = (columns: object, fields: string): readonly string[] => {
  const names = Object.keys(columns);
  return fields.split(',').filter((field) => !names.some((name) => name.startsWith(field.replace(/s$/, ''))));
};

/**
 * Leaves only some fields in the rows of a JSON body, and always the date and the chain, if rows have one.
 * @param fields as `daysQuerySchema` checked them
 */
export function pickFields(body: string, fields: string): string {
  const names = ['chain', 'date', ...fields.split(',').filter((name) => name !== 'date')];
  const rows: readonly Readonly<Record<string, unknown>>[] = JSON.parse(body);
  return JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))));
}
