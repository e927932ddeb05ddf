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
  const putIf: Table['putIf'] = async (item, condition) => {
    const isNow = isFirst && isDue(item as Item);
    isFirst &&= !isNow;
    if (isNow) await before?.();
    const isPut = await base.putIf(item, condition);
    if (isNow) await after?.();
    return isPut;
  };
  return { ...base, putIf };
}
