import * as z from 'zod/mini';
import { mapPaidAttributes } from '../chains/fee-parts.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import { integer } from './attributes.ts';
import type { ChainReader } from './chain-store.ts';
import { publicDayShape } from './day-row.ts';
import { dayRange } from './keys.ts';
import { queryItems } from './table.ts';

/*
 * Readers for the API. Each returns the final days from `first` to `last`, both included, ascending and strongly consistent, with
 * only the attributes that one endpoint needs.
 */

const reader = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) => {
  const schema = z.object({ date: z.string(), ...shape });
  return async (store: ChainReader, first: UtcDay, last: UtcDay) => {
    const items = await queryItems(store.table, {
      ...dayRange(store, first, last),
      // Decoding takes most of the time of a query, and it grows with the number of attributes.
      ProjectionExpression: ['#date', ...Object.keys(shape)].join(', '),
      ConsistentRead: true,
    });
    return items.map((item) => schema.parse(item));
  };
};

/** Reads transaction counts. */
export const queryTransactionCounts = reader({ transaction_count: integer });

/** Reads the parts of the fees that senders paid, in wei. */
export const queryPaidFees = reader(mapPaidAttributes(() => z.bigint()));

/** Reads everything about a day that the API publishes. */
export const queryPublicDays = reader(publicDayShape);
