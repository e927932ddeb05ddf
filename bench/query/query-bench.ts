import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { rowBounds } from '../../lambda/api/cached-days.ts';
import { JSON_TYPE, serializeRows, sliceBody } from '../../lambda/api/formats.ts';
import { httpHandler } from '../../lambda/api/http-handler.ts';
import { transactionCount } from '../../lambda/api/metrics.ts';
import { readQuery } from '../../lambda/api/query.ts';
import { queryHandler } from '../../lambda/api/query-handler.ts';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { openQueryTable } from '../../lambda/store/query-table.ts';
import type { Ratio } from '../ratio.ts';
import { DAYS, FIRST_DAY, LAST_DAY, openCannedTable } from './canned-table.ts';
import { interleaved } from './interleaved.ts';
import { plainHandler } from './plain-handler.ts';

const REPETITIONS = 31;
/** So many warm requests are measured at once: one is too short. */
const WARM_REQUESTS = 2_000;

const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
const full = { chain: 'ETHEREUM', start_date: FIRST_DAY, end_date: LAST_DAY } as const;
const month = { ...full, start_date: addDays(LAST_DAY, -29) };

const eventOf = (query: typeof full | typeof month, headers = {}) =>
  ({
    httpMethod: 'GET',
    headers: { Accept: JSON_TYPE, ...headers },
    body: null,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    ),
    requestContext: { requestId: 'bench' },
  }) as unknown as APIGatewayProxyEvent;

/** What a query costs its caller in time, and the table in units. */
export async function queryBench(): Promise<Ratio[]> {
  console.error('query: answered by turns from memory, by a plain handler and by the least');
  return [...(await timeRows()), ...(await readRows())];
}

async function timeRows(): Promise<Ratio[]> {
  const plain = plainHandler(openCannedTable().config);
  const ours = queryHandler(transactionCount, openQueryTable('metrics', openCannedTable().config));
  const least = leastHandler();
  const event = eventOf(full);
  const bodies = [await plain(full), await ours(event, context), await least(event, context)].map(
    ({ body }) => body,
  );
  if (new Set(bodies).size !== 1) throw new Error('They do not answer the same, so their times say nothing');
  const many = (ask: () => Promise<unknown>, times: number) => async () => {
    for (let time = 0; time < times; time++) await ask();
  };
  const medianOf = await interleaved(REPETITIONS, {
    plain: many(() => plain(full), 1),
    ours: many(() => ours(event, context), WARM_REQUESTS),
    least: many(() => least(event, context), WARM_REQUESTS),
  });
  const plainMs = medianOf('plain');
  const oursMs = medianOf('ours') / WARM_REQUESTS;
  const leastMs = medianOf('least') / WARM_REQUESTS;
  const what = `A warm function answers ${DAYS.toLocaleString('en')} days`;
  return [
    {
      what: `${what}, against DocumentClient Query + map + JSON.stringify`,
      ours: `${oursMs.toFixed(3)} ms`,
      other: `${plainMs.toFixed(1)} ms`,
      ratio: oursMs / plainMs,
      bound: { atMost: 1 / 50 },
    },
    {
      what: `${what}, against a cut from a text in memory, with the same Middy stack and validation`,
      ours: `${oursMs.toFixed(3)} ms`,
      other: `${leastMs.toFixed(3)} ms`,
      ratio: oursMs / leastMs,
      bound: { atMost: 2 },
    },
  ];
}

/** What no answer can do without: the stack, the validation of the query, and a cut from a text that is there. */
function leastHandler() {
  const rows = Array.from(
    { length: DAYS },
    (_, index) => [addDays(FIRST_DAY, index), 1_200_000 + index] as const,
  );
  const serialized = serializeRows(JSON_TYPE, transactionCount.field, rows);
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'private' };
  return httpHandler(async (event, mediaType) => {
    const { start_date, end_date } = readQuery(event);
    const [begin, end] = rowBounds(rows, { first: start_date, last: end_date });
    return {
      statusCode: 200,
      headers,
      body: sliceBody(mediaType, transactionCount.field, serialized, begin, end),
    };
  });
}

async function readRows(): Promise<Ratio[]> {
  const { config, takeCost } = openCannedTable();
  const handler = queryHandler(transactionCount, openQueryTable('metrics', config));
  await handler(eventOf(month), context);
  const cold = takeCost();
  await handler(eventOf(full), context);
  takeCost();
  const startedAt = Date.now();
  let requests = 0;
  for (; Date.now() < startedAt + 3_000; requests++) {
    await handler(eventOf(full), context);
    // Not all at once: a request a hundredth of a second.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const warm = takeCost();
  const again = queryHandler(transactionCount, openQueryTable('metrics', config));
  const { headers } = await again(eventOf(month), context);
  takeCost();
  const unchanged = queryHandler(transactionCount, openQueryTable('metrics', config));
  const { statusCode } = await unchanged(eventOf(month, { 'If-None-Match': headers?.ETag }), context);
  if (statusCode !== 304) throw new Error(`A known tag was answered with ${statusCode}`);
  return [
    {
      what: 'Read units of a warm function in a second, whatever the range and the requests',
      ours: `${(warm.units / 3).toFixed(2)} units for ${(requests / 3).toFixed(0)} requests`,
      other: '1 unit',
      ratio: warm.units / 3,
      // The seconds of the clock and of the coverage do not begin together.
      bound: { atMost: 4 / 3 },
    },
    {
      what: 'Queries of a cold function for 30 days',
      ours: `${cold.queries}, ${cold.units} units with the coverage`,
      other: '1',
      ratio: cold.queries,
      bound: { atMost: 1 },
    },
    {
      what: 'Queries of a cold function for a tag that the client has, 304',
      ours: `${takeCost().queries}`,
      other: '0',
      ratio: 0,
      bound: { atMost: 0 },
    },
  ];
}
