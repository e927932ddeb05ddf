import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { chainOf } from '../chains/chains.ts';
import { addDays, countDays, earlier, later, type UtcDay } from '../chains/utc-day.ts';
import type { DayFigures } from '../store/days.ts';
import type { Metric } from './metrics.ts';
import type { Query } from './query.ts';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

/** What a query is answered from. */
export interface Known {
  /** The final days of the range, ascending. */
  readonly days: readonly DayFigures[];
  /** The last final day of the chain as its coverage says, which follows a new day with a moment's delay. */
  readonly lastFinalDay: UtcDay | undefined;
  readonly today: UtcDay;
}

export interface Wanted {
  readonly mediaType: typeof JSON_TYPE | typeof CSV_TYPE;
  /** The If-None-Match header. */
  readonly ifNoneMatch?: string | undefined;
}

/** The 200 or 304 response to a query. A day without final figures is absent from the body and counted in X-Days-Missing. */
export function answer(metric: Metric, query: Query, known: Known, wanted: Wanted): APIGatewayProxyResult {
  const chain = chainOf(query.chain);
  const rows = known.days.map(({ day, totals }) => [day, metric.valueOf(totals)] as const);
  const body = wanted.mediaType === CSV_TYPE ? toCsv(metric, rows) : toJson(metric, rows);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const dataThrough = later(known.lastFinalDay ?? '', known.days.at(-1)?.day ?? '');
  const headers = {
    'X-Days-Missing': String(countMissing(chain.firstDay, query, known)),
    ...(dataThrough && { 'X-Data-Through': dataThrough }),
    ...metric.headersOf(chain),
    ETag: etag,
    'Cache-Control': 'private',
    Vary: 'Accept',
  };
  if (matches(etag, wanted.ifNoneMatch)) return { statusCode: 304, headers, body: '' };
  return {
    statusCode: 200,
    headers: { 'Content-Type': `${wanted.mediaType}; charset=utf-8`, ...headers },
    body,
  };
}

type Row = readonly [day: UtcDay, value: number | string];

const toJson = ({ field }: Metric, rows: readonly Row[]) =>
  JSON.stringify(rows.map(([date, value]) => ({ date, [field]: value })));

/** https://www.rfc-editor.org/rfc/rfc4180; days and decimals need no quoting. */
const toCsv = ({ field }: Metric, rows: readonly Row[]) =>
  [['date', field], ...rows].map((row) => `${row.join(',')}\r\n`).join('');

/** Days of the range that have happened, from the chain's first day to yesterday, and have no final figure. */
function countMissing(firstDay: UtcDay, { start_date, end_date }: Query, { days, today }: Known): number {
  const first = later(start_date, firstDay);
  const last = earlier(end_date, addDays(today, -1));
  return countDays(first, last) - days.filter(({ day }) => day >= first && day <= last).length;
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2; a gateway that compresses makes the tag a weak one. */
const matches = (etag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
