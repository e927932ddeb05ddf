import type { Table } from '#core/store/table/table.ts';

/** Returns a table that counts the requests that change items, and those that read one. */
export function countingTable(base: Table): {
  readonly table: Table;
  readonly changes: () => number;
  readonly reads: () => number;
} {
  let [changes, reads] = [0, 0];
  const count = <T>(change: () => Promise<T>): Promise<T> => {
    changes += 1;
    return change();
  };
  const table: Table = {
    ...base,
    getItem: (key) => {
      reads += 1;
      return base.getItem(key);
    },
    putIf: (...given) => count(() => base.putIf(...given)),
    deleteItem: (...given) => count(() => base.deleteItem(...given)),
    commit: (...given) => count(() => base.commit(...given)),
  };
  return { table, changes: () => changes, reads: () => reads };
}
