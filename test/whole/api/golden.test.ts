import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { SOFTWARE_VERSION } from '#core/software-version.ts';
import type { Item, TableReader } from '#core/store/table/table.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { transactionCount } from '#lambda/api/series/transaction-count.ts';
import { environment } from '#lambda/environment.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';

/*
 * Whole responses as release 1.0.0 gives them. A request that was valid then is answered with the same bytes and headers; clients
 * compare ETags of both.
 */

const days: readonly Item[] = [
  ['2025-11-18', 1_000n, 10n ** 18n, 5n],
  ['2025-11-19', 0n, 0n, 0n],
  ['2025-11-21', 987_654_321n, 358_558_440_870_590_355_682n, 1n],
].map(([date, transaction_count, execution_fees, blob_fees]) => ({
  date,
  transaction_count,
  execution_fees,
  blob_fees,
  l1_data_fees: 0n,
  operator_fees: 0n,
}));

const table: TableReader = {
  name: 'golden',
  getItem: async () => ({
    days: '2025-11-18 p4',
    from_day: '2025-11-18',
    through_day: '2025-11-19',
    last_day: '2025-11-21',
    revision: 7n,
    changes: [],
    changes_since: 0n,
    waiting_days: 0n,
  }),
  queryPages: async function* ({ ExpressionAttributeValues: values }) {
    const [first, last] = [String(values[':first']), String(values[':last'])];
    yield days.filter(({ date }) => first <= String(date) && String(date) <= last);
  },
};

const range = { chain: 'BSC', start_date: '2025-11-18', end_date: '2025-11-21' };

async function respond(
  series: 'fees' | 'transaction_count',
  corsOrigins: string,
  event: Partial<APIGatewayProxyEvent>,
) {
  process.env[environment.corsOrigins] = corsOrigins;
  const handler = series === 'fees' ? queryHandler(fees, table) : queryHandler(transactionCount, table);
  const response = await handler(apiEvent(event), {} as Context);
  // In the order in which they are sent.
  return { ...response, headers: Object.entries(response.headers ?? {}) };
}

const get = (headers: APIGatewayProxyEvent['headers']) => ({
  headers,
  multiValueQueryStringParameters: parametersOf(range),
});

const tag = (type: string) => `"BSC;2025-11-18;2025-11-21;2025-11-21;${type};7;${SOFTWARE_VERSION}"`;

test('fees as JSON', async () => {
  expect(await respond('fees', '', get({}))).toEqual({
    statusCode: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['X-Days-Missing', '1'],
      ['X-Days-Not-Over', '0'],
      ['X-Data-Through', '2025-11-21'],
      ['X-Fees-Currency', 'BNB'],
      ['ETag', tag('application/json')],
      ['Cache-Control', 'private'],
      ['Vary', 'Accept'],
    ],
    body:
      '[{"date":"2025-11-18","fees":"1.000000000000000005"},{"date":"2025-11-19","fees":"0"},' +
      '{"date":"2025-11-21","fees":"358.558440870590355683"}]',
  });
});

test('transaction counts as CSV, by POST, to a page of one of several origins', async () => {
  const origin = 'https://a.example';
  const headers = { Accept: 'text/csv', Origin: origin, 'Content-Type': 'application/json' };
  const event = { httpMethod: 'POST', headers, body: JSON.stringify(range) };
  expect(await respond('transaction_count', `${origin},https://b.example`, event)).toEqual({
    statusCode: 200,
    headers: [
      ['Content-Type', 'text/csv; charset=utf-8'],
      ['X-Days-Missing', '1'],
      ['X-Days-Not-Over', '0'],
      ['X-Data-Through', '2025-11-21'],
      ['ETag', tag('text/csv')],
      ['Cache-Control', 'private'],
      ['Vary', 'Accept, Origin'],
      ['Access-Control-Allow-Origin', origin],
      [
        'Access-Control-Expose-Headers',
        'X-Days-Missing, X-Days-Not-Over, X-Days-Archived, X-Data-Through, X-Fees-Currency, ETag, Retry-After, X-Start-Date, X-End-Date',
      ],
    ],
    body: 'date,transaction_count\r\n2025-11-18,1000\r\n2025-11-19,0\r\n2025-11-21,987654321\r\n',
  });
});

test('a current ETag', async () => {
  const headers = { 'If-None-Match': `W/${tag('application/json')}` };
  expect(await respond('fees', '', get(headers))).toEqual({
    statusCode: 304,
    headers: [
      ['ETag', tag('application/json')],
      ['Cache-Control', 'private'],
      ['Vary', 'Accept'],
    ],
    body: '',
  });
});
