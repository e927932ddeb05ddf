import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { gatewayProblems } from '../api/gateway-problems.ts';
import { isKnown } from '../api/if-none-match.ts';
import { problemResponse, requestIdOf } from '../api/problem.ts';
import type { Site } from './site.ts';

/** What pages may do: nothing that is not from here. They hold a key, so no script of anybody else ever runs in them. */
const securityHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The names of assets have a hash of what is in them, so each is loaded once for as long as it is the same. */
const cacheControlOf = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** The 200 or 304 response with a file of the site, a 308 to its address as it should be, or the problem that there is none. */
export function pageAnswer(site: Site, event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const path = pathOf(event);
  const file = site.get(path);
  if (!file) return problemResponse(gatewayProblems.RESOURCE_NOT_FOUND, requestIdOf(event));
  // All links of the pages are relative, and lead astray where a slash is missing after the stage, or one follows a page.
  if (event.requestContext.path.endsWith('/') !== (path === '/')) return redirect(event);
  const headers = {
    ...securityHeaders,
    'Content-Type': `${file.mediaType}; charset=utf-8`,
    'Cache-Control': cacheControlOf(path),
    ETag: file.etag,
  };
  if (isKnown(file.etag, ifNoneMatchOf(event))) return { statusCode: 304, headers, body: '' };
  return { statusCode: 200, headers, body: file.body };
}

/** The path in the site. That of the event may have the base path of a domain before it, or a slash after it. */
const pathOf = ({ resource, pathParameters }: APIGatewayProxyEvent): string =>
  resource.replace('{file}', pathParameters?.file ?? '');

/** To the same with the slash at its end, or without. It is relative, so that no path leads to another host. */
function redirect(event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const [name, last] = event.requestContext.path.split('/').slice(-2);
  const query = queryOf(event);
  const to = last === '' ? `../${name}` : `./${last}/`;
  return {
    statusCode: 308,
    headers: { Location: query ? `${to}?${query}` : to, 'Cache-Control': 'no-cache' },
    body: '',
  };
}

/** What the explorer shows is in its query. */
function queryOf({ multiValueQueryStringParameters }: APIGatewayProxyEvent): string {
  const query = new URLSearchParams();
  for (const [name, values = []] of Object.entries(multiValueQueryStringParameters ?? {}))
    for (const value of values) query.append(name, value);
  return query.toString();
}

const ifNoneMatchOf = ({ headers }: APIGatewayProxyEvent): string | undefined =>
  Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'if-none-match')?.[1];
