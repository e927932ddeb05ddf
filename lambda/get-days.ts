import { days } from './api/days.ts';
import { queryHandler } from './api/query-handler.ts';
import { fromEnvironment } from './environment.ts';
import { openQueryTable } from './store/query-table.ts';

/** Serves /api/chain-insights/days. */
export const handler = queryHandler(days, openQueryTable(fromEnvironment('tableName')));
