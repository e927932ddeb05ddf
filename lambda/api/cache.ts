import { type Chain, type ChainName, chainOf } from '../chains/chains.ts';
import { earlier, later } from '../chains/utc-day.ts';
import { type ChainStore, chainStore } from '../store/chain-store.ts';
import { type Coverage, getCoverage } from '../store/coverage.ts';
import type { Table } from '../store/table.ts';
import type { Row } from './formats.ts';
import { around, type DayRange, type History, historyOf, outdated, replaceRows, unknown } from './history.ts';
import type { Metric } from './metrics.ts';

/** What a function remembers of a chain from one request to the next. */
export interface ChainMemory {
  /** The chain's coverage, not older than a second; undefined when nothing of it is final yet. */
  readonly coverage: () => Promise<Coverage | undefined>;
  /** At least the days of a range up to the last final one, as new as a coverage. */
  readonly history: (coverage: Coverage | undefined, range: DayRange) => Promise<History>;
}

/** How old a coverage may get, in milliseconds: so long may an answer be behind the table. */
const FRESH_MS = 1_000;

/**
 * Keeps the final days that were asked for, written as they are served: a request costs the table one read of one small
 * item a second, and the function a cut from a text, whatever the range. A final day changes only by a restatement, and
 * the coverage of its chain tells of that as of each new day.
 * @param now milliseconds since 1970
 */
export function openMemory(table: Table, metric: Metric, now = Date.now): (chain: ChainName) => ChainMemory {
  const memories = new Map<ChainName, ChainMemory>();
  return (chain) => {
    const memory =
      memories.get(chain) ?? rememberChain(chainStore(table, chain), chainOf(chain), metric, now);
    memories.set(chain, memory);
    return memory;
  };
}

const rememberChain = (store: ChainStore, chain: Chain, metric: Metric, now: () => number): ChainMemory => ({
  coverage: rememberCoverage(store, now),
  history: rememberHistory(store, chain, metric),
});

function rememberCoverage(store: ChainStore, now: () => number): ChainMemory['coverage'] {
  let latest: { readonly at: number; readonly coverage: ReturnType<typeof getCoverage> } | undefined;
  return () => {
    const at = now();
    // A clock may be set back.
    if (latest && latest.at <= at && at < latest.at + FRESH_MS) return latest.coverage;
    const coverage = getCoverage(store);
    latest = { at, coverage };
    coverage.catch(() => {
      if (latest?.coverage === coverage) latest = undefined;
    });
    return coverage;
  };
}

function rememberHistory(store: ChainStore, chain: Chain, metric: Metric): ChainMemory['history'] {
  const nothing = historyOf(metric.field, 0, undefined, []);
  let known = Promise.resolve(nothing);

  const read = async (range: DayRange): Promise<[DayRange, readonly Row[]]> => [
    range,
    await metric.read(store, range.first, range.last),
  ];

  const bringUpToDate = async (
    before: History,
    coverage: Coverage | undefined,
    { first, last }: DayRange,
  ) => {
    if (!coverage?.last) return nothing;
    const again = outdated(before, coverage);
    const { range, rows } = again ? before : nothing;
    const wanted = { first: later(first, chain.firstDay), last: earlier(last, coverage.last) };
    const more = wanted.first <= wanted.last ? unknown(range, wanted) : [];
    const ranges = [...(again ?? []), ...more];
    if (ranges.length === 0 && before.revision === coverage.revision) return before;
    const found = await Promise.all(ranges.map(read));
    const covered = more.length > 0 ? around(range, wanted) : range;
    return historyOf(metric.field, coverage.revision, covered, replaceRows(rows, found));
  };

  return (coverage, range) => {
    const before = known;
    // One after the other: what one request has read the next one need not read.
    const after = before.then((history) => bringUpToDate(history, coverage, range));
    known = after.catch(() => before);
    return after;
  };
}
