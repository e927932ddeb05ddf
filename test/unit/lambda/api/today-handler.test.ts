import type { Context } from 'aws-lambda';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { NO_TOTALS, type Totals } from '#core/figures/totals.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { chainStore } from '#core/store/table/table.ts';
import { todayHandler } from '#lambda/api/today-handler.ts';
import { dayFigures, finalSums, hashOf, provenance } from '#test/support/generators/blocks/builders.ts';
import { errorsOf, headerErrorsOf, readOperations } from '#test/support/openapi.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { countingTable } from '#test/support/tables/counting-table.ts';
import { putDay } from '#test/support/tables/put-day.ts';
import { runningDay } from '#test/support/tables/put-running-day.ts';

const PATH = '/api/chain-insights/today';
const today = dayOf(Date.now() / 1_000);

const { table, url } = useApi(
  async (table) => {
    const store = chainStore(table, 'BSC');
    const details = { hours: Array<Totals>(24).fill(NO_TOTALS), feeCounts: new Map() };
    await putDay(store, dayFigures(addDays(today, -1)), provenance(), details);
    const progress = runningDay(today, 8);
    const final = finalSums(runningDay(today, 5));
    await saveCheckpoint(store, { day: today, sequence: 0 }, { progress, anchored: progress, final });
  },
  { BSC: addDays(today, -9), BASE: today },
);

const send = (query: string, init: RequestInit = {}) =>
  fetch(`${url()}${PATH}?${query}`, { ...init, headers: { 'X-API-Key': KEY, ...init.headers } });
const operations = readOperations().filter(({ path }) => path === PATH);

test('answers with the sums that are final, and none that may be discarded', async () => {
  const response = await send('chain=bsc');
  expect(response.status).toBe(200);
  const body = (await response.json()) as object;
  expect(body).toMatchObject({
    chain: 'BSC',
    date: today,
    through: { number: 14, hash: hashOf(14) },
    transaction_count: 5,
    fees: '0.005',
    last_24_hours: { first_hour: `${addDays(today, -1)}T00`, transaction_count: 0 },
  });
  expect(body).not.toHaveProperty('fees_usd');
  expect(operations).toHaveLength(2);
  for (const { responses } of operations) {
    const { content, headers } = responses[200] ?? {};
    const [{ schema } = {}] = Object.values(content ?? {});
    expect(errorsOf(schema ?? {}, body)).toEqual([]);
    expect(headerErrorsOf(response, headers ?? {})).toEqual([]);
  }
});

test('answers with a list for several chains, in their order, and with an object for a list of one', async () => {
  const rows = (await (await send('chain=BASE,BSC')).json()) as { chain: string }[];
  expect(rows).toEqual([{ chain: 'BASE', date: today }, expect.objectContaining({ chain: 'BSC' })]);
  const body = JSON.stringify({ chain: ['BSC'] });
  const headers = { 'Content-Type': 'application/json' };
  expect(await (await send('', { method: 'POST', headers, body })).json()).toEqual(rows[1]);
});

test.each([
  ['', 'chain is required'],
  ['chain=SOLANA', 'chain must be one of'],
  ['chain=BSC,POLYGON', 'this service does not read POLYGON'],
  ['chain=BSC&date=today', 'date is unknown; the only field is chain'],
])('refuses %p', async (query, reason) => {
  const response = await send(query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining(reason) });
});

test('answers 304 to its own tag until more is final', async () => {
  const first = await send('chain=BSC');
  const tag = { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } };
  expect(first.headers.get('cache-control')).toBe('private, max-age=30');
  expect((await send('chain=BSC', tag)).status).toBe(304);
  const store = chainStore(table(), 'BSC');
  const before = await getCheckpoint(store, today);
  await saveCheckpoint(store, before, { ...before, final: finalSums(runningDay(today, 8)) });
  const read = async () => {
    const response = await send('chain=BSC', tag);
    return response.status === 200 ? response.json() : undefined;
  };
  let next = await read();
  while (!next) next = await read();
  expect(next).toMatchObject({ transaction_count: 8 });
});

afterEach(() => jest.restoreAllMocks());

test('reads one item a second, whatever the number of requests', async () => {
  let now = startOfDay(today) * 1_000 + 3_600_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const { reads, table: counted } = countingTable(table());
  const handler = todayHandler(counted);
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  const readBy = async (count: number) => {
    const before = reads();
    const event = eventOf(`${PATH}?chain=BSC`, { headers: {} });
    await Promise.all(Array.from({ length: count }, () => handler(event, context)));
    return reads() - before;
  };
  const atFirst = await readBy(50);
  expect(await readBy(50)).toBe(0);
  now += 1_000;
  expect(await readBy(50)).toBe(1);
  // Past days are read again after a minute.
  now += 60_000;
  expect(await readBy(50)).toBe(atFirst);
});
