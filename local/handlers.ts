import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Route } from '../lambda/api/routes.ts';
import { environment } from '../lambda/environment.ts';
import { type EmbeddedTable, embeddedCredentials } from './embedded-table.ts';

type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Handlers = Readonly<Record<Route['handler'] | 'pages', ProxyHandler>>;

/** The very functions that the stack deploys, on this table. They open it when they are loaded, as in Lambda. */
export async function loadHandlers({
  endpoint,
  name,
}: Pick<EmbeddedTable, 'endpoint' | 'name'>): Promise<Handlers> {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    [environment.tableName]: name,
    // The local gateway answers no preflight request, without which a page cannot send its key.
    [environment.corsOrigins]: '',
  });
  let pages: Promise<ProxyHandler> | undefined;
  return {
    // Built when the first page is asked for, which spares each start 200 ms.
    pages: async (event, context) => {
      pages ??= loadPages();
      return (await pages)(event, context);
    },
    'get-fees': (await import('../lambda/get-fees.ts')).handler,
    'get-transaction-count': (await import('../lambda/get-transaction-count.ts')).handler,
  };
}

async function loadPages(): Promise<ProxyHandler> {
  const { buildSite } = await import('../web/build.ts');
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-pages-'));
  try {
    buildSite(folder);
    process.env[environment.siteFolder] = folder;
    // It keeps what it has read, as in Lambda.
    return (await import('../lambda/pages.ts')).handler;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
