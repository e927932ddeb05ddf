import type { Table, TableReader } from './table.ts';

/** One chain's items in the metrics table, to read. */
export interface ChainReader {
  readonly table: TableReader;
  readonly chain: string;
}

/** One chain's items in the metrics table, to read and write. */
export interface ChainStore extends ChainReader {
  readonly table: Table;
}

/** Binds a table to a chain. */
export const chainStore = <AnyTable extends TableReader>(table: AnyTable, chain: string) => ({
  table,
  chain,
});
