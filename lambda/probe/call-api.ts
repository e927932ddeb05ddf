import { addDays, dayOf, startOfDay } from '../../core/figures/calendar.ts';
import { pathOf } from '../api/routes.ts';
import { readRows, rowSchemas } from './row-schemas.ts';

/** The API to probe, as its clients call it. */
export interface Probe {
  /** URL of the API's stage, with a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly chain: string;
  /** Age of the newest complete day, in hours, above which its data is stale. */
  readonly maxAgeHours: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Days to ask for. The newest ones may not be final yet. */
const DAYS = 4;
/** Longer than API Gateway waits for a function. */
const TIMEOUT_MS = 30_000;
const DAYS_PATH = pathOf('days');

/**
 * Asks for the newest days of a chain, and checks the status, the schema and the age of the newest.
 * @returns why the response is wrong, without the key; undefined when it is right
 */
export async function probeApi(probe: Probe): Promise<string | undefined> {
  const { url, key, chain, now } = probe;
  const yesterday = addDays(dayOf(now / 1_000), -1);
  const query = new URLSearchParams({ chain, start_date: addDays(yesterday, 1 - DAYS), end_date: yesterday });
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}${DAYS_PATH}?${query}`, {
      headers: { 'X-API-Key': key, Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    return problemOf(probe, response.status, await response.text());
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return `the API did not answer: ${error instanceof Error ? error.message : error}${cause}`;
  }
}

function problemOf({ maxAgeHours, now }: Probe, status: number, body: string): string | undefined {
  const read = readRows(rowSchemas.days, status, body);
  if ('problem' in read) return read.problem;
  const newest = read.rows.at(-1);
  if (!newest) return `none of the last ${DAYS} days has a row`;
  const hours = (now / 1_000 - startOfDay(addDays(newest.date, 1))) / 3_600;
  if (hours <= maxAgeHours) return undefined;
  return `the newest row is ${newest.date}, which ended ${Math.floor(hours)} hours ago; at most ${maxAgeHours} are expected`;
}
