import { openCache } from '../../lambda/api/cache.ts';
import type { DayRange } from '../../lambda/api/cached-days.ts';
import { transactionCount } from '../../lambda/api/metrics.ts';
import { openQueryTable } from '../../lambda/store/query-table.ts';
import { DAYS, FIRST_DAY, openCannedTable } from '../query/canned-table.ts';
import { plainHandler } from '../query/plain-handler.ts';
import type { Ratio } from '../ratio.ts';

/** What one partition of a table gives in a second: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const PARTITION_UNITS = 3_000;
/** Requests that a function answers in a second, one after the other: 10 ms each, nearly all of it outside of this code. */
const REQUESTS_A_FUNCTION = 100;
const FUNCTIONS = 200;
const SECONDS = 4;

const always: DayRange = { first: '0001-01-01', last: '9999-12-31' };

/** How many requests a second for the whole history of one chain its partition bears, and what the same costs without a memory. */
export async function partitionBench(): Promise<Ratio[]> {
  console.error(`partition: ${FUNCTIONS} functions at work for ${SECONDS} seconds of their own time`);
  const busiest = await busiestSecond();
  const plain = await plainUnits();
  const rate = FUNCTIONS * REQUESTS_A_FUNCTION;
  const borne = (PARTITION_UNITS / busiest) * rate;
  return [
    {
      what: `Share of a partition that ${rate.toLocaleString('en')} requests a second for ${DAYS.toLocaleString('en')} days use, from ${FUNCTIONS} functions, a new day among them`,
      ours: `${busiest} units in the busiest second`,
      other: `${PARTITION_UNITS.toLocaleString('en')} units`,
      ratio: busiest / PARTITION_UNITS,
      bound: { atMost: 1 },
    },
    {
      what: 'Requests a second for the whole history that a chain bears before its partition throttles, against without a memory',
      ours: Math.floor(borne).toLocaleString('en'),
      other: (PARTITION_UNITS / plain).toFixed(1),
      ratio: borne / (PARTITION_UNITS / plain),
      bound: { atLeast: 1_000 },
    },
  ];
}

/** The real memories of many functions, on a clock that is moved by hand; each has the history before it begins. */
async function busiestSecond(): Promise<number> {
  const { config, takeCost, publishDay } = openCannedTable(DAYS - 1);
  const table = openQueryTable('metrics', config);
  const clock = { now: 0 };
  const ask = Array.from({ length: FUNCTIONS }, () => {
    const cache = openCache(table, transactionCount, () => clock.now)('ETHEREUM');
    return async () => cache.days(await cache.coverage(), always);
  });
  for (const [index, first] of ask.entries()) {
    clock.now = (index * 1_000) / FUNCTIONS;
    await first();
  }
  takeCost();
  let busiest = 0;
  for (let second = 1; second <= SECONDS; second++) {
    if (second === 2) publishDay();
    for (let request = 0; request < FUNCTIONS * REQUESTS_A_FUNCTION; request++) {
      clock.now = 1_000 * (second + request / (FUNCTIONS * REQUESTS_A_FUNCTION));
      await ask[request % FUNCTIONS]?.();
    }
    busiest = Math.max(busiest, takeCost().units);
  }
  const days = await Promise.all(ask.map(async (request) => (await request()).rows.length));
  if (days.some((count) => count !== DAYS)) throw new Error('A function missed the new day');
  return busiest;
}

async function plainUnits(): Promise<number> {
  const { config, takeCost } = openCannedTable();
  await plainHandler(config)({ chain: 'ETHEREUM', start_date: FIRST_DAY, end_date: always.last });
  return takeCost().units;
}
