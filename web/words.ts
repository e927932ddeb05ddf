import type { ChainName } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import type { Answer } from './ask.ts';
import type { Day } from './figures.ts';
import type { View } from './view.ts';

/** A chain as people write it: Ethereum, and BSC, which is an abbreviation. */
export const nameOf = (chain: ChainName): string =>
  chain.length <= 3 ? chain : `${chain[0]}${chain.slice(1).toLowerCase()}`;

/** A figure as it came, with commas between its thousands. */
export const grouped = (value: string): string => value.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/**
 * What a chart is of.
 * @param days those that are drawn, which may be fewer than those that were asked for
 */
export function titleOf(what: string, days: readonly { readonly date: UtcDay }[]): string {
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (!first || !last) return `${what} a day`;
  return first === last ? `${what} a day, ${first}` : `${what} a day, ${first} to ${last}`;
}

/** How far a chain's figures go, and how many are not there. */
export function coverageOf({ chain, daysMissing, dataThrough }: Omit<Answer, 'rows'>): string {
  if (!dataThrough) return `${nameOf(chain)}: no final day yet.`;
  const missing =
    daysMissing === 0
      ? 'no day missing'
      : `${daysMissing} ${daysMissing === 1 ? 'day has' : 'days have'} no final figure`;
  return `${nameOf(chain)}: ${missing}; data through ${dataThrough}.`;
}

/** What must be known to read a chart as it is drawn. */
export function readingNotes(
  { isLog, hasAverage }: Pick<View, 'isLog' | 'hasAverage'>,
  days: readonly Pick<Day, 'values'>[],
): string {
  const zeros = days.flatMap(({ values }) => values).filter((value) => Number(value) === 0).length;
  const figures = zeros === 1 ? '1 figure of 0 is' : `${zeros} figures of 0 are`;
  return [
    'A day without a final figure is a gap, marked below the chart; it is not 0.',
    hasAverage &&
      'Bold is the 7-day average: the mean of a day and the six before it, where all seven have a figure.',
    isLog && 'The scale is logarithmic.',
    isLog && zeros > 0 && `${figures} left out, for which it has no place.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export const ZOOM_HINT = 'Drag with a mouse to zoom; with the keyboard: arrow keys, + and −, Escape.';
