import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames } from '../core/chains/chains.ts';
import { createQueryTable } from '../core/store/table/client.ts';
import { chainsHandler } from './api/chains-handler.ts';
import { queryHandler } from './api/query-handler.ts';
import { pathOf } from './api/routes.ts';
import { days } from './api/series/days.ts';
import { distribution } from './api/series/distribution.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

const startDates = z
  .partialRecord(z.enum(chainNames), z.nullable(z.iso.date()))
  .parse(JSON.parse(fromEnvironment('startDates')));

const chains = chainNames.flatMap((name) => {
  const startDate = startDates[name];
  return startDate === undefined ? [] : [{ name, startDate: startDate ?? undefined }];
});

const table = createQueryTable(fromEnvironment('tableName'));

const handlers: Readonly<Record<string, ReturnType<typeof queryHandler>>> = {
  [pathOf('days')]: queryHandler(days, table, offeredChains()),
  [pathOf('distribution')]: queryHandler(distribution, table, offeredChains()),
  [pathOf('chains')]: chainsHandler(chains, table),
};

/** Serves every path but the two main ones, by the path that API Gateway matched. */
export function handler(event: APIGatewayProxyEvent, context: Context) {
  const route = handlers[event.resource];
  if (!route) throw new Error(`${event.resource} is not a path of get-details.`);
  return route(event, context);
}
