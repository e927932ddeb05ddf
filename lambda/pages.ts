import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { fromEnvironment } from './environment.ts';
import { pageAnswer } from './pages/page-answer.ts';
import { readSite } from './pages/site.ts';

const site = readSite(fromEnvironment('siteFolder'));

/** The pages for people: the explorer, the reference of the API, and what they load. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
  pageAnswer(site, event);
