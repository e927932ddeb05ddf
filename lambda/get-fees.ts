import { createQueryTable } from '../core/store/table/client.ts';
import { queryHandler } from './api/query-handler.ts';
import { fees } from './api/series/fees.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

export const handler = queryHandler(fees, createQueryTable(fromEnvironment('tableName')), offeredChains());
