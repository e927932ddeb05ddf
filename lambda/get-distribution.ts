import { createQueryTable } from '../core/store/query-table.ts';
import { distribution } from './api/distribution.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment } from './environment.ts';
import { offeredChains } from './offered-chains.ts';

/** Serves /api/chain-insights/distribution. */
export const handler = queryHandler(
  distribution,
  createQueryTable(fromEnvironment('tableName')),
  offeredChains(),
);
