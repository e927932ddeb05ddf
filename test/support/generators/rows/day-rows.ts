import type { FullRow } from '#web/data/rows.ts';

/** Returns a row of the API's days, whose members default to plain values. */
export const dayRow = (date: string, given: Partial<FullRow> = {}): FullRow => ({
  date,
  transaction_count: 10,
  user_transaction_count: 9,
  protocol_transaction_count: 1,
  fees: '1.5',
  execution_fees: '1.5',
  l1_data_fees: '0',
  operator_fees: '0',
  blob_fees: '0',
  block_count: 7_200,
  evidence: 'proven',
  definition_version: 1,
  revision: 1,
  ingested_at: '2026-11-22T00:31:00.000Z',
  ...given,
});
