import type { ServedChain } from '#cli/service.ts';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';

/** A chain that a service ingests into a table, without endpoints unless some are given. */
export const servedChain = (
  name: ChainName,
  table: Table,
  given: Partial<ServedChain> = {},
): ServedChain => ({
  name,
  chain: chainOf(name),
  store: chainStore(table, name),
  createUpstreams: async () => [],
  ...given,
});
