import { type ChainName, chainNames, chainOf } from '../../core/chains/chains.ts';
import { addDays, startOfPeriod, type UtcDay } from '../../core/figures/calendar.ts';
import type { DateRange } from './periods.ts';

const firstDayOf = (chains: readonly ChainName[]): UtcDay | undefined =>
  chains.map((name) => chainOf(name).firstDay).toSorted()[0];

export const FIRST_DAY = firstDayOf(chainNames) ?? '';

const since =
  (startOf: (today: UtcDay, chains: readonly ChainName[]) => UtcDay) =>
  (today: UtcDay, chains: readonly ChainName[]) => ({
    start_date: startOf(today, chains),
    end_date: addDays(today, -1),
  });

const lastDays = (count: number) => since((today) => addDays(today, -count));

const periodBefore = (period: 'month' | 'year') => (today: UtcDay) => {
  const end_date = addDays(startOfPeriod(period, today), -1);
  return { start_date: startOfPeriod(period, end_date), end_date };
};

/** Ranges that move on with the days, with their names in links, such as `30d`. */
const presets = {
  yesterday: { link: 'yesterday', rangeOf: lastDays(1) },
  '7 days': { link: '7d', rangeOf: lastDays(7) },
  '30 days': { link: '30d', rangeOf: lastDays(30) },
  '90 days': { link: '90d', rangeOf: lastDays(90) },
  '1 year': { link: '1y', rangeOf: lastDays(365) },
  'last month': { link: 'last-month', rangeOf: periodBefore('month') },
  // On 1 January, no day of the new year is over.
  'this year': { link: 'this-year', rangeOf: since((today) => startOfPeriod('year', addDays(today, -1))) },
  'last year': { link: 'last-year', rangeOf: periodBefore('year') },
  all: { link: 'all', rangeOf: since((today, chains) => firstDayOf(chains) ?? addDays(today, -1)) },
} as const;
export type Preset = keyof typeof presets;
export const presetNames = Object.keys(presets) as readonly Preset[];

export const presetRange = (preset: Preset, chains: readonly ChainName[], today: UtcDay): DateRange =>
  presets[preset].rangeOf(today, chains);

/** Returns the whole years that some chains have, the latest first, by their names. */
export function yearRanges(chains: readonly ChainName[], today: UtcDay): ReadonlyMap<string, DateRange> {
  const yearOf = (day: UtcDay) => Number(day.slice(0, 4));
  const count = yearOf(today) - yearOf(firstDayOf(chains) ?? today);
  const years = Array.from({ length: count }, (_, index) => `${yearOf(today) - 1 - index}`);
  return new Map(years.map((year) => [year, { start_date: `${year}-01-01`, end_date: `${year}-12-31` }]));
}

export const linkNameOf = (preset: Preset): string => presets[preset].link;
