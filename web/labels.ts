import type { ChainName } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import type { ChainSeries } from './api-client.ts';
import type { ChartData } from './chart-data.ts';
import type { Day } from './days.ts';
import type { View } from './view.ts';

/** Formats a chain's name: `ETHEREUM` is Ethereum, `BSC` stays an abbreviation. */
export const chainLabel = (chain: ChainName): string =>
  chain.length <= 3 ? chain : `${chain[0]}${chain.slice(1).toLowerCase()}`;

/** Inserts commas between thousands, and changes no digit. */
export const groupThousands = (value: string): string =>
  value.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

export function chartTitle(what: string, days: readonly { readonly date: UtcDay }[]): string {
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (!first || !last) return `${what} per day`;
  return first === last ? `${what} per day, ${first}` : `${what} per day, ${first} to ${last}`;
}

/** Returns the description of a chart for screen readers. */
export function chartDescription(unit: string, { days, lines }: ChartData): string {
  const names = lines.map(({ chain }) => chainLabel(chain)).join(', ');
  return `${chartTitle(`Line chart of ${unit}`, days)}: ${names}. The table below has the same figures.`;
}

/** States how many days of a chain are missing, and its last final day. */
export function coverageLine({ chain, daysMissing, dataThrough }: Omit<ChainSeries, 'rows'>): string {
  if (!dataThrough) return `${chainLabel(chain)}: no final day yet.`;
  const missing =
    daysMissing === 0
      ? 'no missing days'
      : `${daysMissing} ${daysMissing === 1 ? 'day has' : 'days have'} no final figure`;
  return `${chainLabel(chain)}: ${missing}; data through ${dataThrough}.`;
}

/** Explains gaps, averages and the scale of a chart. */
export function chartNotes(
  { isLog, hasAverage }: Pick<View, 'isLog' | 'hasAverage'>,
  days: readonly Pick<Day, 'values'>[],
): string {
  const zeros = days.flatMap(({ values }) => values).filter((value) => Number(value) === 0).length;
  return [
    'A day without a final figure is a gap, marked below the chart; it is not 0.',
    hasAverage &&
      'The bold line is the 7-day average: the mean of a day and the six before it, where all seven have a figure.',
    isLog && 'The scale is logarithmic.',
    isLog &&
      zeros > 0 &&
      `It has no 0, so ${zeros === 1 ? '1 figure of 0 is' : `${zeros} figures of 0 are`} left out.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export const ZOOM_HINT = 'Drag with the mouse to zoom, or use the keys: arrows, + and −, Escape.';
