import { chainOf } from '../chains/chains.ts';
import { earlier, type UtcDay } from '../chains/utc-day.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import type { Coverage } from '../store/coverage.ts';
import type { MediaType } from './formats.ts';
import type { Metric } from './metrics.ts';
import type { Query } from './query.ts';

/** A query with everything that its response depends on, apart from the days themselves. */
export interface QueryContext {
  readonly metric: Metric;
  readonly query: Query;
  readonly mediaType: MediaType;
  readonly coverage: Coverage | undefined;
  /** The last complete day. */
  readonly yesterday: UtcDay;
}

/** Returns the headers of a 200 response. */
export const daysHeaders = (
  { metric, query, mediaType, coverage }: QueryContext,
  tag: string,
  daysMissing: number,
): Record<string, string> => ({
  'Content-Type': `${mediaType}; charset=utf-8`,
  'X-Days-Missing': String(daysMissing),
  ...(coverage?.last && { 'X-Data-Through': coverage.last }),
  ...metric.headersOf(chainOf(query.chain)),
  ...cacheHeaders(tag),
});

/** Returns the caching headers, which are all headers of a 304 response. */
export const cacheHeaders = (tag: string) => ({ ETag: tag, 'Cache-Control': 'private', Vary: 'Accept' });

/**
 * Returns the strong entity tag of a response, without reading any days: responses with the same tag have the same body and
 * headers.
 */
export function entityTag({ query, mediaType, coverage, yesterday }: QueryContext): string {
  const { chain, start_date, end_date } = query;
  // X-Days-Missing counts complete days without a figure, so it may grow while the data stays the same.
  const lastComplete = earlier(end_date, yesterday);
  const revision = coverage?.revision ?? 0;
  // A tag may hold no space, and a comma separates tags in If-None-Match.
  return `"${chain};${start_date};${end_date};${lastComplete};${mediaType};${revision};${SOFTWARE_VERSION}"`;
}
