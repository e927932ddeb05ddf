import * as z from 'zod/mini';
import type { UtcDay } from '../../../core/figures/calendar.ts';
import { hoursSchema, integer, optionalInteger } from '../../../core/store/attributes/shared-attributes.ts';
import { dayReader, readDetail } from '../../../core/store/days/day-reader.ts';
import type { ChainReader } from '../../../core/store/table/table.ts';

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
