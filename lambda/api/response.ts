import type { APIGatewayProxyResult } from 'aws-lambda';
import { chainOf } from '../chains/chains.ts';
import { countDays, earlier, later, type UtcDay } from '../chains/utc-day.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import type { Coverage } from '../store/coverage.ts';
import { type CachedDays, type DayRange, rowBounds } from './cached-days.ts';
import { type MediaType, sliceBody } from './formats.ts';
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

/** Returns the caching headers, which are all headers of a 304 response. */
const cacheHeaders = (tag: string) => ({ ETag: tag, 'Cache-Control': 'private', Vary: 'Accept' });

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

/** Returns the 304 response to a client that already has the current response. */
export const notModifiedResponse = (tag: string): APIGatewayProxyResult => ({
  statusCode: 304,
  headers: cacheHeaders(tag),
  body: '',
});

/**
 * Returns the 200 response to a query. Its body has a row for each final day only; X-Days-Missing counts the others.
 * @param days contain at least the final days of the query
 */
export function daysResponse(context: QueryContext, tag: string, days: CachedDays): APIGatewayProxyResult {
  const { metric, query, mediaType, coverage } = context;
  const [begin, end] = finalRows({ first: query.start_date, last: query.end_date }, coverage, days);
  return {
    statusCode: 200,
    headers: {
      'Content-Type': `${mediaType}; charset=utf-8`,
      'X-Days-Missing': String(countMissing(context, days)),
      ...(coverage?.last && { 'X-Data-Through': coverage.last }),
      ...metric.headersOf(chainOf(query.chain)),
      ...cacheHeaders(tag),
    },
    body: sliceBody(mediaType, metric.field, days.serialized[mediaType], begin, end),
  };
}

/** Returns where the rows of a range begin and end. Days after the coverage's last are not published yet. */
const finalRows = ({ first, last }: DayRange, coverage: Coverage | undefined, { rows }: CachedDays) =>
  rowBounds(rows, { first, last: earlier(last, coverage?.last ?? '') });

/** Counts the days of a query without a figure, from the chain's first day to yesterday. */
function countMissing({ query, coverage, yesterday }: QueryContext, days: CachedDays): number {
  const first = later(query.start_date, chainOf(query.chain).firstDay);
  const last = earlier(query.end_date, yesterday);
  const [begin, end] = finalRows({ first, last }, coverage, days);
  return countDays(first, last) - Math.max(0, end - begin);
}
