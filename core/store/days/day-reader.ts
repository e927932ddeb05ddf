import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { DayRange } from '../../figures/complete-periods.ts';
import { hoursSchema, integer, optionalInteger } from '../attributes/shared-attributes.ts';
import { decodeItem, readItems } from '../table/decode-item.ts';
import { type DayRevision, dayRange, detailsRange, revisionKey } from '../table/keys.ts';
import { type ChainReader, queryItems } from '../table/table.ts';
import type { toDetailAttributes } from './details.ts';

/* Reads some attributes of days. Decoding takes most of the time of a query, and it grows with the number of attributes. */

/** Returns a function that reads days from `first` to `last`, both included, ascending and with strong consistency; all without them. */
export function dayReader<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  const schema = z.object({ date: z.string(), ...shape });
  return (store: ChainReader, first?: UtcDay, last?: UtcDay) =>
    readItems(schema, store, {
      ...dayRange(store, first, last),
      ProjectionExpression: ['#date', ...Object.keys(shape)].join(', '),
    });
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
    const item = byKey.get(revisionKey(store, 'details', of).date);
    return item && (decodeItem(itemSchema, store.chain, item)[name] as z.output<Detail>);
  };
}

/** A final day with its hours. `date` of an hour is such as `2026-11-21T13`. */
export interface HourlyDay<Hour> {
  readonly date: UtcDay;
  readonly hours: readonly (Hour & { readonly date: string })[];
}

interface VersionedDay {
  readonly date: UtcDay;
  readonly revision: number;
  readonly measures_version: number | undefined;
}

type Attributes<Shape extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Shape>>;

/**
 * Returns a function that reads hours, as `dayReader` does days. Days that were imported without details have no hours.
 * @param dayShape attributes of the day, which are added to each of its hours
 */
export function hourReader<Shape extends z.core.$ZodShape, DayShape extends Record<string, z.ZodMiniType>>(
  shape: Shape,
  dayShape: DayShape,
) {
  type Hour = Attributes<Shape> & Attributes<DayShape>;
  const readDays = dayReader({ ...dayShape, revision: integer, measures_version: optionalInteger });
  // Lazy, because few requests are for hours, and a schema takes time in the cold start of a query function.
  const schema = z.lazy(() => hoursSchema(shape));
  return async (store: ChainReader, first: UtcDay, last: UtcDay): Promise<HourlyDay<Hour>[]> => {
    const days = await readDays(store, first, last);
    const hoursOf = await readDetail(store, { first, last }, 'hours', schema, Object.keys(shape));
    return days.flatMap((day) => {
      const { date, revision, measures_version } = day as VersionedDay;
      const hours = measures_version === undefined ? undefined : hoursOf({ day: date, revision });
      if (!hours) return [];
      const dated = hours.map((hour, index) => {
        return { ...day, ...hour, date: `${date}T${String(index).padStart(2, '0')}` } as Hour & {
          date: string;
        };
      });
      return [{ date, hours: dated }];
    });
  };
}
