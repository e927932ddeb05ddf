import { amountBounds } from '#core/figures/amounts.ts';
import { addDays } from '#core/figures/calendar.ts';
import type { StoredDay } from '#core/store/days/day-item.ts';
import { chainStore, type TableQuery } from '#core/store/table/table.ts';
import { CSV_TYPE } from '#lambda/api/formats.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { days } from '#lambda/api/series/days.ts';
import { distribution } from '#lambda/api/series/distribution.ts';
import { withEvidence } from '#lambda/api/series/evidence.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { blockAt } from '#test/support/generators/blocks/builders.ts';
import { withDetails } from '#test/support/generators/rows/details.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { requestRows } from '#test/support/servers/request-rows.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* Proves what /days publishes of days, hours and periods, as JSON and in the columns of CSV, and what the other series share with it. */

const table = useMemoryTable();
const FIRST_DAY = '2020-08-29';

const put = async (day: StoredDay, details?: Parameters<typeof putStoredDay>[3]) => {
  await putStoredDay(table(), day, undefined, details);
  await refreshCoverage(chainStore(table(), 'BSC'), FIRST_DAY);
};

const requestDays = (query: Readonly<Record<string, string>>, accept?: string) =>
  requestRows(queryHandler(days, table()), query, accept);

/** The cells of a day without measures, all empty but for its retryable double count. */
const NO_MEASURES = `${','.repeat(6)}0${','.repeat(18)}`;

const DAY = { start_date: '2025-11-18', end_date: '2025-11-18' };

describe('a day with measures', () => {
  const { day, details } = withDetails(storedDay());
  beforeEach(() => put(day, details));
  const measures = {
    failed_transaction_count: 1,
    base_fees: '0.999999999999999996',
    priority_fees: '0.000000000000000005',
    gas_used: '21000',
    blob_count: 0,
    measures_version: 1,
  };

  test('has 24 hours on each series, which add up to it', async () => {
    const hours = JSON.parse(await requestDays({ ...DAY, interval: 'hour' }));
    expect(hours.map(({ date }: { date: string }) => date).slice(0, 2)).toEqual([
      '2025-11-18T00',
      '2025-11-18T01',
    ]);
    expect(hours).toHaveLength(24);
    expect(hours[0]).toMatchObject({ transaction_count: 0, fees: '0', gas_used: '0' });
    expect(hours[1]).toMatchObject({ transaction_count: 9, ...measures, revision: 1, evidence: 'proven' });
    expect(hours[1]).not.toHaveProperty('first_block');
    for (const [endpoint, name] of [
      [fees, 'fees'],
      [transactionCount, 'transaction_count'],
    ] as const) {
      const rows = JSON.parse(
        await requestRows(queryHandler(endpoint, table()), { ...DAY, interval: 'hour' }),
      );
      expect(rows).toEqual(
        hours.map((hour: Record<string, unknown>) => ({ date: hour.date, [name]: hour[name] })),
      );
    }
  });
});

test('a day without measures has no hours or distribution, though a deleted one has left some', async () => {
  const { day, details } = withDetails(storedDay());
  await put(day, details);
  await table().deleteItem({ chain: 'BSC', date: day.date });
  await put(storedDay());
  expect(await requestDays({ ...DAY, interval: 'hour' })).toBe('[]');
  expect(await requestRows(queryHandler(distribution, table()), DAY)).toBe('[]');
});

test('an archived day that is proven while it is read does not pass for proven', async () => {
  const day = storedDay();
  await put({ ...day, evidence: 'archived' });
  async function* queryPages(query: TableQuery) {
    if (JSON.stringify(query).includes('evidence')) await table().putIf({ ...day, transaction_count: 10 });
    yield* table().queryPages(query);
  }
  const proven = withEvidence(transactionCount.day, 'proven');
  const racing = chainStore({ ...table(), queryPages }, 'BSC');
  expect(await proven.read(racing, day.date, day.date)).toMatchObject([{ transaction_count: 10 }]);
});

test('a period sums measures and distributions, and takes its typical fees from all its transactions', async () => {
  const week = { start_date: '2020-08-24', end_date: '2020-08-30', interval: 'week' };
  for (const [index, bucket] of [300, 310].entries()) {
    const blocks = { first_block: blockAt(4 * index + 1), last_block: blockAt(4 * index + 4) };
    const given = storedDay({ date: addDays(FIRST_DAY, index), transaction_count: 9 + index, ...blocks });
    const { day, details } = withDetails(given, bucket);
    await put(day, details);
  }
  expect(JSON.parse(await requestDays(week))).toMatchObject([
    { gas_used: '42000', median_fee: amountBounds(310), p10_fee: amountBounds(300), distribution_version: 1 },
  ]);
  expect(JSON.parse(await requestRows(queryHandler(distribution, table()), week))).toEqual([
    { date: '2020-08-24', ...amountBounds(300), transaction_count: 9 },
    { date: '2020-08-24', ...amountBounds(310), transaction_count: 10 },
  ]);
});

