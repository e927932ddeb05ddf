import type { APIGatewayProxyResult } from 'aws-lambda';
import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, countDays, earlier, later, type UtcDay } from '../../core/figures/calendar.ts';
import { type DayRange, periodBounds } from '../../core/figures/complete-periods.ts';
import type { Coverage } from '../../core/store/chain/coverage.ts';
import type { CachedDays } from './cached-days.ts';
import { bodyOfChains, JSON_TYPE, type MediaType, sliceBody } from './formats.ts';
import { functionProblems, ProblemError } from './problem.ts';
import type { DayQuery } from './query.ts';
import { sampleHeader } from './sample-data.ts';
import { pickFields } from './series/day-fields.ts';

/** A query with everything that its response depends on, apart from the days themselves. */
export interface QueryContext {
  /** True if a header names the coin of the fees. */
  readonly hasFees: boolean | undefined;
  readonly query: DayQuery;
  readonly mediaType: MediaType;
  /** In the order of the query; at least one. */
  readonly chains: readonly CoveredChain[];
  readonly yesterday: UtcDay;
}

interface CoveredChain {
  readonly chain: ChainName;
  readonly coverage: Coverage | undefined;
}

export interface DaysOfChain extends CoveredChain {
  /** At least the final days of the query. */
  readonly days: CachedDays;
  /** Those of them that come from an archive, if a header is to count them. */
  readonly archived: CachedDays | undefined;
}

/** Maximum length of a body in characters. Lambda ends a response of 6 MB in which each quotation mark is escaped. */
export const MAX_BODY_LENGTH = 5_000_000;

/** Returns the caching headers, which are all headers of a 304 response. */
const cacheHeaders = (tag: string | undefined) => ({
  ...(tag !== undefined && { ETag: tag }),
  'Cache-Control': tag === undefined ? 'no-store' : 'private',
  Vary: 'Accept',
});

/** Returns the 304 response to a client that already has the current response. */
export const notModifiedResponse = (tag: string): APIGatewayProxyResult => ({
  statusCode: 304,
  headers: cacheHeaders(tag),
  body: '',
});

/**
 * Returns the 200 response to a query, with a row for each day or period that is complete. With several chains, each row begins with
 * its chain, and headers that are of one chain are left out.
 * @throws ProblemError when the body is too large
 */
export function daysResponse(
  context: QueryContext,
  tag: string | undefined,
  read: readonly DaysOfChain[],
): APIGatewayProxyResult {
  const { hasFees, query, mediaType } = context;
  const { start_date, end_date, interval, isRelative, fields } = query;
  const parts = read.map(({ chain, coverage, days }) => {
    const rows = days.rowsOf(interval, mediaType);
    const bounds = finalRows({ first: start_date, last: end_date }, coverage, rows.ranges);
    return { chain, coverage, rows, bounds };
  });
  const [part, ...others] = parts;
  const one = others.length === 0 ? part : undefined;
  const whole = one ? sliceBody(one.rows, ...one.bounds) : bodyOfChains(mediaType, parts);
  // CSV has its own columns, and all of them.
  const body = fields !== undefined && mediaType === JSON_TYPE ? pickFields(whole, fields) : whole;
  if (body.length > MAX_BODY_LENGTH) throw new ProblemError(functionProblems.RESPONSE_TOO_LARGE);
  const sum = (counts: readonly number[]) => counts.reduce((one, other) => one + other, 0);
  const archived = sum(read.map((each) => countArchived(query, each)));
  return {
    statusCode: 200,
    headers: {
      'Content-Type': `${mediaType}; charset=utf-8`,
      'X-Days-Missing': String(sum(read.map((each) => countMissing(context, each)))),
      'X-Days-Not-Over': String(countDays(later(start_date, addDays(context.yesterday, 1)), end_date)),
      ...(archived > 0 && { 'X-Days-Archived': String(archived) }),
      ...(one?.coverage?.last_day && { 'X-Data-Through': one.coverage.last_day }),
      ...(one && hasFees && { 'X-Fees-Currency': chainOf(one.chain).coin }),
      ...sampleHeader(query.chains),
      ...(isRelative && { 'X-Start-Date': start_date, 'X-End-Date': end_date }),
      ...cacheHeaders(tag),
    },
    body,
  };
}

/** Returns where the rows of a range begin and end. Days after the coverage's last are not published yet. */
const finalRows = (
  { first, last }: DayRange,
  coverage: Coverage | undefined,
  rangesOfRows: readonly DayRange[],
) => periodBounds(rangesOfRows, { first, last: earlier(last, coverage?.last_day ?? '') });

/** Counts the archived days of a query, whose row may be one of a period. */
function countArchived(query: DayQuery, { coverage, archived }: DaysOfChain): number {
  if (!archived) return 0;
  const range = { first: query.start_date, last: query.end_date };
  const [begin, end] = finalRows(range, coverage, archived.dayRanges);
  return Math.max(0, end - begin);
}

/** Counts the days of a query without a figure, from the chain's first day to yesterday. */
function countMissing({ query, yesterday }: QueryContext, { chain, coverage, days }: DaysOfChain): number {
  const first = later(query.start_date, chainOf(chain).firstDay);
  const last = earlier(query.end_date, yesterday);
  const [begin, end] = finalRows({ first, last }, coverage, days.dayRanges);
  return countDays(first, last) - Math.max(0, end - begin);
}
