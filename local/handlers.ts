import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type ChainName, chainNames } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import type { Route } from '../lambda/api/routes.ts';
import { sampleHeader } from '../lambda/api/sample-data.ts';
import { environment } from '../lambda/environment.ts';
import { pageResponse } from '../lambda/pages/page-response.ts';
import { PUBLIC_FILES_PATH } from '../lambda/pages/paths.ts';
import { type EmbeddedTable, embeddedCredentials } from './embedded-table.ts';
import { localPublicFiles } from './public-files.ts';

/** Pages of this machine may show the chart in a frame, to try it. */
const LOCAL_PAGES = 'http://localhost:* http://127.0.0.1:*';

type ProxyHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Handlers = Readonly<Record<Route['handler'] | 'pages', ProxyHandler>>;

/**
 * Loads the functions that the stack deploys. As in Lambda, they read their environment and open the table when they load.
 * @param startDates first day to ingest, of each chain that is ingested
 * @param developmentChains are named on each page and in each response, since their figures are invented
 * @param licence of the files with all final days, for everyone; without one there are none
 */
export async function loadHandlers(
  { endpoint, name }: Pick<EmbeddedTable, 'endpoint' | 'name'>,
  startDates: Readonly<Partial<Record<ChainName, UtcDay>>> = {},
  developmentChains: readonly ChainName[] = [],
  licence?: string,
): Promise<Handlers> {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    [environment.tableName]: name,
    [environment.startDates]: JSON.stringify(startDates),
    [environment.offeredChains]: Object.keys(startDates).join(','),
    [environment.sampleChains]: developmentChains.join(','),
    // Pages of other origins could not send a key, because the local gateway answers no preflight requests.
    [environment.corsOrigins]: '',
    [environment.embedOrigins]: process.env[environment.embedOrigins] || LOCAL_PAGES,
  });
  let pages: Promise<ProxyHandler> | undefined;
  const readFiles = licence === undefined ? undefined : localPublicFiles(name, licence);
  return {
    // Built on the first request for a page, which saves 200 ms at the start.
    pages: async (event, context) => {
      if (event.resource === PUBLIC_FILES_PATH && readFiles) {
        const response = pageResponse(await readFiles(), event, '');
        const [chain = ''] = event.pathParameters?.file?.split('.') ?? [];
        // The index is of all chains.
        const named = chainNames.some((name) => name === chain) ? [chain] : developmentChains;
        return { ...response, headers: { ...response.headers, ...sampleHeader(named) } };
      }
      pages ??= loadPages(developmentChains);
      return (await pages)(event, context);
    },
    'get-details': (await import('../lambda/get-details.ts')).handler,
    'get-fees': (await import('../lambda/get-fees.ts')).handler,
    'get-today': (await import('../lambda/get-today.ts')).handler,
    'get-transaction-count': (await import('../lambda/get-transaction-count.ts')).handler,
  };
}

/** Returns the text at the top of each page that has invented figures, which names their chains; none without such. */
export const sampleBanner = (invented: readonly ChainName[]): string =>
  invented.length > 0 ? `Sample data, not of the real chains: ${invented.join(', ')}.` : '';

async function loadPages(invented: readonly ChainName[]): Promise<ProxyHandler> {
  const { buildSite } = await import('../web/build.ts');
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-pages-'));
  try {
    buildSite(folder, ['controls/local-key.ts'], sampleBanner(invented));
    process.env[environment.siteFolder] = folder;
    // Keeps the pages in memory, as in Lambda.
    return (await import('../lambda/pages.ts')).handler;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
