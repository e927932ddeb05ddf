import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { eventOf } from '#test/support/servers/api-event.ts';
import { startAwsEndpoint } from '#test/support/servers/aws-endpoint.ts';
import { addDays } from '../../core/figures/calendar.ts';
import { mapPaidAttributes } from '../../core/figures/fee-parts.ts';
import { publicDayShape } from '../../core/rows/day-row.ts';
import { queryHandlers, type SeriesRoute, seriesRoutes } from '../../lambda/api/routes.ts';
import { environment } from '../../lambda/environment.ts';
import { bundleEntry, bundleFile } from '../../lib/bundle.ts';
import { LAST_DAY, openCannedTable } from '../query/canned-table.ts';
import { median, type Ratio } from '../report.ts';
import { type Invoked, invokeBundle } from './bundle.ts';

const RUNS = 40;

/** The attributes that each series is made of. */
const attributes: Readonly<Record<SeriesRoute['name'], readonly string[]>> = {
  transaction_count: ['transaction_count'],
  fees: Object.keys(mapPaidAttributes(() => undefined)),
  days: Object.keys(publicDayShape),
  distribution: [],
};

/** A row of a day decodes 30 attributes with members. A distribution takes two queries more than its baseline, beside the schemas of days. */
const bounds: Readonly<Partial<Record<SeriesRoute['name'], number>>> = { days: 1.25, distribution: 1.7 };

/** Days of a request. Each day of a distribution has 300 rows. */
const daysOf = (name: SeriesRoute['name']): number => (name === 'distribution' ? 1 : 30);

function requestOf({ name, path }: SeriesRoute) {
  const start_date = addDays(LAST_DAY, 1 - daysOf(name));
  const query = new URLSearchParams({ chain: 'ETHEREUM', start_date, end_date: LAST_DAY });
  return eventOf(`${path}?${query}`, { headers: { accept: ['application/json'] } });
}

/** Measures the first response of a new instance of a query function. */
export async function coldStartBench(): Promise<Ratio[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'chain-insights-'));
  console.error('cold-start: bundling');
  for (const handler of queryHandlers) bundleEntry(handler, join(folder.path, handler));
  bundleFile('bench/cold-start/baseline.ts', join(folder.path, 'baseline'));
  console.error(`cold-start: invoking each function and the baseline alternately, ${RUNS} times`);
  const rows: Ratio[] = [];
  for (const route of seriesRoutes) rows.push(await timeRow(route, folder.path));
  return rows;
}

async function timeRow(route: SeriesRoute, folder: string): Promise<Ratio> {
  const { name, handler } = route;
  const runs = await measure(route, folder);
  checkBodies(runs, name === 'transaction_count');
  const medianOf = (of: 'ours' | 'baseline', time: 'cpuMs' | 'elapsedMs') =>
    median(runs.map((pair) => pair[of][time]));
  const format = (of: 'ours' | 'baseline') =>
    `${medianOf(of, 'cpuMs').toFixed(0)} ms (${medianOf(of, 'elapsedMs').toFixed(0)} elapsed)`;
  const days = daysOf(name);
  return {
    what: `CPU time of ${handler} from import to first response, ${days} day${days === 1 ? '' : 's'} of ${name}; baseline: SDK client and one query for the same attributes`,
    ours: format('ours'),
    other: format('baseline'),
    // CPU time does not depend on the load of this machine, and the function has only about half a vCPU.
    ratio: medianOf('ours', 'cpuMs') / medianOf('baseline', 'cpuMs'),
    bound: { atMost: bounds[name] ?? 1.2 },
  };
}

type Run = Readonly<Record<'ours' | 'baseline', Invoked>>;

/** @throws Error when a response lacks the days, or the two differ that should not, because their times are then not comparable */
function checkBodies(runs: readonly Run[], mustBeEqual: boolean): void {
  for (const { ours, baseline } of runs) {
    const bodies = [bodyOf(ours), bodyOf(baseline)];
    if (!bodies.every((body) => body.includes(LAST_DAY)))
      throw new Error('A response has no days, so its time means nothing.');
    if (mustBeEqual && bodies[0] !== bodies[1])
      throw new Error(
        'The function and the baseline respond differently, so their times are not comparable.',
      );
  }
}

async function measure(route: SeriesRoute, folder: string): Promise<Run[]> {
  const event = requestOf(route);
  const { answer } = openCannedTable();
  await using table = await startAwsEndpoint(({ operation, input }) => ({ body: answer(operation, input) }));
  const lambda = {
    ...table.environment,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    [environment.tableName]: 'metrics',
    [environment.startDates]: '{}',
    ATTRIBUTES: ['date', ...attributes[route.name]].join(),
    HOME: folder,
  };
  const invoke = (bundle: string) => invokeBundle(join(folder, bundle, 'index.js'), event, lambda);
  const runs: Run[] = [];
  // The first run warms up the table and is not counted.
  for (let run = 0; run <= RUNS; run++) {
    const pair = { ours: await invoke(route.handler), baseline: await invoke('baseline') };
    if (run > 0) runs.push(pair);
  }
  return runs;
}

const bodyOf = ({ value }: Invoked): string => z.object({ body: z.string() }).parse(value).body;
