import { addDays, countDays, type UtcDay } from '../lambda/chains/utc-day.ts';
import type { Answer } from './ask.ts';

/** A day of several chains. A chain that has no final figure for it has `undefined`, which is not 0. */
export interface Day {
  readonly date: UtcDay;
  /** In the order of the chains, each with the digits that it came with. */
  readonly values: readonly (string | undefined)[];
}

/** Days for which at least one of the chains has a figure, ascending. */
export function joinDays(answers: readonly Pick<Answer, 'rows'>[]): Day[] {
  const values = answers.map(({ rows }) => new Map(rows.map(({ date, value }) => [date, value])));
  const dates = new Set(answers.flatMap(({ rows }) => rows.map(({ date }) => date)));
  return [...dates].toSorted().map((date) => ({ date, values: values.map((of) => of.get(date)) }));
}

/** The same, with each day of the calendar between the first and the last. */
export function everyDay(days: readonly Day[]): Day[] {
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (!first || !last) return [];
  const known = new Map(days.map((day) => [day.date, day]));
  return Array.from({ length: countDays(first, last) }, (_, index) => {
    const date = addDays(first, index);
    return known.get(date) ?? { date, values: [] };
  });
}

/** What a line is drawn through: the nearest floating-point numbers, and gaps where there is no figure. */
export type Points = readonly (number | null)[];

/** Where points are, by their index. */
export const presentOf = (points: ArrayLike<number | null | undefined>): number[] =>
  Array.from(points, (point, index) => (point == null ? -1 : index)).filter((index) => index >= 0);

/** Those between two gaps, through which no line goes. */
export function aloneOf(points: ArrayLike<number | null | undefined>): number[] {
  const isThere = (index: number) => points[index] != null;
  return presentOf(points).filter((index) => !isThere(index - 1) && !isThere(index + 1));
}

export const pointsOf = (days: readonly Day[], column: number): Points =>
  days.map(({ values }) => {
    const value = values[column];
    return value === undefined ? null : Number(value);
  });

/** For each day, the mean of it and the six before it; a gap where one of the seven has no figure, since a mean of fewer is another figure. */
export const weekAverage = (points: Points): Points =>
  points.map((_, index) => {
    const week = points.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== null);
    return week.length === 7 ? week.reduce((sum, one) => sum + one, 0) / 7 : null;
  });

/** On a logarithmic scale 0 has no place, so it is left out there. */
export const positive = (points: Points): Points => points.map((point) => (point ? point : null));
