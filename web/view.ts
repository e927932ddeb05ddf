import { type ChainName, chainNames, chainOf } from '../lambda/chains/chains.ts';
import { addDays, dayOf, earlier, type UtcDay } from '../lambda/chains/utc-day.ts';
import { isMetric, type Metric } from './metrics.ts';

/** What the explorer shows. It is in the page's address, so that a link shows the same; the key is no part of it. */
export interface View {
  readonly chains: readonly ChainName[];
  readonly metric: Metric;
  /** Both included. */
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly isLog: boolean;
  /** Whether the 7-day average is drawn. */
  readonly hasAverage: boolean;
}

/** Names of ranges that end yesterday, with how many days they have; the last begins with the first chain. */
export const presets = { '7 days': 7, '30 days': 30, '90 days': 90, 'a year': 365, all: undefined } as const;
export type Preset = keyof typeof presets;
export const isPreset = (text: string): text is Preset => Object.hasOwn(presets, text);

/** @param today the UTC day that is not over yet */
export function daysOf(
  preset: Preset,
  chains: readonly ChainName[],
  today: UtcDay,
): Pick<View, 'start_date' | 'end_date'> {
  const days = presets[preset];
  const end_date = addDays(today, -1);
  const first = () => chains.map((name) => chainOf(name).firstDay).reduce(earlier, end_date);
  return { start_date: days ? addDays(today, -days) : first(), end_date };
}

/** Of the chain that began first. */
export const FIRST_DAY = chainNames.map((name) => chainOf(name).firstDay).reduce(earlier);

/** What a person meets who has chosen nothing: two chains of the same coin, a month. */
const defaultView = (today: UtcDay): View => ({
  chains: ['ETHEREUM', 'BASE'],
  metric: 'fees',
  ...daysOf('30 days', [], today),
  isLog: false,
  hasAverage: false,
});

/** The query string of a view, without its question mark. */
export const queryOf = ({ chains, metric, start_date, end_date, isLog, hasAverage }: View): string =>
  new URLSearchParams({
    chains: chains.join(','),
    metric,
    start_date,
    end_date,
    ...(isLog && { scale: 'log' }),
    ...(hasAverage && { average: '7' }),
  })
    .toString()
    // A comma may stand as it is, and people read and change these.
    .replaceAll('%2C', ',');

/** The view of a query string. What is missing or not valid in it is as if nothing had been chosen. */
export function viewOf(query: string, today: UtcDay): View {
  const parameters = new URLSearchParams(query);
  const defaults = defaultView(today);
  const named = parameters.get('chains')?.split(',');
  const chains = chainNames.filter((name) => named?.includes(name));
  const metric = parameters.get('metric');
  const [start_date, end_date] = [parameters.get('start_date'), parameters.get('end_date')];
  const isRange =
    isDay(start_date) &&
    isDay(end_date) &&
    FIRST_DAY <= start_date &&
    start_date <= end_date &&
    end_date <= today;
  return {
    chains: chains.length > 0 || named?.join() === '' ? chains : defaults.chains,
    metric: isMetric(metric) ? metric : defaults.metric,
    start_date: isRange ? start_date : defaults.start_date,
    end_date: isRange ? end_date : defaults.end_date,
    isLog: parameters.get('scale') === 'log',
    hasAverage: parameters.get('average') === '7',
  };
}

/** Dates such as 2026-02-30 are those of another day when they are read, or of none. */
function isDay(text: string | null): text is UtcDay {
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(milliseconds) && dayOf(milliseconds / 1000) === text;
}
