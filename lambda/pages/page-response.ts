import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { matchesIfNoneMatch } from '../api/entity-tag.ts';
import { gatewayProblems } from '../api/gateway-problems.ts';
import { problemResponse, requestIdOf } from '../api/problem.ts';
import { compressorFor } from './accept-encoding.ts';
import { EMBED_PATH, OTHER_PATH } from './paths.ts';
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
  resource.replace(/\{(\w+)\+?\}/, (_, name: string) => pathParameters?.[name] ?? '');

/** Returns a file of the site (200), 304 if the browser has it, 308 to its canonical address, a 404, or a 406 problem. */
export function pageResponse(
  site: Site,
  event: APIGatewayProxyEvent,
  embedOrigins: string,
): APIGatewayProxyResult {
  const path = requestedPath(event);
  const embedders = path === EMBED_PATH ? embedOrigins : '';
  const isServed = event.resource !== OTHER_PATH && (path !== EMBED_PATH || embedders !== '');
  const file = isServed ? site.get(path) : undefined;
  if (!file) return notFound(site.get(OTHER_PATH), event);
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

/** Returns a page to a browser, and a problem to all other callers. */
function notFound(page: SiteFile | undefined, event: APIGatewayProxyEvent): APIGatewayProxyResult {
  if (!page || !headerOf(event, 'accept')?.includes('text/html'))
    return problemResponse(gatewayProblems.RESOURCE_NOT_FOUND, requestIdOf(event));
  const { path } = event.requestContext;
  const folders = requestedPath(event).replace(/\/$/, '').split('/').length - (path.endsWith('/') ? 1 : 2);
  // Links are relative, because the root may be below a stage or a base path.
  const root = '../'.repeat(folders) || './';
  const shown = path.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const body = page.body
    .replaceAll(/ (href|src)="(?!data:)(?:\.\/)?/g, (_, name) => ` ${name}="${root}`)
    .replace('<!-- path -->', () => shown);
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return { statusCode: 404, headers: { ...securityHeaders(''), ...type }, body };
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