test.each([
  [
    { slot: 12, root: `0x${'be'.repeat(32)}` },
    { kind: 'sync committee', slot: 12, root: `0x${'be'.repeat(32)}` },
    `sync committee,,12,0x${'be'.repeat(32)},0`,
  ],
  [
    { source: blockAt(8), target: blockAt(9) },
    { kind: 'fast finality', source: blockAt(8), target: blockAt(9) },
    `fast finality,,,${blockAt(8).hash},0`,
  ],
])('a day that links to %j says so', async (links_to, finality, cells) => {
  await put(storedDay({ parent_hash: blockAt(0).hash, confirmed_by: [], links_to }));
  const [row] = JSON.parse(await requestDays(DAY));
  expect(row.finality).toEqual(finality);
  expect(await requestDays(DAY, CSV_TYPE)).toContain(`,${blockAt(0).hash},${cells}${NO_MEASURES}\r\n`);
});

test('a period has the weakest evidence, the lowest version and the latest of the rest', async () => {
  const all = [
    { evidence: 'checked', first_block: undefined, ingested_at: '2025-11-21T00:05:00Z' },
    { revision: 4, definition_version: 2, parent_hash: blockAt(0).hash },
    { ingested_at: '2025-11-21T00:05:00.5Z', last_block: blockAt(9) },
    { ingested_at: '2025-11-20T00:00:00Z' },
  ] as const;
  for (const [index, given] of all.entries()) {
    await put(storedDay({ date: addDays('2025-12-29', index), ...given }));
  }
  for (let day = '2026-01-02'; day < '2026-01-05'; day = addDays(day, 1)) await put(storedDay({ date: day }));
  const range = { start_date: '2025-12-29', end_date: '2026-01-04' };
  const [week, ...others] = JSON.parse(await requestDays({ ...range, interval: 'week' }));
  expect(others).toEqual([]);
  expect(week).toMatchObject({
    date: '2025-12-29',
    day_count: 7,
    transaction_count: 63,
    fees: '7.000000000000000056',
    first_block: blockAt(1),
    last_block: blockAt(4),
    evidence: 'checked',
    definition_version: 1,
    revision: 4,
    ingested_at: '2025-11-21T00:05:00.5Z',
  });
  for (const name of ['parent_hash', 'finality', 'restatements']) expect(week).not.toHaveProperty(name);
  const csv = await requestDays({ ...range, interval: 'week' }, CSV_TYPE);
  expect(csv).toMatch(
    /^date,day_count,transaction_count,.*,ingested_at,failed_transaction_count,.*\r\n2025-12-29,7,63,/,
  );
});

test('CSV has a cell for each member of dollars and typical fees, and quotes what people wrote', async () => {
  const { day, details } = withDetails(storedDay());
  const aggregator = `0x${'12'.repeat(20)}`;
  const price = { first: '600.5', last: '601', updates: 7, aggregator, evidence: 'proven' as const };
  await put({ ...day, fees_usd: '12.34', price }, details);
  await put(storedDay({ date: '2025-11-19', unpriced_reason: 'no "price",\n=1' }));
  const csv = await requestDays({ start_date: '2025-11-18', end_date: '2025-11-19' }, CSV_TYPE);
  const [head = '', first = '', ...others] = csv.split('\r\n');
  const cells = Object.fromEntries(head.split(',').map((name, index) => [name, first.split(',')[index]]));
  const { from, to } = amountBounds(300);
  expect(cells).toMatchObject({
    ...{ fees_usd: '12.34', price_first: '600.5', price_last: '601', price_updates: '7' },
    ...{ price_aggregator: aggregator, price_evidence: 'proven', unpriced_reason: '', archive: '' },
    ...{ median_fee_from: from, median_fee_to: to, p10_fee_from: from, p90_fee_to: to },
    ...{
      last_block_hash: blockAt(4).hash,
      restatement_count: '0',
      finality_hosts: 'a.example b.example:8545',
    },
  });
  expect(others).toEqual([expect.stringContaining(',"no ""price"", =1",'), '']);
});
