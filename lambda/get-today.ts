import { createQueryTable } from '../core/store/table/client.ts';
import { todayHandler } from './api/today-handler.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

export const handler = todayHandler(createQueryTable(fromEnvironment('tableName')), offeredChains());
