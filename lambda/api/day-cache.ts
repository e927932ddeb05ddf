import { type Chain, type ChainName, chainOf } from '../../core/chains/chains.ts';
import { countDays, earlier, later } from '../../core/figures/calendar.ts';
import type { DayRange } from '../../core/figures/complete-periods.ts';
import { type Coverage, getCoverage, settledRevision } from '../../core/store/chain/coverage.ts';
import { InvalidItemError } from '../../core/store/table/decode-item.ts';
import { type ChainReader, chainStore, type TableReader } from '../../core/store/table/table.ts';
import { cacheBriefly, memoize } from '../caches.ts';
import {
  type CachedDays,
  enclosingRange,
  replaceDays,
  staleRanges,
  toCachedDays,
  uncachedRanges,
} from './cached-days.ts';
import type { Dated } from './formats.ts';
import type { Series } from './series/series.ts';

/** The cached coverage and days of one chain. */
export interface ChainCache {
  /** Returns the chain's coverage, at most a second old; undefined while no day of the chain is final. */
  readonly coverage: () => Promise<Coverage | undefined>;
  /** Returns at least the final days of a range, as current as the given coverage. */
  readonly days: (coverage: Coverage | undefined, range: DayRange) => Promise<CachedDays>;
}

/** Caches the final days of a series as the API returns them: a warm request slices a string, and costs one small read a second. */
export function createCache<Day extends Dated, Row extends Dated>(
  table: TableReader,
  series: Series<Day, Row>,
  now = Date.now,
): (chain: ChainName) => ChainCache {
  return memoize((name) => {
    const store = chainStore(table, name);
    return {
      coverage: cacheBriefly(() => getCoverage(store), now),
      days: cacheDays({ store, chain: chainOf(name), series, now }),
    };
  });
}

interface Reader<Day extends Dated, Row extends Dated> {
  readonly store: ChainReader;
  readonly chain: Chain;
  readonly series: Series<Day, Row>;
  readonly now: () => number;
  readonly empty: CachedDays<Day>;
}

function cacheDays<Day extends Dated, Row extends Dated>(
  given: Omit<Reader<Day, Row>, 'empty'>,
): ChainCache['days'] {
  const { series, chain } = given;
  const nothing = { coverage: undefined, revision: 0, range: undefined, days: [] };
  const empty = toCachedDays(series, chain, nothing);
  const reader = { ...given, empty };
  let latest = Promise.resolve(empty);
  return (coverage, range) => {
    const before = latest;
    // Updates run one after another, so that concurrent requests share what they read.
    const after = before.then((cached) =>
      update(reader, cached, coverage, range).catch((error: unknown) => {
        // The invalid day may lie between the cached range and this one, which must not fail for it.
        if (error instanceof InvalidItemError && cached.range) return update(reader, empty, coverage, range);
        throw error;
      }),
    );
    latest = after.catch(() => before);
    return after;
  };
}

/** Returns the cached days with those of a range, as current as the coverage. Reads what is missing or stale. */
async function update<Day extends Dated, Row extends Dated>(
  { store, chain, series, now, empty }: Reader<Day, Row>,
  cached: CachedDays<Day>,
  coverage: Coverage | undefined,
  { first, last }: DayRange,
): Promise<CachedDays<Day>> {
  if (!coverage?.last_day) return empty;
  // The days of a commit that is still being applied may be read as they were before it. They are read again with a later coverage.
  const revision = settledRevision(coverage, now());
  const { maxCachedDays = Number.POSITIVE_INFINITY } = series;
  const wanted = { first: later(first, chain.firstDay), last: earlier(last, coverage.last_day) };
  const missingFrom = (range: DayRange | undefined) =>
    wanted.first <= wanted.last ? uncachedRanges(range, wanted) : [];
  const { first: begin, last: end } = enclosingRange(cached.range, wanted);
  const isTooLong =
    missingFrom(cached.range).length > 0 &&
    countDays(begin, end) > Math.max(maxCachedDays, countDays(wanted.first, wanted.last));
  // A second's requests share a coverage, and what was read for it.
  const isFresh = cached.coverage === coverage;
  const stale = isTooLong ? undefined : isFresh ? [] : staleRanges(cached, coverage);
  const { range, days } = stale ? cached : empty;
  const added = missingFrom(range);
  const ranges = [...(stale ?? []), ...added];
  if (ranges.length === 0 && (isFresh || cached.revision === revision)) return cached;
  const found = await Promise.all(
    ranges.map(async (each) => [each, await series.read(store, each.first, each.last)] as const),
  );
  return toCachedDays(series, chain, {
    coverage,
    revision: isFresh ? cached.revision : revision,
    range: added.length > 0 ? enclosingRange(range, wanted) : range,
    days: replaceDays(days, found),
  });
}
