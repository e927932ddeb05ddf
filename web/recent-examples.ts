import { addDays, SECONDS_PER_DAY, startOfDay, type UtcDay } from '../lambda/chains/utc-day.ts';

/**
 * An OpenAPI document, of which the example of a query ends with a certain day, and all examples with it: what is tried out as it
 * stands asks for days that there are then.
 */
export function withRecentExamples<T>(document: T, last: UtcDay): T {
  const text = JSON.stringify(document);
  const [, end = last] = /"end_date":"(\d{4}-\d\d-\d\d)"/.exec(text) ?? [];
  const later = (startOfDay(last) - startOfDay(end)) / SECONDS_PER_DAY;
  const moved = (example: unknown) =>
    JSON.parse(JSON.stringify(example).replaceAll(/\d{4}-\d\d-\d\d/g, (day) => addDays(day, later)));
  return JSON.parse(text, (name, value) => (name === 'example' ? moved(value) : value));
}
