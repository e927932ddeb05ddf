import type { ChainName } from '../../core/chains/chains.ts';
import {
  addDays,
  countDays,
  earlier,
  later,
  startOfPeriod,
  type UtcDay,
} from '../../core/figures/calendar.ts';
import type { ChainQuery } from '../data/api-client.ts';
import { isSum } from './figures.ts';
import { type DateRange, inDays } from './periods.ts';
import { FIRST_DAY } from './presets.ts';
import type { ChosenDay, View } from './view.ts';

/** Days before the end of a range that are loaded too, so that its latest final day can be compared with the month before. */
export const RECENT_DAYS = 40;

/** Longest range of which days are loaded beside its periods, for those that lack days. */
const MAX_DAYS_BESIDE = 400;

/** Returns the fields that a view shows, so that long answers stay small. */
function fieldsOf({ figure }: View): readonly string[] {
  const shown =
    figure === 'fees_usd' ? [figure, 'fees'] : isSum(figure) ? [figure] : [figure, 'p10_fee', 'p90_fee'];
  return ['date', ...shown, 'evidence', 'revision'];
}

export function queriesOf(view: View, chain: ChainName): Record<'series' | 'recent', ChainQuery> {
  const { start_date, end_date, interval } = view;
  const before = later(FIRST_DAY, addDays(end_date, -RECENT_DAYS));
  // The days of hours, to tell final days without hours from missing ones; and those of periods that lack some.
  const isBeside =
    interval !== 'day' && start_date <= end_date && countDays(start_date, end_date) <= MAX_DAYS_BESIDE;
  // A period of which only some days are loaded would look incomplete.
  const recentStart = startOfPeriod(inDays(interval), isBeside ? earlier(start_date, before) : before);
  const fields = fieldsOf(view);
  return {
    series: { chain, start_date, end_date, interval, fields },
    recent: { chain, start_date: later(FIRST_DAY, recentStart), end_date, interval: 'day', fields },
  };
}

/** Days before a chosen day that it is compared with. */
const COMPARED_DAYS = 30;

/** Returns a chosen day and the days that it is compared with. */
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
export function allQueries({ chains, day, ...view }: View): ChainQuery[] {
  const queries = chains.map((chain) => queriesOf({ chains, ...view }, chain));
  return [
    ...(view.start_date <= view.end_date ? queries.flatMap(({ series, recent }) => [series, recent]) : []),
    ...(day ? [...new Set([day.chain, ...chains])].map((chain) => dayQuery({ ...day, chain })) : []),
  ];
}

/** Returns true if the answer to one query contains the answer to another. One without `fields` has all of them. */
export const contains = (
  wide: ChainQuery,
  { chain, interval, start_date, end_date, fields }: ChainQuery,
): boolean =>
  wide.chain === chain &&
  wide.interval === interval &&
  wide.start_date <= start_date &&
  wide.end_date >= end_date &&
  (wide.fields === undefined || (fields?.every((field) => wide.fields?.includes(field)) ?? false));

export const widestQueries = (queries: readonly ChainQuery[]): ChainQuery[] =>
  queries.filter(
    (query, index) =>
      !queries.some(
        (other, place) =>
          place !== index && contains(other, query) && (place < index || !contains(query, other)),
      ),
  );
