import fc from 'fast-check';
import { addDays, intervals } from '#core/figures/calendar.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { chainStore, type TableReader } from '#core/store/table/table.ts';
import type { Dated } from '#lambda/api/formats.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { days } from '#lambda/api/series/days.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { weiOf } from '#test/support/generators/rows/served-days.ts';
import { anyStoredDay } from '#test/support/generators/rows/stored-days.ts';
import { type Handler, requestRows } from '#test/support/servers/request-rows.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { memoryTable } from '#test/support/tables/table.ts';

const FIRST_DAY = '2020-08-29';

/* An independent sum over the table: it shares no code with the API. */

const periodOf = (day: string, interval: string): [first: string, last: string] => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const utc = (y: number, m: number, d: number) => new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const quarter = 3 * Math.ceil(month / 3);
  switch (interval) {
    case 'week':
      return [utc(year, month, date - weekday), utc(year, month, date - weekday + 6)];
    case 'month':
      return [utc(year, month, 1), utc(year, month + 1, 0)];
    case 'quarter':
      return [utc(year, quarter - 2, 1), utc(year, quarter + 1, 0)];
    case 'year':
      return [utc(year, 1, 1), utc(year, 12, 31)];
    default:
      return [day, day];
  }
};

const parts = ['execution_fees', 'l1_data_fees', 'operator_fees', 'blob_fees'] as const;
const paid = (day: StoredDay) => parts.reduce((sum, part) => sum + day[part], 0n);

/** Returns the first day of each expected row, with the days that it sums up. */
function expectedRows(stored: readonly StoredDay[], interval: string, first: string, last: string) {
  const byPeriod = Map.groupBy(stored, ({ date }) => periodOf(date, interval).join());
  return [...byPeriod].flatMap(([period, found]) => {
    const [start = '', end = ''] = period.split(',');
    const from = start < FIRST_DAY ? FIRST_DAY : start;
    const isComplete = found.length === (Date.parse(end) - Date.parse(from)) / 86_400_000 + 1;
    return isComplete && first <= from && end <= last ? [{ date: start, found }] : [];
  });
}

function checkRow(row: Readonly<Record<string, string | number>>, found: readonly StoredDay[]): void {
  const sum = (of: (day: StoredDay) => number) => found.reduce((total, day) => total + of(day), 0);
  expect(row).toMatchObject({
    transaction_count: sum((day) => day.transaction_count),
    user_transaction_count: sum((day) => day.transaction_count - day.protocol_transaction_count),
    protocol_transaction_count: sum((day) => day.protocol_transaction_count),
    block_count: sum((day) => day.block_count),
    last_block: found.at(-1)?.last_block,
  });
  for (const part of parts) {
    expect(weiOf(String(row[part]))).toBe(found.reduce((total, day) => total + day[part], 0n));
  }
  expect(weiOf(String(row.fees))).toBe(found.reduce((total, day) => total + paid(day), 0n));
  expect(weiOf(String(row.fees))).toBe(parts.reduce((total, part) => total + weiOf(String(row[part])), 0n));
}

const handlersOf = (of: TableReader) => ({
  days: queryHandler(days, of),
  transaction_count: queryHandler(transactionCount, of),
  fees: queryHandler(fees, of),
});

type Range = Readonly<Record<'start_date' | 'end_date', string>>;

/**
 * Compares the responses of all series in all intervals with the days.
 * @param handlers keep what they have cached for earlier ranges
 * @returns the number of rows of each interval
 */
async function checkRange(
  handlers: ReturnType<typeof handlersOf>,
  stored: readonly StoredDay[],
  range: Range,
) {
  const counts: Record<string, number> = {};
  for (const interval of intervals) {
    const rowsOf = async (handler: Handler) => JSON.parse(await requestRows(handler, { ...range, interval }));
    const rows: (Dated & Record<string, number | string>)[] = await rowsOf(handlers.days);
    const expected = expectedRows(stored, interval, range.start_date, range.end_date);
    expect(rows.map(({ date }) => date)).toEqual(expected.map(({ date }) => date));
    for (const [index, row] of rows.entries()) checkRow(row, expected[index]?.found ?? []);
    const pick = (name: string) => rows.map((row) => ({ date: row.date, [name]: row[name] }));
    expect(await rowsOf(handlers.transaction_count)).toEqual(pick('transaction_count'));
    expect(await rowsOf(handlers.fees)).toEqual(pick('fees'));
    counts[interval] = rows.length;
  }
  return counts;
}

/** Stores days in a new table, and returns the handlers that serve it. */
async function serve(stored: readonly StoredDay[]) {
  const of = memoryTable();
  for (const day of stored) await putStoredDay(of, day, undefined);
  await refreshCoverage(chainStore(of, 'BSC'), FIRST_DAY);
  return handlersOf(of);
}

const count = fc.nat({ max: 10 ** 9 });
const history = fc.array(fc.tuple(anyStoredDay, count, count, fc.nat(99)), {
  minLength: 1,
  maxLength: 250,
  size: 'max',
});

test('every row of every series and interval is the exact sum of the stored days', async () => {
  const range = fc
    .tuple(fc.integer({ min: -20, max: 300 }), fc.nat(400))
    .map(([first, length]) => ({
      start_date: addDays(FIRST_DAY, first),
      end_date: addDays(FIRST_DAY, first + length),
    }));
  const ranges = fc.array(range, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(history, fc.nat(150), ranges, async (figures, begin, all) => {
      const every = figures.map(
        ([day, users, protocol], index): StoredDay => ({
          ...day,
          chain: 'BSC',
          date: addDays(FIRST_DAY, begin + index),
          transaction_count: users + protocol,
          protocol_transaction_count: protocol,
          block_count: users,
        }),
      );
      // About one day in a hundred is missing.
      const stored = every.filter((_, index) => figures[index]?.[3] !== 0);
      const handlers = await serve(stored);
      for (const each of all) await checkRange(handlers, stored, each);
    }),
    { numRuns: 6 },
  );
});
