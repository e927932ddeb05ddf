import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { matchesIfNoneMatch } from '../api/entity-tag.ts';
import { gatewayProblems } from '../api/gateway-problems.ts';
import { problemResponse, requestIdOf } from '../api/problem.ts';
import { compressorFor } from './accept-encoding.ts';
import { EMBED_PATH } from './paths.ts';
import type { Site, SiteFile } from './site.ts';

/** Returns headers for a page. Pages hold an API key, so they load and run only files of this service, in frames of `embedders` at most. */
const securityHeaders = (embedders: string) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${embedders || "'none'"}`,
  ].join('; '),
  // Browsers ignore it at an address without TLS, such as that of npm start.
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A page that opens this one gets no handle on it.
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** Without it, a stranger's uncompressed requests would cost several times as much. */
const NOT_COMPRESSED = {
  status: 406,
  detail: 'Pages are sent compressed only. Send Accept-Encoding: gzip, or no such header.',
};

/** Returns the path below the root of the API: the event's own may begin with a stage or base path. */
export const requestedPath = ({ resource, pathParameters }: APIGatewayProxyEvent): string =>
  resource.replace('{file}', () => pathParameters?.file ?? '');

/** Returns a file of the site (200), 304 if the browser has it, 308 to its canonical address, or a 404 or 406 problem. */
export function pageResponse(
  site: Site,
  event: APIGatewayProxyEvent,
  embedOrigins: string,
): APIGatewayProxyResult {
  const path = requestedPath(event);
  const embedders = path === EMBED_PATH ? embedOrigins : '';
  const file = path === EMBED_PATH && !embedders ? undefined : site.get(path);
  if (!file) return problemResponse(gatewayProblems.RESOURCE_NOT_FOUND, requestIdOf(event));
  // Links in the pages are relative: they break without a slash after the stage, and with one after a page.
  if (event.requestContext.path.endsWith('/') !== (path === '/')) return redirectSlash(event);
  const headers = {
    ...securityHeaders(embedders),
    'Content-Type': file.isBinary ? file.mediaType : `${file.mediaType}; charset=utf-8`,
    'Cache-Control': cacheControlOf(path, file.mediaType),
    ETag: file.etag,
    Vary: 'Accept-Encoding',
  };
  if (matchesIfNoneMatch(file.etag, headerOf(event, 'if-none-match')))
    return { statusCode: 304, headers, body: '' };
  if (file.isBinary) return { statusCode: 200, headers, body: file.body, isBase64Encoded: true };
  const compressor = compressorFor(headerOf(event, 'accept-encoding'));
  if (!compressor) return problemResponse(NOT_COMPRESSED, requestIdOf(event));
  if (compressor === 'gateway') return { statusCode: 200, headers, body: file.body };
  // Weak, as API Gateway's own for what it compresses.
  const compressed = { ...headers, 'Content-Encoding': 'gzip', ETag: `W/${file.etag}` };
  return { statusCode: 200, headers: compressed, body: gzipped(file), isBase64Encoded: true };
}

const headerOf = ({ headers }: APIGatewayProxyEvent, name: string): string | undefined =>
  Object.entries(headers ?? {}).find(([given]) => given.toLowerCase() === name)?.[1];

const kept = new WeakMap<SiteFile, string>();

/** Compresses a file once, and returns it in Base64. */
function gzipped(file: SiteFile): string {
  const body = kept.get(file) ?? gzipSync(file.body).toString('base64');
  kept.set(file, body);
  return body;
}

/** A page names the assets of its own release, so browsers ask for it each time. A visitor needs few other requests. */
function cacheControlOf(path: string, mediaType: string): string {
  // An asset's name contains a hash of its content, so it never changes.
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  return mediaType === 'text/html' ? 'no-cache' : 'public, max-age=300';
}

/** Redirects to the same path with its final slash added or removed. A relative target cannot lead to another host. */
function redirectSlash(event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const [name, last] = event.requestContext.path.split('/').slice(-2);
  const to = last === '' ? `../${name}` : `./${last}/`;
  // A header holds visible ASCII characters. API Gateway sends no others.
  if (!/^[!-~]+$/.test(to)) return problemResponse(gatewayProblems.RESOURCE_NOT_FOUND, requestIdOf(event));
  // The query string holds the explorer's view.
  const values = Object.entries(event.multiValueQueryStringParameters ?? {});
  const query = new URLSearchParams(
    values.flatMap(([key, all = []]) => all.map((value): [string, string] => [key, value])),
  );
  const Location = query.size > 0 ? `${to}?${query}` : to;
  return { statusCode: 308, headers: { Location, 'Cache-Control': 'no-cache' }, body: '' };
}
