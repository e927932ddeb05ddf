import { routes } from '#lambda/api/routes.ts';
import type { EmbeddedTable } from '#local/embedded-table.ts';
import { type Gateway, startGateway } from '#local/gateway.ts';
import { type Handlers, loadHandlers } from '#local/handlers.ts';

export const KEY = 'test-key';

/** Starts the handlers on a table behind the local gateway, on a free port. */
export const startApi = async (
  table: Pick<EmbeddedTable, 'endpoint' | 'name'>,
  startDates?: Parameters<typeof loadHandlers>[1],
): Promise<Gateway> =>
  startGateway({ port: 0 }, async (key) => key === KEY, await loadHandlers(table, startDates));

/** Returns the same handler for every route and the pages. */
export const handlersOf = (handler: Handlers['pages']): Handlers =>
  ({ pages: handler, ...Object.fromEntries(routes.map((route) => [route.handler, handler])) }) as Handlers;
