import * as z from 'zod/mini';
import type { DayRange } from '../../figures/complete-periods.ts';
import type { toDetailAttributes } from '../attributes/detail-attributes.ts';
import { decodeItem } from '../table/decode-item.ts';
import { type DayRevision, detailsKey, detailsRange } from '../table/keys.ts';
import { type ChainReader, queryItems } from '../table/table.ts';

/**
 * Reads one attribute of the details of the days from `first` to `last`, both included, of all their revisions.
 * @param paths the members of the attribute to read; all by default
 * @returns a function that finds it for a revision; undefined when the day was imported without details
 */
export async function readDetail<Detail extends z.ZodMiniType>(
  store: ChainReader,
  { first, last }: DayRange,
  name: keyof ReturnType<typeof toDetailAttributes>,
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
    const { date } = detailsKey(store, of);
    const item = byKey.get(date);
    if (!item) return undefined;
    return decodeItem(itemSchema, store.chain, item)[name] as z.output<Detail>;
  };
}
