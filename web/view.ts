import * as z from 'zod/mini';
import { type ChainName, chainNames, chainOf } from '../lambda/chains/chains.ts';
import { addDays, earlier, type UtcDay } from '../lambda/chains/utc-day.ts';
import { isMetric, type MetricName } from './metrics.ts';

/** The state of the explorer. It is encoded in the page's URL, so that links can be shared; the key is not part of it. */
export interface View {
  readonly chains: readonly ChainName[];
  readonly metric: MetricName;
  /** The first and last day, both included. */
  readonly start_date: UtcDay;
  readonly end_date: UtcDay;
  readonly isLog: boolean;
  /** True if the 7-day average is drawn. */
  readonly hasAverage: boolean;
}

/** Ranges that end yesterday, with their number of days; `all` begins with the first day of a chosen chain. */
export const presets = { '7 days': 7, '30 days': 30, '90 days': 90, 'a year': 365, all: undefined } as const;
export type Preset = keyof typeof presets;
export const isPreset = (text: string): text is Preset => Object.hasOwn(presets, text);

/** Returns the range of a preset. */
export function presetDays(
  preset: Preset,
  chains: readonly ChainName[],
  today: UtcDay,
): Pick<View, 'start_date' | 'end_date'> {
  const days = presets[preset];
  const end_date = addDays(today, -1);
  const first = () => chains.map((name) => chainOf(name).firstDay).reduce(earlier, end_date);
  return { start_date: days ? addDays(today, -days) : first(), end_date };
}

/** The first day of the oldest chain. */
export const FIRST_DAY = chainNames.map((name) => chainOf(name).firstDay).reduce(earlier);

/** Two chains with the same coin, over a month. */
const defaultView = (today: UtcDay): View => ({
  chains: ['ETHEREUM', 'BASE'],
  metric: 'fees',
  ...presetDays('30 days', [], today),
  isLog: false,
  hasAverage: false,
});

/** Formats a view as a query string, without the question mark. */
export const formatView = ({ chains, metric, start_date, end_date, isLog, hasAverage }: View): string =>
  new URLSearchParams({
    chains: chains.join(','),
    metric,
    start_date,
    end_date,
    ...(isLog && { scale: 'log' }),
    ...(hasAverage && { average: '7' }),
  })
    .toString()
    // A literal comma is valid here, and easier to read and edit.
    .replaceAll('%2C', ',');

const rangeSchema = z.object({ start_date: z.iso.date(), end_date: z.iso.date() });

/** Parses a query string. Missing and invalid parameters get their default. */
export function parseView(query: string, today: UtcDay): View {
  const parameters = new URLSearchParams(query);
  const defaults = defaultView(today);
  const requested = parameters.get('chains')?.split(',');
  const chains = chainNames.filter((name) => requested?.includes(name));
  const metric = parameters.get('metric');
  const { data: days } = rangeSchema.safeParse(Object.fromEntries(parameters));
  const isRange =
    days && FIRST_DAY <= days.start_date && days.start_date <= days.end_date && days.end_date <= today;
  return {
    ...defaults,
    ...(isRange && days),
    chains: chains.length > 0 || requested?.join() === '' ? chains : defaults.chains,
    metric: isMetric(metric) ? metric : defaults.metric,
    isLog: parameters.get('scale') === 'log',
    hasAverage: parameters.get('average') === '7',
  };
}
