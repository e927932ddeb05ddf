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
/** Warm requests per measurement, because one is too short to measure. */
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

/** Measures the CPU time of a query, and the table's read units. */
export async function queryBench(): Promise<Ratio[]> {
  console.error('query: running the function, a plain handler and a minimal handler alternately');
  return [...(await timeRows()), ...(await readRows())];
}

async function timeRows(): Promise<Ratio[]> {
  const plain = plainHandler(openCannedTable().config);
  const ours = queryHandler(transactionCount, openQueryTable('metrics', openCannedTable().config));
  const minimal = minimalHandler();
  const event = eventOf(full);
  const bodies = [await plain(full), await ours(event, context), await minimal(event, context)].map(
    ({ body }) => body,
  );
  if (new Set(bodies).size !== 1)
    throw new Error('The handlers respond differently, so their times are not comparable.');
  const many = (run: () => Promise<unknown>, times: number) => async () => {
    for (let time = 0; time < times; time++) await run();
  };
  const medianOf = await interleaved(REPETITIONS, {
    plain: many(() => plain(full), 1),
    ours: many(() => ours(event, context), WARM_REQUESTS),
    minimal: many(() => minimal(event, context), WARM_REQUESTS),
  });
  const plainMs = medianOf('plain');
  const oursMs = medianOf('ours') / WARM_REQUESTS;
  const minimalMs = medianOf('minimal') / WARM_REQUESTS;
  const what = `Warm function, ${DAYS.toLocaleString('en')} days`;
  return [
    {
      what: `${what}; baseline: DocumentClient Query, map, JSON.stringify`,
      ours: `${oursMs.toFixed(3)} ms`,
      other: `${plainMs.toFixed(1)} ms`,
      ratio: oursMs / plainMs,
      bound: { atMost: 1 / 50 },
    },
    {
      what: `${what}; baseline: slice of a string in memory, with the same Middy stack and validation`,
      ours: `${oursMs.toFixed(3)} ms`,
      other: `${minimalMs.toFixed(3)} ms`,
      ratio: oursMs / minimalMs,
      bound: { atMost: 2 },
    },
  ];
}

/** The minimum for any response: the Middy stack, validation, and a slice of a prepared string. */
function minimalHandler() {
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
    // Up to 100 requests per second.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const warm = takeCost();
  const again = queryHandler(transactionCount, openQueryTable('metrics', config));
  const { headers } = await again(eventOf(month), context);
  takeCost();
  const unchanged = queryHandler(transactionCount, openQueryTable('metrics', config));
  const { statusCode } = await unchanged(eventOf(month, { 'If-None-Match': headers?.ETag }), context);
  if (statusCode !== 304)
    throw new Error(`A request with a current ETag got status ${statusCode} instead of 304.`);
  return [
    {
      what: 'Read units per second of a warm function, for any range and number of requests',
      ours: `${(warm.units / 3).toFixed(2)} units for ${(requests / 3).toFixed(0)} requests`,
      other: '1 unit',
      ratio: warm.units / 3,
      // Three seconds of the clock can touch four of the coverage cache.
      bound: { atMost: 4 / 3 },
    },
    {
      what: 'Queries of a cold function, 30 days',
      ours: `${cold.queries} (${cold.units} units with coverage)`,
      other: '1',
      ratio: cold.queries,
      bound: { atMost: 1 },
    },
    {
      what: 'Queries of a cold function for a 304 response',
      ours: `${takeCost().queries}`,
      other: '0',
      ratio: 0,
      bound: { atMost: 0 },
    },
  ];
}
