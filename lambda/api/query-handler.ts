import { dayOf, SECONDS_PER_DAY, type UtcDay } from '../chains/utc-day.ts';
import type { TableReader } from '../store/table.ts';
import { openCache } from './cache.ts';
import { httpHandler } from './http-handler.ts';
import { matchesIfNoneMatch } from './if-none-match.ts';
import type { Metric } from './metrics.ts';
import { readQuery } from './query.ts';
import { daysResponse, entityTag, notModifiedResponse, type QueryContext } from './response.ts';

let cachedYesterday = { number: 0, day: '' };

/** Returns the last complete day. It is formatted once a day: formatting took a fifteenth of a warm request. */
function yesterday(): UtcDay {
  const number = Math.floor(Date.now() / 1_000 / SECONDS_PER_DAY) - 1;
  if (number !== cachedYesterday.number) cachedYesterday = { number, day: dayOf(number * SECONDS_PER_DAY) };
  return cachedYesterday.day;
}

/** Creates the Lambda handler of the endpoint that serves a metric. */
export function queryHandler(metric: Metric, table: TableReader) {
  const cacheOf = openCache(table, metric);
  return httpHandler(async (event, mediaType) => {
    const query = readQuery(event);
    const cache = cacheOf(query.chain);
    const coverage = await cache.coverage();
    const context: QueryContext = { metric, query, mediaType, coverage, yesterday: yesterday() };
    const tag = entityTag(context);
    if (matchesIfNoneMatch(tag, event.headers?.['if-none-match'])) return notModifiedResponse(tag);
    const days = await cache.days(coverage, { first: query.start_date, last: query.end_date });
    return daysResponse(context, tag, days);
  });
}
