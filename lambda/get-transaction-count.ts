import { transactionCount } from './api/metrics.ts';
import { queryHandler } from './api/query-handler.ts';

/** /api/chain-insights/transaction_count */
export const handler = queryHandler(transactionCount);
