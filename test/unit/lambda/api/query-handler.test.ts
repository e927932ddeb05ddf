import type { Context } from 'aws-lambda';
import type { ChainName } from '#core/chains/chains.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { chainStore } from '#core/store/table/table.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { dayFields } from '#lambda/api/series/day-fields.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { dayFigures, provenance } from '#test/support/generators/blocks/builders.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';
import { putDay, refreshCoverage } from '#test/support/tables/put-day.ts';

const { table, url } = useApi(async (table) => {
  for (const [index, day] of ['2025-11-18', '2025-11-19', '2025-11-20'].entries()) {
    const fees = { ...NO_FEES, execution: 10n ** 18n * BigInt(index) + 1n };
    const totals = { ...NO_TOTALS, transactions: 10 + index, fees };
    await putDay(chainStore(table, 'BSC'), dayFigures(day, { totals }), provenance());
  }
  await refreshCoverage(chainStore(table, 'BSC'), '2025-11-18');
});

const FEES = '/api/chain-insights/fees';
const COUNT = '/api/chain-insights/transaction_count';
const DAYS = '/api/chain-insights/days';
const query = { chain: 'BSC', start_date: '2025-11-19', end_date: '2025-11-20' };

function send(
  path: string,
  {
    headers = {},
    ...init
  }: { method?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
) {
  return fetch(`${url()}${path}`, { ...init, headers: { 'X-API-Key': KEY, ...headers } });
}
const get = (path: string, headers = {}) => send(`${path}?${new URLSearchParams(query)}`, { headers });

test('accepts a JSON body beside query parameters in a GET, and header names in any case', async () => {
  // Called directly: fetch sends no GET with a body.
  const { handler } = await import('#lambda/get-transaction-count.ts');
  const { chain, ...dates } = query;
  const event = apiEvent({
    headers: { 'CONTENT-TYPE': 'application/json', aCCept: 'text/csv' },
    multiValueQueryStringParameters: parametersOf({ chain }),
    body: JSON.stringify(dates),
  });
  const { statusCode, body } = await handler(event, {} as Context);
  expect([statusCode, body]).toEqual([200, 'date,transaction_count\r\n2025-11-19,11\r\n2025-11-20,12\r\n']);
});

test.each([
  ['text/csv', 'text/csv; charset=utf-8'],
  ['text/csv;q=0.9, application/json;q=0.1', 'text/csv; charset=utf-8'],
  ['application/json, text/csv;q=0.5', 'application/json; charset=utf-8'],
  ['text/csv; charset=utf-8', 'text/csv; charset=utf-8'],
  ['application/json; charset=utf-8, text/csv;q=0.1', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['image/png', 'application/json; charset=utf-8'],
])('answers Accept: %s with %s', async (Accept, type) => {
  expect((await get(FEES, { Accept })).headers.get('content-type')).toBe(type);
});

test.each([COUNT, FEES, DAYS])('answers HEAD %s like GET, without a body', async (path) => {
  const url = `${path}?${new URLSearchParams(query)}`;
  const [head, response] = await Promise.all([send(url, { method: 'HEAD' }), send(url)]);
  const own = ['content-type', 'content-length', 'etag', 'x-days-missing', 'x-data-through'];
  expect(own.map((name) => head.headers.get(name))).toEqual(own.map((name) => response.headers.get(name)));
  expect([head.status, await head.text()]).toEqual([200, '']);
});

/** Checks the headers that every problem response has, and returns its body. */
async function problemIn(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem).toMatchObject({
    status: response.status,
    request_id: response.headers.get('x-amzn-requestid'),
  });
  return problem;
}

test.each([
  ['day', 'day_count'],
  ['year', 'unpriced_reason, parent_hash, finality, archive, restatements'],
  [
    'hour',
    'day_count, median_fee, p10_fee, p90_fee, distribution_version, fees_usd, price, unpriced_reason, first_block, last_block, parent_hash, finality, archive, restatements',
  ],
])('refuses the fields that no row of the interval %s has', async (interval, never) => {
  const fields = dayFields.join();
  const response = await send(`${DAYS}?${new URLSearchParams({ ...query, interval, fields })}`);
  expect((await problemIn(response)).detail).toContain(`fields must leave out ${never}, which`);
});

test('refuses a chain that the stage does not read, unless the table has its days', async () => {
  const ask = (chain: string, offered: readonly ChainName[]) =>
    queryHandler(
      fees,
      table(),
      offered,
    )(apiEvent({ multiValueQueryStringParameters: parametersOf({ ...query, chain }) }), {} as Context);
  const { statusCode, body } = await ask('UNICHAIN', ['BASE', 'POLYGON']);
  expect([statusCode, JSON.parse(body).detail]).toEqual([
    400,
    'Invalid field: chain must be one of BASE, POLYGON; this service does not read UNICHAIN.',
  ]);
  expect(JSON.parse((await ask('SOLANA', ['BASE', 'POLYGON'])).body).detail).toBe(
    'Invalid field: chain must be one of BASE, POLYGON.',
  );
  expect((await ask('BSC', ['BASE'])).statusCode).toBe(200);
  expect((await ask('UNICHAIN', ['UNICHAIN'])).statusCode).toBe(200);
});

test.each([
  undefined,
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'application/jsonp',
])('answers a body of type %s with 415', async (type) => {
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
  // For bytes, unlike for text, fetch adds no Content-Type.
  const body = new TextEncoder().encode(JSON.stringify(query));
  const response = await send(FEES, { method: 'POST', body, headers });
  expect(await problemIn(response)).toMatchObject({
    status: 415,
    detail: expect.stringContaining('Content-Type'),
  });
});
