import * as z from 'zod/mini';
import { type ChainName, chainNames, chainOf, defaultChainNames } from '../../core/chains/chains.ts';
import { addDays, countDays, earlier, MAX_DAYS_OF_HOURS, type UtcDay } from '../../core/figures/calendar.ts';
import { type Figure, figures, isSum } from './figures.ts';
import { type DateRange, intervalLabels, type ShownInterval } from './periods.ts';
import { linkNameOf, type Preset, presetNames, presetRange } from './presets.ts';

/** Labels of the ways to draw the same figures. */
export const modes = { lines: 'Plain', stacked: 'Stacked', share: '100%', indexed: 'Indexed' } as const;
export type Mode = keyof typeof modes;
export const isStacked = (mode: Mode): boolean => mode === 'stacked' || mode === 'share';

export interface ChosenDay {
  readonly chain: ChainName;
  readonly date: UtcDay;
}

/** The state of the explorer. It is encoded in the page's URL, so that links can be shared; the key is not part of it. */
export interface View extends DateRange {
  /** The range that its days follow from one day to the next; absent where they are fixed. */
  readonly range?: Preset;
  /** In the order of `chainNames`. */
  readonly chains: readonly ChainName[];
  readonly figure: Figure;
  readonly interval: ShownInterval;
  readonly mode: Mode;
  readonly isLog: boolean;
  readonly hasAverage: boolean;
  readonly hasEvents: boolean;
  readonly day?: ChosenDay;
  readonly isMorning: boolean;
}

/** Longest range of which days are shown. A screen has fewer pixels than longer ones have days. */
const MAX_DAYS = 3 * 366;

/** Returns the periods and modes that a view cannot be drawn with, and the reason of each. */
export function unavailableOptions(view: View): Readonly<Partial<Record<ShownInterval | Mode, string>>> {
  const length = countDays(view.start_date, view.end_date);
  const tooLong = {
    ...(length > MAX_DAYS_OF_HOURS && { hour: `up to ${MAX_DAYS_OF_HOURS} days` }),
    ...(length > MAX_DAYS && { day: 'up to 3 years' }),
  };
  const reason = 'no sum of medians';
  if (!isSum(view.figure)) return { ...tooLong, hour: 'no median', stacked: reason, share: reason };
  return view.figure === 'fees_usd' ? { ...tooLong, hour: 'no dollars' } : tooLong;
}

/** Says which interval stands in for one that a view cannot be drawn with. */
export function replacedInterval(view: View): readonly string[] {
  const { interval } = drawableView(view);
  const reason = unavailableOptions(view)[view.interval];
  if (interval === view.interval) return [];
  return [
    `The interval “${view.interval}” is not possible here (${reason}). The page shows “${interval}” instead.`,
  ];
}

export const canAverage = ({ figure, interval }: View): boolean => interval === 'day' && isSum(figure);

/** Returns a view as it can be drawn. Options that are not available with the others give way to the default. */
export function drawableView(view: View): View {
  const unavailable = unavailableOptions(view);
  const mode = view.mode in unavailable ? 'lines' : view.mode;
  const interval = view.interval in unavailable ? ('day' in unavailable ? 'week' : 'day') : view.interval;
  const drawable: View = { ...view, mode, interval };
  return {
    ...drawable,
    isLog: view.isLog && !isStacked(mode),
    hasAverage: view.hasAverage && canAverage(drawable),
  };
}

/** Returns a view whose days are those of its range now. */
export const rolled = (view: View, today: UtcDay): View =>
  view.range ? { ...view, ...presetRange(view.range, view.chains, today) } : view;

/** A chart of this many chains can be read. */
const MAX_CHAINS = 4;

/** Returns all chains of a small service; else those in ether that every service reads by default, or the first ones. */
function firstChains(offered: readonly ChainName[]): readonly ChainName[] {
  if (offered.length <= MAX_CHAINS) return offered;
  const usual = defaultChainNames.filter((name) => chainOf(name).coin === 'ETH' && offered.includes(name));
  return usual.length > 0 ? usual : offered.slice(0, MAX_CHAINS);
}

/** Three months of some chains. */
const defaultView = (today: UtcDay, offered: readonly ChainName[]): View => ({
  chains: firstChains(offered),
  figure: 'fees',
  interval: 'day',
  range: '90 days',
  ...presetRange('90 days', [], today),
  mode: 'lines',
  isLog: false,
  hasAverage: false,
  hasEvents: true,
  isMorning: false,
});

