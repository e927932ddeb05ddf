import { styleText } from 'node:util';
import { addDays, SECONDS_PER_DAY, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';

const SHADES = ['░', '▒', '▓', '█'];
const MISSING = '×';
const WEEKDAYS = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS_PER_WEEK = 7;
/** Columns that the weekdays take. */
const MARGIN = 4;

export const HEAT_MAP_LEGEND = `${SHADES.join(' ')}  few to many transactions    ${MISSING}  missing`;

/**
 * Draws a calendar with one character per day, darker for greater values: one column per week, Monday on top.
 * @param values by day; a day of the range without a value is marked as missing
 * @param weeks the most columns to draw; earlier weeks are left out
 */
export function heatMap(
  values: ReadonlyMap<UtcDay, number>,
  { first, last, weeks }: { readonly first: UtcDay; readonly last: UtcDay; readonly weeks: number },
): string {
  const mondays = mondaysOf(first, last).slice(-weeks);
  // Shades compare the drawn days only: over a long history the last year would all be dark.
  const drawn = [...values].filter(([day]) => day >= (mondays[0] ?? first) && day <= last);
  const shadeOf = shadesFor(drawn.map(([, value]) => value));
  const cell = (day: UtcDay) => {
    if (day < first || day > last) return ' ';
    const value = values.get(day);
    return value === undefined ? styleText('red', MISSING) : shadeOf(value);
  };
  const rows = WEEKDAYS.map(
    (name, weekday) =>
      `${name.padEnd(MARGIN)}${mondays.map((monday) => cell(addDays(monday, weekday))).join('')}`,
  );
  return [monthLabels(mondays), ...rows].map((row) => row.trimEnd()).join('\n');
}

/** Returns the Mondays of the weeks from `first` to `last`. */
function mondaysOf(first: UtcDay, last: UtcDay): UtcDay[] {
  const mondays: UtcDay[] = [];
  // 1970-01-05 was a Monday.
  const weekday = (Math.floor(startOfDay(first) / SECONDS_PER_DAY) + 3) % DAYS_PER_WEEK;
  for (let monday = addDays(first, -weekday); monday <= last; monday = addDays(monday, DAYS_PER_WEEK)) {
    mondays.push(monday);
  }
  return mondays;
}

/** Labels the week in which a month begins, or the next one with room for the label. January shows the year. */
function monthLabels(mondays: readonly UtcDay[]): string {
  let line = '';
  let labelled = '';
  for (const [index, monday] of mondays.entries()) {
    const [year = '', month = ''] = addDays(monday, DAYS_PER_WEEK - 1).split('-');
    const column = MARGIN + index;
    if (month === labelled || (line && column <= line.length)) continue;
    line = `${line.padEnd(column)}${month === '01' ? year : MONTHS[Number(month) - 1]}`;
    labelled = month;
  }
  return line;
}

/** Assigns shades by quartile, so that one busy day does not make all others look empty. */
function shadesFor(values: readonly number[]): (value: number) => string {
  const sorted = values.toSorted((a, b) => a - b);
  return (value) => {
    const rank = sorted.findIndex((other) => other >= value) / sorted.length;
    return SHADES[Math.min(SHADES.length - 1, Math.floor(rank * SHADES.length))] ?? '';
  };
}
