import type { Options } from '@middy/http-cors';

/* What pages on other origins may do. API Gateway answers their preflight requests by itself. */

/** What a page may send. Cookies are not among it. */
export const corsAllowedHeaders: readonly string[] = ['X-API-Key', 'Content-Type', 'Accept', 'If-None-Match'];

/** What a page can read of an answer, beside what every page can, such as Content-Type. */
export const corsExposedHeaders: readonly string[] = [
  'X-Days-Missing',
  'X-Data-Through',
  'X-Fees-Currency',
  'ETag',
  'Retry-After',
];

/**
 * How the functions let pages read their answers.
 * @param allowedOrigins comma separated, `*` for all; with none, no answer has any header of CORS
 */
export function corsOptions(allowedOrigins: string): Options {
  const [first, ...others] = allowedOrigins
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  if (first === undefined) return {};
  const exposeHeaders = corsExposedHeaders.join(', ');
  // A single one is sent to everybody. As a list of one, it would be sent to its own pages only, and the library would
  // leave out `Vary: Origin` in answers to others, which a cache could then give to those pages.
  if (others.length === 0) return { origin: first, exposeHeaders };
  return { origins: [first, ...others], exposeHeaders };
}
