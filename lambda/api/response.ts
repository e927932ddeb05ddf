import type { APIGatewayProxyResult } from 'aws-lambda';
import { chainOf } from '../chains/chains.ts';
import { countDays, earlier, later } from '../chains/utc-day.ts';
import type { Coverage } from '../store/coverage.ts';
import { type CachedDays, type DayRange, rowBounds } from './cached-days.ts';
import { sliceBody } from './formats.ts';
import { cacheHeaders, daysHeaders, type QueryContext } from './response-headers.ts';

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
    headers: daysHeaders(context, tag, countMissing(context, days)),
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
