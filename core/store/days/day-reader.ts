import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import { decodeItem } from '../table/decode-item.ts';
import { dayRange } from '../table/keys.ts';
import { type ChainReader, queryItems } from '../table/table.ts';

/**
 * Returns a function that reads some attributes of the final days from `first` to `last`, both included, in ascending order and with
 * strong consistency.
 */
export function dayReader<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  const schema = z.object({ date: z.string(), ...shape });
  return async (store: ChainReader, first: UtcDay, last: UtcDay) => {
    const items = await queryItems(store.table, {
      ...dayRange(store, first, last),
      // Decoding takes most of the time of a query, and it grows with the number of attributes.
      ProjectionExpression: ['#date', ...Object.keys(shape)].join(', '),
    });
    return items.map((item) => decodeItem(schema, store.chain, item));
  };
}
