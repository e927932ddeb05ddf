import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { later, type UtcDay } from '../../core/figures/calendar.ts';
import type { Absence, Cell } from './cells.ts';
import { listLabels } from './labels.ts';
import { firstDayIn, inDays, periodLabel } from './periods.ts';
import { type Shown, type ShownChain, stretchesOf } from './shown.ts';

/* The words for dates without a figure. Days count, also where hours are shown. */

export const absences = {
  before: 'not begun',
  outside: 'cut off by the range',
  unread: 'not read',
  missing: 'missing',
  pending: 'not final yet',
  lacking: 'without this figure',
} as const satisfies Record<Absence, string>;

/** Reasons that are counted and listed, in this order. */
const gaps = ['missing', 'pending', 'lacking'] as const;
type Gap = (typeof gaps)[number];

const gapWords = (gap: Gap, { view }: Shown): string =>
  gap === 'missing' && inDays(view.interval) !== 'day' ? 'with missing days' : absences[gap];

export const countOf = (count: number, unit: string): string =>
  `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;

/** Returns the days, or the first days of periods, at which a chain's cells have a state. */
const datesWith = ({ dates }: Shown, { cells }: ShownChain, state: Cell['state']): readonly UtcDay[] => [
  ...new Set(dates.filter((_, index) => cells[index]?.state === state).map(firstDayIn)),
];

/** Counts a gap: `3 days not final yet on 4 chains`. Chains that lack different days have up to that number. */
function gapText(shown: Shown, gap: Gap): string | undefined {
  const interval = inDays(shown.view.interval);
  const lists = shown.chains
    .map((chain) => ({ chain: chain.chain, dates: datesWith(shown, chain, gap) }))
    .filter(({ dates }) => dates.length > 0);
  if (lists.length === 0) return undefined;
  const isSame = new Set(lists.map(({ dates }) => dates.join())).size === 1;
  const most = Math.max(...lists.map(({ dates }) => dates.length));
  const text = `${isSame ? '' : 'up to '}${countOf(most, interval)} ${gapWords(gap, shown)}`;
  return shown.chains.length === 1 ? text : `${text} on ${chainsText(lists.map(({ chain }) => chain))}`;
}

const chainsText = (chains: readonly ChainName[]): string =>
  chains.length > 2 ? `${chains.length} chains` : listLabels(chains);

/** Sums up in a few words which figures of a view are not there. */
export function coverageSummary(shown: Shown): { readonly text: string; readonly isMissing: boolean } {
  const interval = inDays(shown.view.interval);
  const { chains } = shown;
  if (chains.every(({ cells }) => cells.every(({ state }) => state === 'before' || state === 'outside')))
    return { text: nothingText(shown), isMissing: false };
  const unread = Map.groupBy(
    chains.filter((chain) => isUnread(shown, chain)),
    ({ firstFinalDay }) => firstFinalDay ?? '',
  );
  const isMissing = chains.some(({ cells }) => cells.some(({ state }) => state === 'missing'));
  const parts = [
    isMissing ? undefined : `No ${interval} missing`,
    ...gaps.map((gap) => gapText(shown, gap)),
    ...Array.from(unread, ([first, group]) => {
      const names = chainsText(group.map(({ chain }) => chain));
      return first ? `${names} only from ${first}` : `no final day of ${names}`;
    }),
  ];
  return { text: parts.filter((part) => part !== undefined).join(', '), isMissing };
}

/** Returns whether the range begins before the first figure of a chain. What is before the first of all is not drawn. */
const isUnread = ({ view }: Shown, { chain, cells, firstFinalDay }: ShownChain): boolean =>
  cells.some(({ state }) => state === 'unread') ||
  (firstFinalDay !== undefined && firstFinalDay > later(view.start_date, chainOf(chain).firstDay));

/** Says why a view expects no figure. */
const nothingText = ({ chains, view }: Shown): string =>
  chains.every(({ chain }) => chainOf(chain).firstDay > view.end_date)
    ? 'Before these chains began'
    : `No complete ${inDays(view.interval)} in this range`;

/** Lists the days of a chain that have no figure. Those before the first figure come last, and briefly. */
export function coverageText(shown: Shown, chain: ShownChain): string {
  const { interval, end_date } = shown.view;
  if (chainOf(chain.chain).firstDay > end_date) return 'began after this range.';
  const lists = gaps.flatMap((gap) => {
    const stretches = stretchesOf(chain.cells, ({ state }) => state === gap);
    const texts = stretches.map(({ first, last }) => {
      // A period that lacks a day may have all others, so it is not named by its days.
      const [from, to] = [first, last]
        .map((index) => shown.dates[index] ?? '')
        .map((date) => (inDays(interval) === 'day' ? firstDayIn(date) : periodLabel(date, interval)));
      return from === to ? from : `${from} to ${to}`;
    });
    return texts.length === 0 ? [] : [`${gapWords(gap, shown)}: ${texts.join(', ')}`];
  });
  const parts = [
    ...lists,
    isUnread(shown, chain) &&
      (chain.firstFinalDay ? `no figure before ${chain.firstFinalDay}` : 'no final day yet'),
  ].filter(Boolean);
  if (parts.length > 0) return `${parts.join('; ')}.`;
  const hasFigure = chain.cells.some(({ state }) => state === 'figure');
  return hasFigure ? 'complete.' : `has no complete ${inDays(interval)} in this range.`;
}
