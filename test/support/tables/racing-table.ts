import type { Item, Table } from '#core/store/table/table.ts';

interface Race {
  /** Done by another writer before the item is written. */
  readonly before?: () => Promise<unknown>;
  /** Done after it; throws if the process ends there. */
  readonly after?: () => Promise<unknown>;
}

/** Returns a table in which something else happens at the first write of an item. */
export function racingTable(base: Table, isDue: (item: Item) => boolean, { before, after }: Race): Table {
  let isFirst = true;
  const race = async (isRaced: boolean, write: () => Promise<boolean>) => {
    const isNow = isFirst && isRaced;
    isFirst &&= !isNow;
    if (isNow) await before?.();
    const isDone = await write();
    if (isNow) await after?.();
    return isDone;
  };
  return {
    ...base,
    putIf: (item, condition) => race(isDue(item as Item), () => base.putIf(item, condition)),
    commit: (writes) =>
      race(
        writes.some((write) => 'put' in write && isDue(write.put)),
        () => base.commit(writes),
      ),
  };
}
