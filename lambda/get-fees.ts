import { fees } from './api/metrics.ts';
import { queryHandler } from './api/query-handler.ts';

/** /api/chain-insights/fees */
export const handler = queryHandler(fees);
