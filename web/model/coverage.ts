import { type ChainName, chainOf } from '../../core/chains/chains.ts';
import { later, type UtcDay } from '../../core/figures/calendar.ts';
import type { Absence, Cell } from './cells.ts';
import { chainLabel, listLabels } from './labels.ts';
import { firstDayIn, inDays, periodLabel } from './periods.ts';
import { type Shown, type ShownChain, stretchesOf } from './shown.ts';

/* The words for dates without a figure. Days count, also where hours are shown. */

/** Gaps in the order in which they are named, with their words after a number of days, after that of periods, and in the list of a chain. */
const words = {
  missing: ['missing', 'without all days', 'missing'],
  pending: ['not final yet', 'not final yet', 'not final yet'],
  lacking: ['without this figure', 'without this figure', 'final without this figure'],
} as const satisfies Partial<Record<Absence, readonly [string, string, string]>>;
type Gap = keyof typeof words;
const gaps = Object.keys(words) as readonly Gap[];

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
  const text = `${isSame ? '' : 'up to '}${countOf(most, interval)} ${words[gap][interval === 'day' ? 0 : 1]}`;
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
  const waiting = chains.filter(
    (chain) => chain.waitingDays > 0 && datesWith(shown, chain, 'pending').length > 0,
  );
  const isMissing = chains.some(({ cells }) => cells.some(({ state }) => state === 'missing'));
  const parts = [
    isMissing ? undefined : `No ${interval} missing`,
    ...gaps.map((gap) => gapText(shown, gap)),
    ...waiting.map(
      ({ chain, waitingDays }) => `${countOf(waitingDays, 'day')} of ${chainLabel(chain)} waiting`,
    ),
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

/** Names a day or a period in a list. A period that lacks a day may have all others, so it is not named by its days. */
const nameOf = (date: string, interval: Shown['view']['interval']): string =>
  inDays(interval) === 'day' ? firstDayIn(date) : periodLabel(date, interval);

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
      const [from, to] = [first, last].map((index) => nameOf(shown.dates[index] ?? '', interval));
      return from === to ? from : `${from} to ${to}`;
    });
    return texts.length === 0
      ? []
      : [`${words[gap][inDays(interval) === 'day' ? 2 : 1]}: ${texts.join(', ')}`];
  });
  const isPending = chain.cells.some(({ state }) => state === 'pending');
  const parts = [
    ...lists,
    isPending && chain.waitingDays > 0 && `${countOf(chain.waitingDays, 'day')} waiting for the day after`,
    isUnread(shown, chain) &&
      (chain.firstFinalDay ? `no figure before ${chain.firstFinalDay}` : 'no final day yet'),
  ].filter(Boolean);
  if (parts.length > 0) return `${parts.join('; ')}.`;
  const hasFigure = chain.cells.some(({ state }) => state === 'figure');
  return hasFigure ? 'complete.' : `has no complete ${inDays(interval)} in this range.`;
}

/** States how far the ingest is behind the chain, if it is behind by more than an hour. */
export const behindText = ({ secondsBehind }: ShownChain): string => {
  const hours = Math.floor(secondsBehind / 3_600);
  return hours < 1 ? '' : ` The ingest is ${hours} h behind the chain.`;
};

/** Returns the chains of each text: those with missing days first, then those with days that are not final yet. */
export function groupByText(
  shown: Shown,
  textOf: (chain: ShownChain) => string,
): ReadonlyMap<string, readonly ChainName[]> {
  const order = ({ cells }: ShownChain) => {
    const worst = gaps.find((gap) => cells.some(({ state }) => state === gap));
    return worst ? gaps.indexOf(worst) : gaps.length;
  };
  const groups = Map.groupBy(
    shown.chains.toSorted((a, b) => order(a) - order(b)),
    textOf,
  );
  return new Map(Array.from(groups, ([text, group]) => [text, group.map(({ chain }) => chain)]));
}
