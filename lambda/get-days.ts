import { createQueryTable } from '../core/store/query-table.ts';
import { days } from './api/days.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment } from './environment.ts';
import { offeredChains } from './offered-chains.ts';

/** Serves /api/chain-insights/days. */
export const handler = queryHandler(days, createQueryTable(fromEnvironment('tableName')), offeredChains());