/** Formats a view as a query string, without the question mark. Defaults are left out, except chains, figure and days. */
export function formatView(view: View): string {
  const { chains, figure, range, start_date, end_date, interval, mode } = view;
  const { isLog, hasAverage, hasEvents, day, isMorning } = view;
  const parameters = {
    chains: chains.join(','),
    metric: figure,
    ...(range ? { range: linkNameOf(range) } : { start_date, end_date }),
    ...(interval !== 'day' && { interval }),
    ...(mode !== 'lines' && { mode }),
    ...(isLog && { scale: 'log' }),
    ...(hasAverage && { average: '7' }),
    ...(!hasEvents && { events: 'off' }),
    ...(isMorning && { show: 'morning' }),
    ...(day && { day: `${day.chain},${day.date}` }),
  };
  // A literal comma is valid here, and easier to read and edit.
  return new URLSearchParams(parameters).toString().replaceAll('%2C', ',');
}

const parameterNames =
  'chains metric range start_date end_date interval mode scale average events show day'.split(' ');

/**
 * Parses a query string. Missing parameters get their default; so do invalid ones, each of which is reported in a sentence.
 * @param offered chains of the service
 */
export function parseView(query: string, today: UtcDay, offered: readonly ChainName[] = defaultChainNames) {
  const parameters = new URLSearchParams(query);
  const defaults = defaultView(today, offered);
  const unknown = [...parameters.keys()].filter((name) => !parameterNames.includes(name));
  const problems = unknown.map((name) => `This page knows no parameter “${name}” of the link.`);
  const choose = <T extends string>(name: string, labels: Readonly<Record<T, string>>, otherwise: T): T => {
    const text = parameters.get(name);
    if (text !== null && Object.hasOwn(labels, text)) return text as T;
    if (text !== null)
      problems.push(`This page knows no ${name} “${text}”. It shows “${otherwise}” instead.`);
    return otherwise;
  };
  const chains = parseChains(parameters.get('chains'), defaults.chains, problems);
  const range = parseRange(parameters, chains, defaults, today, problems);
  const day = parseDay(parameters.get('day'), today, problems);
  const view: View = {
    chains,
    ...range,
    figure: choose('metric', figures, defaults.figure),
    interval: choose('interval', intervalLabels, defaults.interval),
    mode: choose('mode', modes, defaults.mode),
    isLog: parameters.get('scale') === 'log',
    hasAverage: parameters.get('average') === '7',
    hasEvents: parameters.get('events') !== 'off',
    isMorning: parameters.get('show') === 'morning',
    ...(day && { day }),
  };
  return { view, problems };
}

const isChain = (text: string): text is ChainName => chainNames.some((name) => name === text);

/* Each adds to `problems` what it could not follow. */

function parseChains(text: string | null, otherwise: readonly ChainName[], problems: string[]) {
  if (text === null) return otherwise;
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !isChain(name.toUpperCase()));
  const chains = chainNames.filter((name) => names.some((one) => one.toUpperCase() === name));
  if (unknown.length === 0) return chains;
  problems.push(
    `This page does not know the chain ${unknown.join(' or ')}. It knows ${chainNames.join(', ')}.`,
  );
  return chains.length > 0 ? chains : otherwise;
}

const dateSchema = z.iso.date();
const isDate = (text: string | null): text is UtcDay => dateSchema.safeParse(text).success;

function parseRange(
  parameters: URLSearchParams,
  chains: readonly ChainName[],
  defaults: View,
  today: UtcDay,
  problems: string[],
): DateRange & Pick<View, 'range'> {
  const named = presetNames.find((name) => linkNameOf(name) === parameters.get('range'));
  if (named) return { range: named, ...presetRange(named, chains, today) };
  const [start, end] = [parameters.get('start_date'), parameters.get('end_date')];
  const { range: preset, start_date, end_date } = defaults;
  const range = parameters.get('range');
  if (range !== null)
    problems.push(`This page knows no range “${range}”. It knows ${presetNames.map(linkNameOf).join(', ')}.`);
  if (start === null && end === null) return { start_date, end_date, ...(preset && { range: preset }) };
  const yesterday = addDays(today, -1);
  if (isDate(start) && isDate(end) && start <= end && start <= yesterday)
    return { start_date: start, end_date: earlier(end, yesterday) };
  problems.push(
    `This page cannot show the days “${start ?? ''}” to “${end ?? ''}” of the link: it shows days up to yesterday, the first one first. It shows ${start_date} to ${end_date} instead.`,
  );
  return { start_date, end_date };
}

function parseDay(text: string | null, today: UtcDay, problems: string[]): ChosenDay | undefined {
  if (text === null) return undefined;
  const [chain = '', date = ''] = text.split(',');
  if (isChain(chain) && isDate(date) && date < today) return { chain, date };
  problems.push(`The link names no valid day: “${text}”. A valid one is BASE,${addDays(today, -1)}.`);
  return undefined;
}
