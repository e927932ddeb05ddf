import * as z from 'zod/mini';
import { readItem } from '../table/decode-item.ts';
import { itemKey } from '../table/keys.ts';
import type { ChainReader, ChainStore } from '../table/table.ts';

/** The forks that the hosts of a chain say are scheduled, as of the last time that they were asked. Lazy, since few requests read it. */
const scheduleSchema = z.lazy(() =>
  z.object({
    asked_at: z.iso.datetime(),
    forks: z.array(
      z.object({
        name: z.optional(z.string()),
        at: z.iso.datetime(),
        host: z.string(),
        followed: z.boolean(),
      }),
    ),
  }),
);

export type Schedule = z.output<typeof scheduleSchema>;

export const getSchedule = (store: ChainReader): Promise<Schedule | undefined> =>
  readItem(scheduleSchema, store, itemKey(store, 'schedule'));

export const saveSchedule = (store: ChainStore, schedule: Schedule): Promise<boolean> =>
  store.table.putIf({ ...itemKey(store, 'schedule'), ...schedule });
