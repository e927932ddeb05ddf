import type { Table } from '#core/store/table/table.ts';

/** Returns a table that counts the requests that change items. */
export function countingTable(base: Table): { readonly table: Table; readonly changes: () => number } {
  let changes = 0;
  const count = <T>(change: () => Promise<T>): Promise<T> => {
    changes += 1;
    return change();
  };
  const table: Table = {
    ...base,
    putIf: (...given) => count(() => base.putIf(...given)),
    deleteItem: (...given) => count(() => base.deleteItem(...given)),
    commit: (...given) => count(() => base.commit(...given)),
  };
  return { table, changes: () => changes };
}
