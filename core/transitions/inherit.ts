import { addDays, type UtcDay } from '../figures/calendar.ts';
import { commit } from '../store/chain/commit.ts';
import { mayInherit, toLinked } from '../store/chain/next-coverage.ts';
import { amended, isStill, versionOf } from '../store/days/write-day.ts';
import { dayKey } from '../store/table/keys.ts';
import type { ChainStore } from '../store/table/table.ts';
import { readAround } from './around.ts';

/** Gives a day the better evidence of finality of the day after it, which links to it by hash. @returns false if it may not inherit it */
export const inherit = (store: ChainStore, day: UtcDay): Promise<boolean> =>
  commit(store, async () => {
    const around = await readAround(store, day);
    const [own, after] = [around.item(day), around.item(addDays(day, 1))];
    if (!own || !after || !mayInherit(toLinked(store, own), toLinked(store, after)))
      return { writes: [], result: false };
    const version = versionOf(store, own);
    const { confirmed_by, links_to } = after;
    const put = { ...own, ...dayKey(store, day), confirmed_by, links_to, ...amended(version) };
    return { writes: [{ put, condition: isStill(version) }, ...around.checks], result: true };
  });
