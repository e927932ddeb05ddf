import { createQueryTable } from '../core/store/table/query-table.ts';
import { fees } from './api/fees.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

/** Serves /api/chain-insights/fees. */
export const handler = queryHandler(fees, createQueryTable(fromEnvironment('tableName')), offeredChains());
