import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { addDays, earlier, type Interval, later, type UtcDay } from '../../core/figures/calendar.ts';
import { type DateRange, periodsBetween } from './periods.ts';

/** The days of a range that have no figure, by their reason. Each list has contiguous stretches, ascending. */
export interface ChainGaps {
  readonly chain: ChainName;
  /** Complete days between the chain's first and last final day of this service. */
  readonly missing: readonly DateRange[];
  /** Complete days after the last final day. */
  readonly pending: readonly DateRange[];
  /** Final days that lack the figure, or its hours: their blocks do not state it, or an import brought no hours. */
  readonly withoutFigure: readonly DateRange[];
  /** Days before the first final day of this service, which it was not set up to read, or has not read yet. */
  readonly unread: readonly DateRange[];
  /** Days whose blocks are all read, and that become final once the day after them is. In any range; 0 where this one has no gap. */
  readonly waiting: number;
  /** True if the whole range lies before the chain's first day. */
  readonly isBeforeChain: boolean;
  /** True if the range has no complete period of the chain, so that none is expected. */
  readonly hasNoPeriod: boolean;
}

/** The final days of a chain that a service has; undefined where it has none or they are unknown. */
export interface FinalDays {
  readonly first: UtcDay | undefined;
  readonly last: UtcDay | undefined;
  /** Number of days that wait for the day after them. */
  readonly waiting?: number | undefined;
  /** Those of a range that lack the figure, ascending. */
  readonly withoutFigure?: readonly DateRange[];
  /** Last day of the range, which may be after its last complete period. */
  readonly rangeEnd?: UtcDay;
}

/**
 * Sorts the days of a range without a figure by their reason.
 * @param covered contiguous or single days that have a figure, ascending
 */
export function coverageOf(
  chain: ChainName,
  range: DateRange,
  covered: readonly DateRange[],
  final: FinalDays,
): ChainGaps {
  const start_date = later(range.start_date, chainOf(chain).firstDay);
  const gaps = start_date > range.end_date ? [] : gapsIn({ start_date, end_date: range.end_date }, covered);
  const { first = addDays(range.end_date, 1), last = addDays(first, -1) } = final;
  return {
    chain,
    unread: clip(gaps, '', addDays(first, -1)),
    missing: clip(gaps, first, last),
    pending: final.last ? clip(gaps, later(first, addDays(last, 1)), range.end_date) : [],
    withoutFigure: joinRanges(final.withoutFigure ?? []),
    waiting: gaps.length > 0 ? (final.waiting ?? 0) : 0,
    isBeforeChain: chainOf(chain).firstDay > (final.rangeEnd ?? range.end_date),
    hasNoPeriod: start_date > range.end_date,
  };
}

function gapsIn({ start_date, end_date }: DateRange, covered: readonly DateRange[]): DateRange[] {
  const gaps: DateRange[] = [];
  let next = start_date;
  for (const one of [...covered, { start_date: addDays(end_date, 1), end_date }]) {
    if (one.start_date > next) gaps.push({ start_date: next, end_date: addDays(one.start_date, -1) });
    next = later(next, addDays(one.end_date, 1));
  }
  return gaps;
}

/** Joins ranges that follow each other. */
function joinRanges(ranges: readonly DateRange[]): DateRange[] {
  const joined: DateRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && addDays(last.end_date, 1) === range.start_date)
      joined.splice(-1, 1, { ...last, end_date: range.end_date });
    else joined.push(range);
  }
  return joined;
}

const clip = (ranges: readonly DateRange[], first: UtcDay, last: UtcDay): DateRange[] =>
  ranges
    .map((range) => ({ start_date: later(range.start_date, first), end_date: earlier(range.end_date, last) }))
    .filter(({ start_date, end_date }) => start_date <= end_date);

/** Counts the days or periods of some stretches of them. */
const countPeriods = (ranges: readonly DateRange[], interval: Interval): number =>
  ranges.reduce(
    (sum, { start_date, end_date }) => sum + periodsBetween(start_date, end_date, interval).length,
    0,
  );

/** Lists stretches of days: `2026-11-03, 2026-11-05 to 2026-11-07`. */
export const listDays = (ranges: readonly DateRange[]): string =>
  ranges
    .map(({ start_date, end_date }) =>
      start_date === end_date ? start_date : `${start_date} to ${end_date}`,
    )
    .join(', ');

const countOf = (number: number, unit: Interval): string =>
  `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;

/** Sums up the coverage of several chains in a few words. */
export function coverageSummary(
  coverages: readonly ChainGaps[],
  interval: Interval,
): { readonly text: string; readonly isMissing: boolean } {
  const sum = (of: (coverage: ChainGaps) => number) =>
    coverages.reduce((total, coverage) => total + of(coverage), 0);
  const count = (number: number) => countOf(number, interval);
  if (coverages.every(({ isBeforeChain }) => isBeforeChain))
    return { text: 'Before these chains began', isMissing: false };
  if (coverages.every(({ hasNoPeriod }) => hasNoPeriod))
    return { text: `No complete ${interval} in this range`, isMissing: false };
  const missing = sum((coverage) => countPeriods(coverage.missing, interval));
  const pending = sum((coverage) => countPeriods(coverage.pending, interval));
  const without = sum((coverage) => countPeriods(coverage.withoutFigure, interval));
  const waiting = sum((coverage) => coverage.waiting);
  const [first] = coverages
    .flatMap(({ unread }) => unread.map(({ end_date }) => addDays(end_date, 1)))
    .toSorted();
  const parts = [
    missing === 0 ? `No ${interval} missing` : `${count(missing)} missing`,
    ...(pending > 0 ? [`${count(pending)} not final yet`] : []),
    ...(without > 0 ? [`${count(without)} without this figure`] : []),
    ...(waiting > 0 ? [`${countOf(waiting, 'day')} waiting`] : []),
    ...(first ? [`figures from ${first}`] : []),
  ];
  return { text: parts.join(', '), isMissing: missing > 0 };
}

/** Lists the days of a chain that have no figure. Those before the first figure are no gap: they come last, and briefly. */
export function coverageText({ missing, pending, withoutFigure, ...rest }: ChainGaps): string {
  const { waiting, unread, isBeforeChain, hasNoPeriod } = rest;
  if (isBeforeChain) return 'began after this range.';
  if (hasNoPeriod) return 'has no complete period in this range.';
  const lastUnread = unread.at(-1);
  const parts = [
    ...(missing.length > 0 ? [`missing: ${listDays(missing)}`] : []),
    ...(pending.length > 0 ? [`not final yet: ${listDays(pending)}`] : []),
    ...(withoutFigure.length > 0 ? [`final without this figure: ${listDays(withoutFigure)}`] : []),
    ...(waiting > 0 ? [`${countOf(waiting, 'day')} waiting for the day after`] : []),
    ...(lastUnread ? [`no figure before ${addDays(lastUnread.end_date, 1)}`] : []),
  ];
  return parts.length === 0 ? 'complete.' : `${parts.join('; ')}.`;
}

/** Returns the chains of each text: those with missing days first, then those with days that are not final yet. */
export function groupByText(
  coverages: readonly ChainGaps[],
  textOf: (coverage: ChainGaps) => string,
): Map<string, ChainName[]> {
  const rank = ({ missing, pending }: ChainGaps) => (missing.length > 0 ? 0 : pending.length > 0 ? 1 : 2);
  const groups = Map.groupBy(
    coverages.toSorted((a, b) => rank(a) - rank(b)),
    textOf,
  );
  return new Map(Array.from(groups, ([text, group]) => [text, group.map(({ chain }) => chain)]));
}
