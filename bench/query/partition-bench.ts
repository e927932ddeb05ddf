import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { DayRange } from '../../core/figures/complete-periods.ts';
import { createQueryTable } from '../../core/store/table/client.ts';
import { createCache } from '../../lambda/api/day-cache.ts';
import { transactionCount } from '../../lambda/api/series/transaction-count.ts';
import type { Ratio } from '../report.ts';
import { CANNED_FIRST_DAY, DAYS, openCannedTable } from './canned-table.ts';

/** Read units per second of one partition: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const PARTITION_UNITS = 3_000;
/** Sequential requests per second of a function at 10 ms each, nearly all of which is spent outside of this code. */
const REQUESTS_PER_FUNCTION = 100;
const FUNCTIONS = 200;
const SECONDS = 4;

const always: DayRange = { first: '0001-01-01', last: '9999-12-31' };

/** Measures how many requests per second for a chain's whole history its partition supports, with and without the cache. */
export async function partitionBench(): Promise<Ratio[]> {
  console.error(`partition: simulating ${FUNCTIONS} functions for ${SECONDS} seconds`);
  const busiest = await busiestSecond();
  const plain = await plainUnits();
  const rate = FUNCTIONS * REQUESTS_PER_FUNCTION;
  const supported = (PARTITION_UNITS / busiest) * rate;
  return [
    {
      what: 'Requests per second for the whole history before a partition throttles; baseline: without cache',
      ours: Math.floor(supported).toLocaleString('en'),
      other: (PARTITION_UNITS / plain).toFixed(1),
      ratio: supported / (PARTITION_UNITS / plain),
      bound: { atLeast: 1_000 },
    },
  ];
}

/** Runs the caches of many functions, already filled, on a simulated clock. */
async function busiestSecond(): Promise<number> {
  const { config, takeCost, publishDay } = openCannedTable(DAYS - 1);
  const table = createQueryTable('metrics', config);
  const clock = { now: 0 };
  const requests = Array.from({ length: FUNCTIONS }, () => {
    const cache = createCache(table, transactionCount.day, () => clock.now)('ETHEREUM');
    return async () => cache.days(await cache.coverage(), always);
  });
  for (const [index, first] of requests.entries()) {
    clock.now = (index * 1_000) / FUNCTIONS;
    await first();
  }
  takeCost();
  let busiest = 0;
  for (let second = 1; second <= SECONDS; second++) {
    if (second === 2) publishDay();
    for (let request = 0; request < FUNCTIONS * REQUESTS_PER_FUNCTION; request++) {
      clock.now = 1_000 * (second + request / (FUNCTIONS * REQUESTS_PER_FUNCTION));
      await requests[request % FUNCTIONS]?.();
    }
    busiest = Math.max(busiest, takeCost().units);
  }
  const days = await Promise.all(requests.map(async (request) => (await request()).days.length));
  if (days.some((count) => count !== DAYS)) throw new Error('A function does not return the new day.');
  return busiest;
}

/** Counts the read units of a straightforward query of the whole history, without cache. */
async function plainUnits(): Promise<number> {
  const { config, takeCost } = openCannedTable();
  const pages = paginateQuery(
    { client: DynamoDBDocumentClient.from(new DynamoDBClient(config)) },
    {
      TableName: 'metrics',
      KeyConditionExpression: 'chain = :chain AND #date BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#date': 'date' },
      ExpressionAttributeValues: { ':chain': 'ETHEREUM', ':first': CANNED_FIRST_DAY, ':last': always.last },
    },
  );
  await Array.fromAsync(pages);
  return takeCost().units;
}
