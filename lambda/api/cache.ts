import { type Chain, type ChainName, chainOf } from '../chains/chains.ts';
import { earlier, later } from '../chains/utc-day.ts';
import { type ChainReader, chainStore } from '../store/chain-store.ts';
import { type Coverage, getCoverage } from '../store/coverage.ts';
import type { TableReader } from '../store/table.ts';
import {
  type CachedDays,
  type DayRange,
  enclosingRange,
  replaceRows,
  staleRanges,
  toCachedDays,
  uncachedRanges,
} from './cached-days.ts';
import type { Metric } from './metrics.ts';

/** The cached coverage and days of one chain. */
export interface ChainCache {
  /** Returns the chain's coverage, at most a second old; undefined while no day of the chain is final. */
  readonly coverage: () => Promise<Coverage | undefined>;
  /** Returns at least the final days of a range, as current as the given coverage. */
  readonly days: (coverage: Coverage | undefined, range: DayRange) => Promise<CachedDays>;
}

/** Maximum age of a cached coverage in milliseconds, and so the longest that a response may lag behind the table. */
const COVERAGE_TTL_MS = 1_000;

/**
 * Opens a cache of one metric's final days, serialized as the API returns them. A warm request is then a slice of a string,
 * and the table serves one read of one small item a second, whatever the range. A final day changes only by a restatement,
 * which the chain's coverage lists.
 * @param now returns milliseconds since 1970
 */
export function openCache(
  table: TableReader,
  metric: Metric,
  now = Date.now,
): (chain: ChainName) => ChainCache {
  const caches = new Map<ChainName, ChainCache>();
  return (name) => {
    const store = chainStore(table, name);
    const open = () => ({
      coverage: cacheCoverage(store, now),
      days: cacheDays(store, chainOf(name), metric),
    });
    const cache = caches.get(name) ?? open();
    caches.set(name, cache);
    return cache;
  };
}

function cacheCoverage(store: ChainReader, now: () => number): ChainCache['coverage'] {
  let latest: { readonly at: number; readonly coverage: ReturnType<typeof getCoverage> } | undefined;
  return () => {
    const at = now();
    // The clock may have been set back.
    if (latest && latest.at <= at && at < latest.at + COVERAGE_TTL_MS) return latest.coverage;
    const coverage = getCoverage(store);
    latest = { at, coverage };
    coverage.catch(() => {
      if (latest?.coverage === coverage) latest = undefined;
    });
    return coverage;
  };
}

function cacheDays(store: ChainReader, { firstDay }: Chain, metric: Metric): ChainCache['days'] {
  const empty = toCachedDays(metric.field, 0, undefined, []);
  let latest = Promise.resolve(empty);

  const update = async (cached: CachedDays, coverage: Coverage | undefined, { first, last }: DayRange) => {
    if (!coverage?.last) return empty;
    const stale = staleRanges(cached, coverage);
    const { range, rows } = stale ? cached : empty;
    const wanted = { first: later(first, firstDay), last: earlier(last, coverage.last) };
    const added = wanted.first <= wanted.last ? uncachedRanges(range, wanted) : [];
    const ranges = [...(stale ?? []), ...added];
    if (ranges.length === 0 && cached.revision === coverage.revision) return cached;
    const found = await Promise.all(
      ranges.map(async (each) => [each, await metric.read(store, each.first, each.last)] as const),
    );
    const covered = added.length > 0 ? enclosingRange(range, wanted) : range;
    return toCachedDays(metric.field, coverage.revision, covered, replaceRows(rows, found));
  };

  return (coverage, range) => {
    const before = latest;
    // Updates run one after another, so that concurrent requests share what they read.
    const after = before.then((cached) => update(cached, coverage, range));
    latest = after.catch(() => before);
    return after;
  };
}
