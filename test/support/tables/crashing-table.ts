import type { Table } from '#core/store/table/table.ts';

/** Thrown instead of the end of the process. */
class CrashError extends Error {}

/** Returns a table that ends the process at a write: before it, or after it at half numbers. */
export function crashingTable(base: Table, at: number): Table {
  let writes = 0;
  const crashAt = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes === at) throw new CrashError();
    const result = await write();
    if (writes + 0.5 === at) throw new CrashError();
    return result;
  };
  return {
    ...base,
    putIf: (...given) => crashAt(() => base.putIf(...given)),
    deleteItem: (...given) => crashAt(() => base.deleteItem(...given)),
    commit: (...given) => crashAt(() => base.commit(...given)),
  };
}

/** Returns whether work ended with a crash. */
export const hasCrashed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      if (error instanceof CrashError) return true;
      throw error;
    },
  );
