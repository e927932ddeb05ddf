import type { TableReader } from '../../core/store/table.ts';
import { createCache } from './day-cache.ts';
import { daysResponse, notModifiedResponse, type QueryContext } from './days-response.ts';
import { entityTag } from './entity-tag.ts';
import type { Dated } from './formats.ts';
import { httpHandler } from './http-handler.ts';
import { matchesIfNoneMatch } from './if-none-match.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import { readQuery } from './query.ts';
import type { Series } from './series.ts';

/** Creates the Lambda handler of the endpoint that serves a series. */
export function queryHandler<Day extends Dated, Row extends Dated>(
  series: Series<Day, Row>,
  table: TableReader,
) {
  const cacheOf = createCache(table, series);
  return httpHandler(async (event, mediaType) => {
    const yesterday = lastCompleteDay();
    const query = readQuery(event, yesterday);
    const cache = cacheOf(query.chain);
    const coverage = await cache.coverage();
    const context: QueryContext = { headersOf: series.headersOf, query, mediaType, coverage, yesterday };
    const tag = entityTag(context);
    if (tag !== undefined && matchesIfNoneMatch(tag, event.headers?.['if-none-match']))
      return notModifiedResponse(tag);
    const days = await cache.days(coverage, { first: query.start_date, last: query.end_date });
    return daysResponse(context, tag, days);
  });
}
