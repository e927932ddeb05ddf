import { routes } from '#lambda/api/routes.ts';
import { type EmbeddedTable, startEmbeddedTable } from '#local/embedded-table.ts';
import { type Gateway, startGateway } from '#local/gateway.ts';
import { type Handlers, loadHandlers } from '#local/handlers.ts';

export const KEY = 'test-key';

/** Starts the handlers on a table behind the local gateway, on a free port. */
export const startApi = async (
  table: Pick<EmbeddedTable, 'endpoint' | 'name'>,
  startDates?: Parameters<typeof loadHandlers>[1],
): Promise<Gateway> =>
  startGateway({ port: 0 }, async (key) => key === KEY, await loadHandlers(table, startDates));

/**
 * Serves the API of a table for the tests of a file.
 * @param fill writes its items first
 */
export function useApi(
  fill: (table: EmbeddedTable) => Promise<unknown> = async () => {},
  startDates?: Parameters<typeof loadHandlers>[1],
) {
  let table: EmbeddedTable;
  let api: Gateway;
  beforeAll(async () => {
    table = await startEmbeddedTable();
    await fill(table);
    api = await startApi(table, startDates);
  });
  afterAll(async () => {
    await api.close();
    await table.close();
  });
  return { table: () => table, url: () => api.url };
}

/** Returns the same handler for every route and the pages. */
export const handlersOf = (handler: Handlers['pages']): Handlers =>
  ({ pages: handler, ...Object.fromEntries(routes.map((route) => [route.handler, handler])) }) as Handlers;
