import type { Options } from '@middy/http-cors';

/* CORS: which headers pages of other origins may send and read. API Gateway itself answers preflight requests. */

/** Request headers that a page may send. Credentials are never allowed. */
export const corsAllowedHeaders: readonly string[] = ['X-API-Key', 'Content-Type', 'Accept', 'If-None-Match'];

/** Response headers that a page may read, in addition to those that are always readable, such as Content-Type. */
export const corsExposedHeaders: readonly string[] = [
  'X-Days-Missing',
  'X-Days-Not-Over',
  'X-Days-Archived',
  'X-Data-Through',
  'X-Fees-Currency',
  'ETag',
  'Retry-After',
  'X-Start-Date',
  'X-End-Date',
];

/**
 * Returns the options of the CORS middleware; undefined where no origin is allowed.
 * @param allowedOrigins comma-separated, or `*` for all
 */
export function corsOptions(allowedOrigins: string): Options | undefined {
  const [first, ...others] = allowedOrigins.split(/[\s,]+/).filter((origin) => origin !== '');
  if (first === undefined) return undefined;
  const exposeHeaders = corsExposedHeaders.join(', ');
  // A single origin is sent to every caller. As a list of one, the library would send it to matching pages only and omit
  // `Vary: Origin` for the others, so that a cache could serve those pages a response without CORS headers.
  if (others.length === 0) return { origin: first, exposeHeaders };
  return { origins: [first, ...others], exposeHeaders };
}
