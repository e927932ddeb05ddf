import * as z from 'zod/mini';
import { HOURS_PER_DAY } from '../../figures/calendar.ts';
import { totalsShape, type totalsToAttributes } from './shared-attributes.ts';

const columnsSchema = z.record(z.string(), z.array(z.nullable(z.bigint())).check(z.length(HOURS_PER_DAY)));

/** Returns the schema of hours with some attributes. An attribute is stored as a list of 24 values, and decodes into 24 objects. */
export const hoursSchema = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.pipe(z.pipe(columnsSchema, z.transform(toRows)), z.array(z.object(shape)));

const toRows = (columns: z.output<typeof columnsSchema>): object[] =>
  Array.from({ length: HOURS_PER_DAY }, (_, hour) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[hour] ?? undefined])),
  );

/** Encodes hours. A measure that an hour lacks is null. */
export const toColumns = (hours: readonly ReturnType<typeof totalsToAttributes>[]) =>
  Object.fromEntries(
    (Object.keys(totalsShape) as (keyof typeof totalsShape)[]).map((name) => [
      name,
      hours.map((hour) => hour[name] ?? null),
    ]),
  );
