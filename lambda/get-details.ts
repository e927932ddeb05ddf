import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { chainNames } from '../core/chains/chains.ts';
import { createQueryTable } from '../core/store/table/client.ts';
import { chainsHandler } from './api/chains-handler.ts';
import { queryHandler } from './api/query-handler.ts';
import { pathOf } from './api/routes.ts';
import { days } from './api/series/days.ts';
import { distribution } from './api/series/distribution.ts';
import { memoize } from './caches.ts';
import { fromEnvironment, offeredChains } from './environment.ts';

function servedChains() {
  const startDates = z
    .partialRecord(z.enum(chainNames), z.nullable(z.iso.date()))
    .parse(JSON.parse(fromEnvironment('startDates')));
  return chainNames.flatMap((name) => {
    const startDate = startDates[name];
    return startDate === undefined ? [] : [{ name, startDate: startDate ?? undefined }];
  });
}

const table = createQueryTable(fromEnvironment('tableName'));

const handlers: Readonly<Record<string, () => ReturnType<typeof queryHandler>>> = {
  [pathOf('days')]: () => queryHandler(days, table, offeredChains()),
  [pathOf('distribution')]: () => queryHandler(distribution, table, offeredChains()),
  [pathOf('chains')]: () => chainsHandler(servedChains(), table),
};

/** Created by the first request of a path: creating all of them would take time in each cold start. */
const handlerOf = memoize((path: string) => {
  const create = handlers[path];
  if (!create) throw new Error(`${path} is not a path of get-details.`);
  return create();
});

/** Serves `/days`, `/distribution` and `/chains`, by the path that API Gateway matched. */
export function handler(event: APIGatewayProxyEvent, context: Context) {
  return handlerOf(event.resource)(event, context);
}
