import * as z from 'zod/mini';
import { feeParts, mapPaidAttributes, sumPaidParts } from '../chains/fee-parts.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import { integer } from './attributes.ts';
import type { ChainReader } from './chain-store.ts';
import { dayRange } from './keys.ts';
import { queryItems } from './table.ts';

/* Figures for the API: strongly consistent, ascending, with only the attributes that one endpoint needs. */

async function queryAttributes<Shape extends Record<string, z.ZodMiniType>>(
  store: ChainReader,
  first: UtcDay,
  last: UtcDay,
  shape: Shape,
) {
  const schema = z.object({ date: z.string(), ...shape });
  const items = await queryItems(store.table, {
    ...dayRange(store, first, last),
    // Decoding takes most of the time of a query, and it grows with the number of attributes.
    ProjectionExpression: ['#date', ...Object.keys(shape)].join(', '),
    ConsistentRead: true,
  });
  return items.map((item) => schema.parse(item));
}

/** Reads the transaction counts of the final days from `first` to `last`, both included. */
export async function queryTransactionCounts(
  store: ChainReader,
  first: UtcDay,
  last: UtcDay,
): Promise<(readonly [UtcDay, number])[]> {
  const days = await queryAttributes(store, first, last, { transaction_count: integer });
  return days.map(({ date, transaction_count }) => [date, transaction_count]);
}

/** Reads what senders paid on the final days from `first` to `last`, both included, in wei. */
export async function queryPaidFees(
  store: ChainReader,
  first: UtcDay,
  last: UtcDay,
): Promise<(readonly [UtcDay, bigint])[]> {
  const shape = mapPaidAttributes(() => z.bigint());
  const days = await queryAttributes(store, first, last, shape);
  return days.map((day) => [day.date, sumPaidParts((name) => day[feeParts[name].attribute])]);
}
