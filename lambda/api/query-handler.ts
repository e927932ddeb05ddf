import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import type { TableReader } from '../../core/store/table/table.ts';
import { createCache } from './day-cache.ts';
import { daysResponse, notModifiedResponse, type QueryContext } from './days-response.ts';
import { entityTag, matchesIfNoneMatch } from './entity-tag.ts';
import { httpHandler } from './http-handler.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import { daysQuerySchema, notOffered, periodQuerySchema, querySchema, readQuery } from './query.ts';
import { type AnySeries, type SeriesByInterval, seriesOf } from './series.ts';

/**
 * Creates the Lambda handler of an endpoint.
 * @param offered chains that the stage reads. Final days of others are served too, for as long as the table has them.
 */
export function queryHandler(
  endpoint: SeriesByInterval,
  table: TableReader,
  offered: readonly ChainName[] = chainNames,
) {
  const caches = new Map<AnySeries, ReturnType<typeof createCache>>();
  const cacheOf = (series: AnySeries) => {
    const cache = caches.get(series) ?? createCache(table, series);
    caches.set(series, cache);
    return cache;
  };
  const schema = endpoint.hasFields ? daysQuerySchema : endpoint.hour ? querySchema : periodQuerySchema;
  return httpHandler(async (event, mediaType) => {
    const yesterday = lastCompleteDay();
    const query = readQuery(event, yesterday, { schema, offered });
    const series = seriesOf(endpoint, query.interval);
    const cache = cacheOf(series)(query.chain);
    const coverage = await cache.coverage();
    if (!coverage && !offered.includes(query.chain)) throw notOffered(query.chain, offered);
    const context: QueryContext = { headersOf: series.headersOf, query, mediaType, coverage, yesterday };
    const tag = entityTag(context);
    if (tag !== undefined && matchesIfNoneMatch(tag, event.headers?.['if-none-match']))
      return notModifiedResponse(tag);
    const days = await cache.days(coverage, { first: query.start_date, last: query.end_date });
    return daysResponse(context, tag, days);
  });
}
