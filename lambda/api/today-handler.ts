import { createHash } from 'node:crypto';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import { type TodayRow, todayRow } from '../../core/rows/today-row.ts';
import { getCheckpoint } from '../../core/store/days/checkpoints.ts';
import { readPastDay } from '../../core/store/days/past-hours.ts';
import { chainStore, type TableReader } from '../../core/store/table/table.ts';
import { cacheBriefly, memoize } from '../caches.ts';
import { matchesIfNoneMatch } from './entity-tag.ts';
import { JSON_TYPE } from './formats.ts';
import { httpHandler } from './http-handler.ts';
import { lastCompleteDay } from './last-complete-day.ts';
import { notOffered, readTodayQuery } from './query.ts';
import { sampleHeader } from './sample-data.ts';

/** Past days change when they become final, which the sums of the running day need not wait for. */
const PAST_TTL_MS = 60_000;

/** While a run reads, it saves sums once a minute. */
export const MAX_AGE_S = 30;

/** Serves the running day: one object for one chain, and a list for several. */
export function todayHandler(table: TableReader, offered: readonly ChainName[] = chainNames) {
  const readerOf = memoize((chain: ChainName) => createReader(table, chain));
  return httpHandler(async (event) => {
    const chains = readTodayQuery(event, offered);
    for (const chain of chains) if (!offered.includes(chain)) throw notOffered(chain, offered);
    const day = addDays(lastCompleteDay(), 1);
    const rows = await Promise.all(chains.map((chain) => readerOf(chain)(day)));
    const body = JSON.stringify(chains.length === 1 ? rows[0] : rows);
    const ETag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const headers = { ETag, 'Cache-Control': `private, max-age=${MAX_AGE_S}`, Vary: 'Accept' };
    if (matchesIfNoneMatch(ETag, event.headers?.['if-none-match']))
      return { statusCode: 304, headers, body: '' };
    const type = { 'Content-Type': `${JSON_TYPE}; charset=utf-8` };
    return { statusCode: 200, headers: { ...type, ...sampleHeader(chains), ...headers }, body };
  });
}

/** Returns a function that reads the running day of a chain: an item a second at most, and those of past days once a minute. */
function createReader(table: TableReader, chain: ChainName): (day: UtcDay) => Promise<TodayRow> {
  const store = chainStore(table, chain);
  const create = (day: UtcDay) => {
    const pastDays = cacheBriefly(
      () => Promise.all([readPastDay(store, addDays(day, -2)), readPastDay(store, addDays(day, -1))]),
      Date.now,
      PAST_TTL_MS,
    );
    const read = async () => {
      const [{ final }, past] = await Promise.all([getCheckpoint(store, day), pastDays()]);
      return todayRow(chain, day, final, past);
    };
    return { day, row: cacheBriefly(read) };
  };
  let latest: ReturnType<typeof create> | undefined;
  return async (day) => {
    if (latest?.day !== day) latest = create(day);
    return latest.row();
  };
}
