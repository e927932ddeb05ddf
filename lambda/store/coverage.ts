import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { addDays, type UtcDay } from '../chains/utc-day.ts';
import { integer } from './attributes.ts';
import { listFinalDays } from './days.ts';
import { answerOf, isUnchanged, putIf, type Table } from './table.ts';

/** Which days of a chain are final, in one small item. It follows from the day items and can be made anew from them. */
export interface Coverage {
  /** Every day from `from` through `through` is final; `through` is the day before `from` when none is. */
  readonly from: UtcDay;
  readonly through: UtcDay;
  /** The last final day, which lies after `through` where there is a hole; absent when there is none. */
  readonly last?: UtcDay | undefined;
  /** Goes up by one with every change. */
  readonly revision: number;
}

const KEY = 'coverage';

const coverageSchema = z.object({
  from_day: z.string(),
  through_day: z.string(),
  last_day: z.optional(z.string()),
  revision: integer,
});

export async function getCoverage(
  table: Table,
  chain: string,
  { consistent = false } = {},
): Promise<Coverage | undefined> {
  const get = new GetCommand({
    TableName: table.name,
    Key: { chain, date: KEY },
    ConsistentRead: consistent,
  });
  const { Item } = await answerOf(table.client.send(get));
  if (!Item) return undefined;
  const { from_day, through_day, last_day, revision } = coverageSchema.parse(Item);
  return { from: from_day, through: through_day, last: last_day, revision };
}

/** Makes the coverage anew from the days that are stored, so that a hole anywhere since `from` is seen. */
export async function refreshCoverage(table: Table, chain: string, from: UtcDay): Promise<Coverage> {
  for (;;) {
    const before = (await getCoverage(table, chain, { consistent: true }))?.revision ?? 0;
    const days = await listFinalDays(table, chain, from);
    const after = coverageOf(from, days, before + 1);
    const item = {
      chain,
      date: KEY,
      from_day: after.from,
      through_day: after.through,
      last_day: after.last,
      revision: after.revision,
    };
    if (await putIf(table, item, isUnchanged('revision', before))) return after;
  }
}

/** @param days the final days since `from`, ascending */
export function coverageOf(from: UtcDay, days: readonly UtcDay[], revision: number): Coverage {
  let through = addDays(from, -1);
  for (const day of days) {
    if (day !== addDays(through, 1)) break;
    through = day;
  }
  return { from, through, last: days.at(-1), revision };
}
