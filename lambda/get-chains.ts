import * as z from 'zod/mini';
import { chainNames } from '../core/chains/chains.ts';
import { createQueryTable } from '../core/store/query-table.ts';
import { chainsHandler } from './api/chains-handler.ts';
import { fromEnvironment } from './environment.ts';

const startDates = z
  .partialRecord(z.enum(chainNames), z.nullable(z.iso.date()))
  .parse(JSON.parse(fromEnvironment('startDates')));

const chains = chainNames.flatMap((name) => {
  const startDate = startDates[name];
  return startDate === undefined ? [] : [{ name, startDate: startDate ?? undefined }];
});

/** Serves /api/chain-insights/chains. */
export const handler = chainsHandler(chains, createQueryTable(fromEnvironment('tableName')));
