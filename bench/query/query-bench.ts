import { setTimeout as wait } from 'node:timers/promises';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { createQueryTable } from '#core/store/table/client.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { reportedBy } from '../../core/figures/block.ts';
import { addDays, dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import { NO_FEES } from '../../core/figures/fee-parts.ts';
import { startDayProgress } from '../../core/figures/progress.ts';
import { NO_TOTALS } from '../../core/figures/totals.ts';
import { saveCheckpoint } from '../../core/store/days/checkpoints.ts';
import { chainStore, type Table } from '../../core/store/table/table.ts';
import { queryHandler } from '../../lambda/api/query-handler.ts';
import { days } from '../../lambda/api/series/days.ts';
import { fees } from '../../lambda/api/series/fees.ts';
import type { SeriesByInterval } from '../../lambda/api/series/series.ts';
import { transactionCount } from '../../lambda/api/series/transaction-count.ts';
import { todayHandler } from '../../lambda/api/today-handler.ts';
import type { Ratio } from '../report.ts';
import { CANNED_FIRST_DAY, DAYS, LAST_DAY, openCannedTable } from './canned-table.ts';

const SECONDS = 3;

const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
const eventFrom = (first: string) =>
  eventOf(`/?${new URLSearchParams({ chain: 'ETHEREUM', start_date: first, end_date: LAST_DAY })}`);

export async function queryBench(): Promise<Ratio[]> {
  console.error('query: counting the read units of each function');
  return [
    await warmRow('transaction_count', transactionCount),
    await warmRow('fees', fees),
    await warmRow('days', days),
    await todayRow(),
    await coldRow(),
  ];
}

/** Calls a handler for some seconds, up to 100 times a second. @returns the number of requests */
async function call(handler: ReturnType<typeof queryHandler>, event: APIGatewayProxyEvent): Promise<number> {
  const startedAt = Date.now();
  let requests = 0;
  for (; Date.now() < startedAt + 1_000 * SECONDS; requests++) {
    await handler(event, context);
    await wait(10);
  }
  return requests;
}

/** Three seconds of the clock can touch four of a cache. */
const bound = { atMost: (SECONDS + 1) / SECONDS };

async function warmRow(name: string, endpoint: SeriesByInterval): Promise<Ratio> {
  const { config, takeCost } = openCannedTable();
  const handler = queryHandler(endpoint, createQueryTable('metrics', config));
  const event = eventFrom(CANNED_FIRST_DAY);
  await handler(event, context);
  takeCost();
  const requests = await call(handler, event);
  const { units } = takeCost();
  return {
    what: `Read units per second of a warm function for ${name}, for any range and number of requests`,
    ours: `${(units / SECONDS).toFixed(2)} units for ${(requests / SECONDS).toFixed(0)} requests`,
    other: '1 unit',
    ratio: units / SECONDS,
    bound,
  };
}

/** The running day of a chain, with the sums of Ethereum's magnitude in its checkpoint. */
async function todayRow(): Promise<Ratio> {
  const today = dayOf(Date.now() / 1_000);
  const { config, takeCost } = openCannedTable(DAYS, { [`progress#${today}`]: await checkpointOf(today) });
  const handler = todayHandler(createQueryTable('metrics', config));
  const event = eventOf('/?chain=ETHEREUM');
  const { body } = await handler(event, context);
  if (!body.includes('transaction_count')) throw new Error('The running day has no sums.');
  takeCost();
  const requests = await call(handler, event);
  const { gets, units } = takeCost();
  return {
    what: 'Reads per second of a warm function for today, for any number of requests',
    ours: `${(gets / SECONDS).toFixed(2)} (${(units / SECONDS).toFixed(2)} units) for ${(requests / SECONDS).toFixed(0)} requests`,
    other: '1 read',
    ratio: gets / SECONDS,
    bound,
  };
}

async function checkpointOf(day: UtcDay): Promise<object> {
  let item: object = {};
  const commit: Table['commit'] = async ([write]) => {
    if (write && 'put' in write) item = write.put;
    return true;
  };
  const hash = `0x${'ab'.repeat(32)}`;
  const fees = { ...NO_FEES, execution: 358_558_440_870_590_355_682n };
  const totals = { ...NO_TOTALS, blocks: 7_200, transactions: 1_200_000, fees };
  const progress = {
    ...startDayProgress(day, { number: 1, hash }),
    first: { number: 2, hash },
    last: { number: 7_201, hash },
    totals,
    hours: Array.from({ length: 24 }, () => totals),
    feeCounts: new Map(Array.from({ length: 300 }, (_, index) => [700 + index, 4_000])),
  };
  const final = { progress, finality: reportedBy([]), evidence: 'proven', headTime: 0 } as const;
  const store = chainStore({ commit } as Table, 'ETHEREUM');
  await saveCheckpoint(store, { day, sequence: 0 }, { progress, anchored: progress, final });
  return item;
}

async function coldRow(): Promise<Ratio> {
  const { config, takeCost } = openCannedTable();
  await queryHandler(days, createQueryTable('metrics', config))(eventFrom(addDays(LAST_DAY, -29)), context);
  const cold = takeCost();
  return {
    what: 'Queries of a cold function, 30 days',
    ours: `${cold.queries} (${cold.units} units with coverage)`,
    other: '1',
    ratio: cold.queries,
    bound: { atMost: 1 },
  };
}
