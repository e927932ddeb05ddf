import { transactionCount } from './api/metrics.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment } from './environment.ts';
import { openTable, settled } from './store/table.ts';

/** /api/chain-insights/transaction_count */
export const handler = queryHandler(transactionCount, openTable(fromEnvironment('tableName'), settled));
