import type { ChainName } from '../../core/chains/chains.ts';
import { addDays, countDays, later, startOfPeriod, type UtcDay } from '../../core/figures/calendar.ts';
import type { ChainQuery } from '../data/api-client.ts';
import { isSum } from './figures.ts';
import { type DateRange, inDays } from './periods.ts';
import { FIRST_DAY } from './presets.ts';
import { isContinued } from './running.ts';
import type { ChosenDay, View } from './view.ts';

/** Longest range of which all days are loaded beside its periods, for those that lack days; of a longer one, the days at its end. */
const [MAX_DAYS_BESIDE, LATEST_DAYS] = [400, 40];

/** Returns the fields that a view shows, so that long answers stay small. */
function fieldsOf({ figure }: View): readonly string[] {
  const shown =
    figure === 'fees_usd' ? [figure, 'fees'] : isSum(figure) ? [figure] : [figure, 'p10_fee', 'p90_fee'];
  return ['date', ...shown, 'evidence', 'revision'];
}

/** The hours, days or periods of a view, the days that tell why some of them are lacking, and hours that those of today are compared with. */
export interface ChainQueries extends Readonly<Record<'series' | 'days', ChainQuery>> {
  readonly hours?: ChainQuery;
}

/** Returns what a view needs of a chain. */
export function queriesOf(view: View, chain: ChainName, today: UtcDay): ChainQueries {
  const { start_date, end_date, interval } = view;
  const series = { chain, start_date, end_date, interval, fields: fieldsOf(view) };
  if (interval === 'day') {
    const yesterday = addDays(today, -1);
    const hours = { ...series, start_date: yesterday, end_date: yesterday, interval: 'hour' } as const;
    return { series, days: series, ...(isSum(view.figure) && isContinued(view, today) && { hours }) };
  }
  const isShort = start_date <= end_date && countDays(start_date, end_date) <= MAX_DAYS_BESIDE;
  // A period of which only some days are loaded would look incomplete.
  const first = startOfPeriod(inDays(interval), isShort ? start_date : addDays(end_date, -LATEST_DAYS));
  return { series, days: { ...series, start_date: later(FIRST_DAY, first), interval: 'day' } };
}

/** Days before a chosen day that it is compared with. */
const COMPARED_DAYS = 30;

export const chosenDays = (date: UtcDay): DateRange => ({
  start_date: later(FIRST_DAY, addDays(date, -COMPARED_DAYS)),
  end_date: date,
});

export const dayQuery = ({ chain, date }: ChosenDay): ChainQuery => ({
  chain,
  ...chosenDays(date),
  interval: 'day',
});

/** Returns all queries of a view: none while its days are reversed. */
export function allQueries({ chains, day, ...view }: View, today: UtcDay): ChainQuery[] {
  const queries = chains.map((chain) => queriesOf({ chains, ...view }, chain, today));
  return [
    ...(view.start_date <= view.end_date ? queries.flatMap((one): ChainQuery[] => Object.values(one)) : []),
    ...(day ? [...new Set([day.chain, ...chains])].map((chain) => dayQuery({ ...day, chain })) : []),
  ];
}

/** Returns true if the answer to one query contains the answer to another. One without `fields` has all of them. */
export const contains = (wide: ChainQuery, { chain, interval, start_date, end_date, fields }: ChainQuery) =>
  wide.chain === chain &&
  wide.interval === interval &&
  wide.start_date <= start_date &&
  wide.end_date >= end_date &&
  (wide.fields === undefined || (fields?.every((field) => wide.fields?.includes(field)) ?? false));
