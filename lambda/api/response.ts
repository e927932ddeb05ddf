import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Chain, chainOf } from '../chains/chains.ts';
import { countDays, earlier, later, type UtcDay } from '../chains/utc-day.ts';
import { SOFTWARE_VERSION } from '../software-version.ts';
import type { Coverage } from '../store/coverage.ts';
import { bodyOf, type MediaType } from './formats.ts';
import { type DayRange, type History, indexesOf } from './history.ts';
import type { Metric } from './metrics.ts';
import type { Query } from './query.ts';

/** What a query is answered by, beside the days themselves. */
export interface Asked {
  readonly metric: Metric;
  readonly query: Query;
  readonly mediaType: MediaType;
  readonly coverage: Coverage | undefined;
  /** The last day that is over. */
  readonly yesterday: UtcDay;
}

/**
 * The strong entity tag of an answer. It follows from what is asked for and from how far the data is, without a look at
 * the days: an answer with the same tag has the same body and the same headers.
 */
export function tagOf({ query, mediaType, coverage, yesterday }: Asked): string {
  const { chain, start_date, end_date } = query;
  // Of the days that are over, those without a figure are counted, and that may grow while the data stays.
  const over = earlier(end_date, yesterday);
  const revision = coverage?.revision ?? 0;
  // No space and no comma: a tag may hold no space, and lists of tags are parted at commas.
  return `"${chain};${start_date};${end_date};${over};${mediaType};${revision};${SOFTWARE_VERSION}"`;
}

const cacheHeaders = (tag: string) => ({ ETag: tag, 'Cache-Control': 'private', Vary: 'Accept' });

/** The 304 response: the client has the rest. */
export const notModified = (tag: string): APIGatewayProxyResult => ({
  statusCode: 304,
  headers: cacheHeaders(tag),
  body: '',
});

/**
 * The 200 response to a query. A day without final figures is absent from the body and counted in X-Days-Missing.
 * @param history holds at least the days of the query up to the last final one
 */
export function answer(asked: Asked, tag: string, history: History): APIGatewayProxyResult {
  const { metric, query, mediaType, coverage, yesterday } = asked;
  const chain = chainOf(query.chain);
  const [begin, end] = indexesOf(
    history.rows,
    served({ first: query.start_date, last: query.end_date }, coverage),
  );
  return {
    statusCode: 200,
    headers: {
      'Content-Type': `${mediaType}; charset=utf-8`,
      'X-Days-Missing': String(countMissing(daysOver(chain, query, yesterday), coverage, history)),
      ...(coverage?.last && { 'X-Data-Through': coverage.last }),
      ...metric.headersOf(chain),
      ...cacheHeaders(tag),
    },
    body: bodyOf(mediaType, metric.field, history.written[mediaType], begin, end),
  };
}

/** Of some days those that may have figures. */
const served = ({ first, last }: DayRange, coverage: Coverage | undefined): DayRange => ({
  first,
  last: earlier(last, coverage?.last ?? ''),
});

/** Days of a query that have happened, from the chain's first day to yesterday. */
const daysOver = ({ firstDay }: Chain, { start_date, end_date }: Query, yesterday: UtcDay): DayRange => ({
  first: later(start_date, firstDay),
  last: earlier(end_date, yesterday),
});

function countMissing(days: DayRange, coverage: Coverage | undefined, { rows }: History): number {
  const [begin, end] = indexesOf(rows, served(days, coverage));
  return countDays(days.first, days.last) - Math.max(0, end - begin);
}
