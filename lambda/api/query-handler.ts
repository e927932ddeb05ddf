import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import type { BlockEvidence } from '../../core/figures/day-figures.ts';
import type { Coverage } from '../../core/store/chain/coverage.ts';
import type { TableReader } from '../../core/store/table/table.ts';
import { memoize } from '../caches.ts';
import { createCache } from './day-cache.ts';
import { daysResponse, notModifiedResponse, type QueryContext } from './days-response.ts';
import { entityTag, matchesIfNoneMatch } from './entity-tag.ts';
import { httpHandler } from './http-handler.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import { type DayQuery, notInRows, notOffered, readQuery } from './query.ts';
import { fieldsNotIn } from './series/day-fields.ts';
import { archivedDays, withEvidence } from './series/evidence.ts';
import { type AnySeries, type SeriesByInterval, seriesOf } from './series/series.ts';

/** Creates the handler of an endpoint. Final days of chains that are not offered are served too, for as long as the table has them. */
export function queryHandler(
  endpoint: SeriesByInterval,
  table: TableReader,
  offered: readonly ChainName[] = chainNames,
) {
  const cacheOf = memoize((series: AnySeries) => createCache(table, series));
  const filtered = memoize((series: AnySeries) =>
    memoize((least: BlockEvidence) => withEvidence(series, least)),
  );
  /** Returns the archived days that a response counts in a header: none in most stages, which therefore read nothing. */
  const archivedIn = async (query: DayQuery, chain: ChainName, coverage: Coverage | undefined) => {
    const isCounted = endpoint.hidesEvidence && query.interval !== 'hour' && query.evidence === undefined;
    if (!isCounted || !coverage?.summary?.by_evidence.archived) return undefined;
    return cacheOf(archivedDays)(chain).days(coverage, { first: query.start_date, last: query.end_date });
  };
  return httpHandler(async (event, mediaType) => {
    const yesterday = lastCompleteDay();
    const query = readQuery(event, yesterday, endpoint.schema, offered);
    const series = seriesOf(endpoint, query.interval, query.fields);
    const absent = fieldsNotIn(series.columns, query.fields ?? '');
    if (absent.length > 0) throw notInRows(query.interval, absent);
    const served = query.evidence === undefined ? series : filtered(series)(query.evidence);
    const cacheFor = cacheOf(served);
    const chains = await Promise.all(
      query.chains.map(async (chain) => ({ chain, coverage: await cacheFor(chain).coverage() })),
    );
    for (const { chain, coverage } of chains)
      if (!coverage && !offered.includes(chain)) throw notOffered(chain, offered);
    const context: QueryContext = { hasFees: endpoint.hasFees, query, mediaType, chains, yesterday };
    const tag = entityTag(context);
    if (tag !== undefined && matchesIfNoneMatch(tag, event.headers?.['if-none-match']))
      return notModifiedResponse(tag);
    const range = { first: query.start_date, last: query.end_date };
    const read = await Promise.all(
      chains.map(async ({ chain, coverage }) => {
        const [days, archived] = await Promise.all([
          cacheFor(chain).days(coverage, range),
          archivedIn(query, chain, coverage),
        ]);
        return { chain, coverage, days, archived };
      }),
    );
    return daysResponse(context, tag, read);
  });
}
