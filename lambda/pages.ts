import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { environment, fromEnvironment } from './environment.ts';
import { pageResponse } from './pages/page-response.ts';
import { readSite } from './pages/site.ts';

/** Not set unless the stage names it. */
const keyUrl = process.env[environment.keyUrl] ?? '';
const site = readSite(fromEnvironment('siteFolder'), keyUrl);
/** Not set unless the stage allows embedding. */
const embedOrigins = process.env[environment.embedOrigins] ?? '';

/** Serves the explorer, the API reference and their assets. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  pageResponse(site, event, embedOrigins);
