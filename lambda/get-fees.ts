import { fees } from './api/metrics.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment } from './environment.ts';
import { openTable, settled } from './store/table.ts';

/** /api/chain-insights/fees */
export const handler = queryHandler(fees, openTable(fromEnvironment('tableName'), settled));
