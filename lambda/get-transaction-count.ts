import { createQueryTable } from '../core/store/table/client.ts';
import { queryHandler } from './api/query-handler.ts';
import { transactionCount } from './api/series/transaction-count.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

export const handler = queryHandler(
  transactionCount,
  createQueryTable(fromEnvironment('tableName')),
  offeredChains(),
);
