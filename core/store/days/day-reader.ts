import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayRange } from '../../figures/complete-periods.ts';
import { decodeItem, readItems } from '../table/decode-item.ts';
import { type DayRevision, dayRange, detailsRange, revisionKey } from '../table/keys.ts';
import { type ChainReader, queryItems } from '../table/table.ts';
import type { DetailAttributes } from './details.ts';

/* Reads some attributes of days. Decoding takes most of the time of a query, and it grows with the number of attributes. */

type Dated<Shape> = { date: z.ZodMiniString<string> } & Shape;

type DayReader<Shape extends Record<string, z.ZodMiniType>> = (
  store: ChainReader,
  first?: UtcDay,
  last?: UtcDay,
) => Promise<z.output<z.ZodMiniObject<{ -readonly [Name in keyof Dated<Shape>]: Dated<Shape>[Name] }>>[]>;

/** Returns a function that reads days from `first` to `last`, both included, ascending and with strong consistency; all without them. */
export function dayReader<Shape extends Record<string, z.ZodMiniType>>(shape: Shape): DayReader<Shape> {
  // Built by the first request, because a function has the readers of several series.
  let schema: ReturnType<typeof create> | undefined;
  const create = () => z.object({ date: z.string(), ...shape });
  return (store, first, last) => {
    schema ??= create();
    return readItems(schema, store, {
      ...dayRange(store, first, last),
      ProjectionExpression: ['#date', ...Object.keys(shape)].join(', '),
    });
  };
}

/**
 * Reads one attribute of the details of the days from `first` to `last`, both included, of all their revisions. Read the days before, since
 * details are written first. A day without a version of them has none: what is stored was left by a deleted day, or by a writer that lost.
 * @param paths the members of the attribute to read; all by default
 * @returns a function that finds it for a revision; undefined when the day was imported without details
 */
export async function readDetail<Detail extends z.ZodMiniType>(
  store: ChainReader,
  { first, last }: DayRange,
  name: keyof DetailAttributes,
  detail: Detail,
  paths?: readonly string[],
): Promise<(of: DayRevision) => z.output<Detail> | undefined> {
  const projected = paths?.map((path) => `${name}.${path}`) ?? [name];
  const items = await queryItems(store.table, {
    ...detailsRange(store, first, last),
    ProjectionExpression: ['#date', ...projected].join(', '),
  });
  const itemSchema = z.object({ date: z.string(), [name]: detail });
  const byKey = new Map(items.map((item) => [item.date, item]));
  return (of) => {
    const item = byKey.get(revisionKey(store, 'details', of).date);
    return item && (decodeItem(itemSchema, store.chain, item)[name] as z.output<Detail>);
  };
}
