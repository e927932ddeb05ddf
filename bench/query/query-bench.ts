import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { addDays } from '../../core/figures/calendar.ts';
import { periodBounds } from '../../core/figures/complete-periods.ts';
import { createQueryTable } from '../../core/store/table/query-table.ts';
import { createCache } from '../../lambda/api/day-cache.ts';
import { days } from '../../lambda/api/days.ts';
import { fees } from '../../lambda/api/fees.ts';
import { JSON_TYPE, sliceBody } from '../../lambda/api/formats.ts';
import { httpHandler } from '../../lambda/api/http-handler.ts';
import { readQuery } from '../../lambda/api/query.ts';
import { queryHandler } from '../../lambda/api/query-handler.ts';
import type { SeriesByInterval } from '../../lambda/api/series.ts';
import { transactionCount } from '../../lambda/api/transaction-count.ts';
import type { Ratio } from '../ratio.ts';
import { CANNED_FIRST_DAY, DAYS, LAST_DAY, openCannedTable } from './canned-table.ts';
import { interleaved } from './interleaved.ts';
import { plainHandler } from './plain-handler.ts';

const REPETITIONS = 31;
/** Warm requests per measurement, because one is too short to measure. */
const WARM_REQUESTS = 2_000;

const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
const full = { chain: 'ETHEREUM', start_date: CANNED_FIRST_DAY, end_date: LAST_DAY } as const;
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

/** Measures the CPU time of a query of each series, and the table's read units. */
export async function queryBench(): Promise<Ratio[]> {
  console.error('query: running each function, a minimal handler and a plain handler alternately');
  return [
    await plainRow(),
    ...(await endpointRows('transaction_count', transactionCount)),
    ...(await endpointRows('fees', fees)),
    ...(await endpointRows('days', days)),
    ...(await coldRows()),
  ];
}

const endpointRows = async (name: string, endpoint: SeriesByInterval) => [
  await timeRow(name, endpoint),
  await warmUnitsRow(name, endpoint),
];

const createDocumentTable = () => createQueryTable('metrics', openCannedTable().config);

const many = (run: () => Promise<unknown>, times: number) => async () => {
  for (let time = 0; time < times; time++) await run();
};

const warm = (name: string) => `Warm function for ${name}, ${DAYS.toLocaleString('en')} days`;

type Request = () => Promise<{ readonly body: string }>;

/**
 * Compares the CPU time of a warm request with that of a baseline.
 * @param otherTimes requests of the baseline per measurement
 * @throws Error when the two respond differently
 */
async function warmRow(what: string, ours: Request, other: Request, otherTimes: number, atMost: number) {
  if ((await ours()).body !== (await other()).body)
    throw new Error('The handlers respond differently, so their times are not comparable.');
  const medianOf = await interleaved(REPETITIONS, {
    ours: many(ours, WARM_REQUESTS),
    other: many(other, otherTimes),
  });
  const oursMs = medianOf('ours') / WARM_REQUESTS;
  const otherMs = medianOf('other') / otherTimes;
  return {
    what,
    ours: `${oursMs.toFixed(3)} ms`,
    other: `${otherMs.toFixed(otherMs < 1 ? 3 : 1)} ms`,
    ratio: oursMs / otherMs,
    bound: { atMost },
  };
}

async function plainRow(): Promise<Ratio> {
  const plain = plainHandler(openCannedTable().config);
  const ours = queryHandler(transactionCount, createDocumentTable());
  const what = `${warm('transaction_count')}; baseline: DocumentClient Query, map, JSON.stringify`;
  const event = eventOf(full);
  const baseline = () => plain(full);
  return warmRow(what, () => ours(event, context), baseline, 1, 1 / 50);
}

async function timeRow(name: string, endpoint: SeriesByInterval): Promise<Ratio> {
  const ours = queryHandler(endpoint, createDocumentTable());
  const minimal = await minimalHandler(endpoint);
  const event = eventOf(full);
  const what = `${warm(name)}; baseline: slice of a string in memory, with the same Middy stack and validation`;
  const baseline = () => minimal(event, context);
  return warmRow(what, () => ours(event, context), baseline, WARM_REQUESTS, 2);
}

/** The minimum for any response: the Middy stack, validation, and a slice of a prepared string. */
async function minimalHandler({ day }: SeriesByInterval) {
  const cache = createCache(createDocumentTable(), day)('ETHEREUM');
  const cached = await cache.days(await cache.coverage(), { first: CANNED_FIRST_DAY, last: LAST_DAY });
  const rows = cached.rowsOf('day', JSON_TYPE);
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'private' };
  return httpHandler(async (event) => {
    const { start_date, end_date } = readQuery(event, LAST_DAY);
    const bounds = periodBounds(rows.ranges, { first: start_date, last: end_date });
    return { statusCode: 200, headers, body: sliceBody(rows, ...bounds) };
  });
}

async function warmUnitsRow(name: string, endpoint: SeriesByInterval): Promise<Ratio> {
  const { config, takeCost } = openCannedTable();
  const handler = queryHandler(endpoint, createQueryTable('metrics', config));
  await handler(eventOf(full), context);
  takeCost();
  const startedAt = Date.now();
  let requests = 0;
  for (; Date.now() < startedAt + 3_000; requests++) {
    await handler(eventOf(full), context);
    // Up to 100 requests per second.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { units } = takeCost();
  return {
    what: `Read units per second of a warm function for ${name}, for any range and number of requests`,
    ours: `${(units / 3).toFixed(2)} units for ${(requests / 3).toFixed(0)} requests`,
    other: '1 unit',
    ratio: units / 3,
    // Three seconds of the clock can touch four of the coverage cache.
    bound: { atMost: 4 / 3 },
  };
}

async function coldRows(): Promise<Ratio[]> {
  const { config, takeCost } = openCannedTable();
  const { headers } = await queryHandler(days, createQueryTable('metrics', config))(eventOf(month), context);
  const cold = takeCost();
  const unchanged = queryHandler(days, createQueryTable('metrics', config));
  const { statusCode } = await unchanged(eventOf(month, { 'If-None-Match': headers?.ETag }), context);
  if (statusCode !== 304)
    throw new Error(`A request with a current ETag got status ${statusCode} instead of 304.`);
  return [
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
