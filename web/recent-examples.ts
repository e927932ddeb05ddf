import { addDays, SECONDS_PER_DAY, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';

/**
 * Returns an OpenAPI document with the days of all examples moved, so that the example query ends with a given day. "Try it
 * out" then requests days that have data.
 */
export function withRecentExamples<T>(document: T, last: UtcDay): T {
  const text = JSON.stringify(document);
  const [, end = last] = /"end_date":"(\d{4}-\d\d-\d\d)"/.exec(text) ?? [];
  const offset = (startOfDay(last) - startOfDay(end)) / SECONDS_PER_DAY;
  const moved = (example: unknown) =>
    JSON.parse(JSON.stringify(example).replaceAll(/\d{4}-\d\d-\d\d/g, (day) => addDays(day, offset)));
  return JSON.parse(text, (name, value) => (name === 'example' ? moved(value) : value));
}
