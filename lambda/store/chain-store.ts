import type { Table } from './table.ts';

/** One chain's items in the metrics table. */
export interface ChainStore {
  readonly table: Table;
  readonly chain: string;
}

export const chainStore = (table: Table, chain: string): ChainStore => ({ table, chain });
