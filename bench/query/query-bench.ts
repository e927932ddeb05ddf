import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { createQueryTable } from '#core/store/table/client.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { addDays } from '../../core/figures/calendar.ts';
import { queryHandler } from '../../lambda/api/query-handler.ts';
import { days } from '../../lambda/api/series/days.ts';
import { fees } from '../../lambda/api/series/fees.ts';
import type { SeriesByInterval } from '../../lambda/api/series/series.ts';
import { transactionCount } from '../../lambda/api/series/transaction-count.ts';
import type { Ratio } from '../report.ts';
import { CANNED_FIRST_DAY, LAST_DAY, openCannedTable } from './canned-table.ts';

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
    await coldRow(),
  ];
}

async function warmRow(name: string, endpoint: SeriesByInterval): Promise<Ratio> {
  const { config, takeCost } = openCannedTable();
  const handler = queryHandler(endpoint, createQueryTable('metrics', config));
  const event = eventFrom(CANNED_FIRST_DAY);
  await handler(event, context);
  takeCost();
  const startedAt = Date.now();
  let requests = 0;
  for (; Date.now() < startedAt + 1_000 * SECONDS; requests++) {
    await handler(event, context);
    // Up to 100 requests per second.
    await wait(10);
  }
  const { units } = takeCost();
  return {
    what: `Read units per second of a warm function for ${name}, for any range and number of requests`,
    ours: `${(units / SECONDS).toFixed(2)} units for ${(requests / SECONDS).toFixed(0)} requests`,
    other: '1 unit',
    ratio: units / SECONDS,
    // Three seconds of the clock can touch four of the coverage cache.
    bound: { atMost: (SECONDS + 1) / SECONDS },
  };
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
