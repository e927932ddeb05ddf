import { fees } from './api/fees.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment } from './environment.ts';
import { openQueryTable } from './store/query-table.ts';

/** Serves /api/chain-insights/fees. */
export const handler = queryHandler(fees, openQueryTable(fromEnvironment('tableName')));
