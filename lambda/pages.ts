import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { environment, fromEnvironment, offeredChains } from './environment.ts';
import { pageResponse } from './pages/page-response.ts';
import { PUBLIC_DAYS_PATH } from './pages/paths.ts';
import { publicDaysReader } from './pages/public-days.ts';
import { readSite, siteFile } from './pages/site.ts';

// Each is not set unless the stage has it.
const keyUrl = process.env[environment.keyUrl] ?? '';
const embedOrigins = process.env[environment.embedOrigins] ?? '';
const bucket = process.env[environment.publicDaysBucket];
const settings = { keyUrl, chains: offeredChains(), hasPublicDays: bucket !== undefined };
const site = readSite(fromEnvironment('siteFolder'), settings);
const readPublicDays = bucket ? publicDaysReader(bucket) : undefined;

/** Before the first daily export, the page that asks for the days gets an empty answer. */
const noDays = siteFile('application/json', '{"chains":[]}');

/** Serves the explorer, the API reference, their assets, and the days that the stage opens to everyone. */
export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const isOpen = readPublicDays && event.resource === PUBLIC_DAYS_PATH;
  const files = isOpen ? new Map([[PUBLIC_DAYS_PATH, (await readPublicDays()) ?? noDays]]) : site;
  return pageResponse(files, event, embedOrigins);
}
