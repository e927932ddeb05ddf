import { environment } from '../../lambda/environment.ts';
import { type EmbeddedTable, embeddedCredentials } from '../../local/embedded-table.ts';
import { type Gateway, type Handlers, startGateway } from '../../local/gateway.ts';

export const KEY = 'test-key';

/** The real handlers on a table, behind the local gateway on a free port. */
export async function startApi(table: Pick<EmbeddedTable, 'endpoint' | 'name'>): Promise<Gateway> {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    [environment.tableName]: table.name,
  });
  const handlers: Handlers = {
    'get-fees': (await import('../../lambda/get-fees.ts')).handler,
    'get-transaction-count': (await import('../../lambda/get-transaction-count.ts')).handler,
  };
  return startGateway(0, KEY, handlers);
}
