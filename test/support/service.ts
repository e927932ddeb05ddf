import type { EmbeddedTable } from '../../local/embedded-table.ts';
import { type Gateway, startGateway } from '../../local/gateway.ts';
import { loadHandlers } from '../../local/handlers.ts';

export const KEY = 'test-key';

/** Starts the handlers on a table behind the local gateway, on a free port. */
export const startApi = async (table: Pick<EmbeddedTable, 'endpoint' | 'name'>): Promise<Gateway> =>
  startGateway({ port: 0 }, async (key) => key === KEY, await loadHandlers(table));
