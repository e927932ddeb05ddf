import { dayOf, SECONDS_PER_DAY, type UtcDay } from '../chains/utc-day.ts';
import type { Table } from '../store/table.ts';
import { openMemory } from './cache.ts';
import { httpHandler } from './http-handler.ts';
import { isKnown } from './if-none-match.ts';
import type { Metric } from './metrics.ts';
import { readQuery } from './query.ts';
import { type Asked, answer, notModified, tagOf } from './response.ts';

let latest = { number: 0, day: '' };

/** The last day that is over, written once a day: that took a fifteenth of a warm request. */
function yesterday(): UtcDay {
  const number = Math.floor(Date.now() / 1_000 / SECONDS_PER_DAY) - 1;
  if (number !== latest.number) latest = { number, day: dayOf(number * SECONDS_PER_DAY) };
  return latest.day;
}

/** The Lambda handler of an endpoint that serves one metric: validate, look how far the data is, read, answer. */
export function queryHandler(metric: Metric, table: Table) {
  const memoryOf = openMemory(table, metric);
  return httpHandler(async (event, mediaType) => {
    const query = readQuery(event);
    const memory = memoryOf(query.chain);
    const coverage = await memory.coverage();
    const asked: Asked = { metric, query, mediaType, coverage, yesterday: yesterday() };
    const tag = tagOf(asked);
    if (isKnown(tag, event.headers?.['if-none-match'])) return notModified(tag);
    const wanted = { first: query.start_date, last: query.end_date };
    return answer(asked, tag, await memory.history(coverage, wanted));
  });
}
