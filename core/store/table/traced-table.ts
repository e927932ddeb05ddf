import { keyOfWrite, type Table, type Write } from './table.ts';

export type TraceCommit = (commit: string, outcome: 'done' | 'overtaken' | 'unknown') => void;

/** Returns a table that traces the items of each commit. */
export const tracedTable = (table: Table, trace: TraceCommit): Table => ({
  ...table,
  commit: async (writes) => {
    const items = writes.flatMap((write) => itemOf(write)).join(', ');
    try {
      const isDone = await table.commit(writes);
      trace(items, isDone ? 'done' : 'overtaken');
      return isDone;
    } catch (error) {
      trace(items, 'unknown');
      throw error;
    }
  },
});

const itemOf = (write: Write): string[] =>
  'check' in write ? [] : [`${'put' in write ? 'put' : 'delete'} ${keyOfWrite(write).date}`];
