import type * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import { hoursSchema } from '../attributes/hour-columns.ts';
import { integer } from '../attributes/shared-attributes.ts';
import type { ChainReader } from '../table/table.ts';
import { dayReader } from './day-reader.ts';
import { readDetail } from './detail-reader.ts';

/** A final day with its hours. `date` of an hour is such as `2026-11-21T13`. */
export interface HourlyDay<Hour> {
  readonly date: UtcDay;
  readonly hours: readonly (Hour & { readonly date: string })[];
}

type Attributes<Shape extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Shape>>;

/**
 * Returns a function that reads some attributes of the hours from `first` to `last`, both included, ascending. Days that were imported
 * without details have no hours.
 * @param dayShape attributes of the day, which are added to each of its hours
 */
export function hourReader<Shape extends z.core.$ZodShape, DayShape extends Record<string, z.ZodMiniType>>(
  shape: Shape,
  dayShape: DayShape,
) {
  type Hour = Attributes<Shape> & Attributes<DayShape>;
  let schemas: ReturnType<typeof createSchemas> | undefined;
  const createSchemas = () => ({
    readDays: dayReader({ ...dayShape, revision: integer }),
    hours: hoursSchema(shape),
  });
  return async (store: ChainReader, first: UtcDay, last: UtcDay): Promise<HourlyDay<Hour>[]> => {
    // Few requests are for hours, and creating the schemas would slow every cold start.
    schemas ??= createSchemas();
    const { readDays, hours: schema } = schemas;
    const [days, hoursOf] = await Promise.all([
      readDays(store, first, last),
      readDetail(store, { first, last }, 'hours', schema, Object.keys(shape)),
    ]);
    return days.flatMap((day) => {
      const { date, revision } = day as { date: UtcDay; revision: number };
      const hours = hoursOf({ day: date, revision });
      if (!hours) return [];
      const dated = hours.map(
        (hour, index) => ({ ...day, ...hour, date: hourOf(date, index) }) as Hour & { date: string },
      );
      return [{ date, hours: dated }];
    });
  };
}

const hourOf = (day: UtcDay, hour: number): string => `${day}T${String(hour).padStart(2, '0')}`;
