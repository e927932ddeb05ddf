import { styleText } from 'node:util';
import { addDays, SECONDS_PER_DAY, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';

const SHADES = ['░', '▒', '▓', '█'];
const MISSING = '×';
const WEEKDAYS = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS_A_WEEK = 7;
/** What the names of weekdays take. */
const LEFT = 4;

/** What a heat map's signs mean. */
export const HEAT_MAP_LEGEND = `${SHADES.join(' ')}  few to many transactions    ${MISSING}  missing`;

/**
 * A calendar in which each day is one sign, the darker the greater its value: a column a week, Monday on top.
 * @param values of the days that are there, by day; others of the range are missing
 * @param weeks at most so many, the last ones
 */
export function heatMap(
  values: ReadonlyMap<UtcDay, number>,
  { first, last, weeks }: { readonly first: UtcDay; readonly last: UtcDay; readonly weeks: number },
): string {
  const shadeOf = shadesFor([...values.values()]);
  const sign = (day: UtcDay) => {
    if (day < first || day > last) return ' ';
    const value = values.get(day);
    return value === undefined ? styleText('red', MISSING) : shadeOf(value);
  };
  const mondays = mondaysOf(first, last).slice(-weeks);
  const rows = WEEKDAYS.map(
    (name, weekday) =>
      `${name.padEnd(LEFT)}${mondays.map((monday) => sign(addDays(monday, weekday))).join('')}`,
  );
  return [monthsOver(mondays), ...rows].map((row) => row.trimEnd()).join('\n');
}

/** The Mondays of the weeks that two days and all between them lie in. */
function mondaysOf(first: UtcDay, last: UtcDay): UtcDay[] {
  const mondays: UtcDay[] = [];
  // 1970-01-05 was a Monday.
  const weekday = (Math.floor(startOfDay(first) / SECONDS_PER_DAY) + 3) % DAYS_A_WEEK;
  for (let monday = addDays(first, -weekday); monday <= last; monday = addDays(monday, DAYS_A_WEEK)) {
    mondays.push(monday);
  }
  return mondays;
}

/** Writes the name of a month above the week that it begins in, or the next one that has room for it; the year for January. */
function monthsOver(mondays: readonly UtcDay[]): string {
  let line = '';
  let named = '';
  for (const [index, monday] of mondays.entries()) {
    const [year = '', month = ''] = addDays(monday, DAYS_A_WEEK - 1).split('-');
    const column = LEFT + index;
    if (month === named || (line && column <= line.length)) continue;
    line = `${line.padEnd(column)}${month === '01' ? year : MONTHS[Number(month) - 1]}`;
    named = month;
  }
  return line;
}

/** Each shade has as many days as any other, so that one busy day does not make all others look empty. */
function shadesFor(values: readonly number[]): (value: number) => string {
  const sorted = values.toSorted((a, b) => a - b);
  return (value) => {
    const rank = sorted.findIndex((other) => other >= value) / sorted.length;
    return SHADES[Math.min(SHADES.length - 1, Math.floor(rank * SHADES.length))] ?? '';
  };
}
