import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { addDays } from '../../core/figures/calendar.ts';
import { mapPaidAttributes } from '../../core/figures/fee-parts.ts';
import { publicDayShape } from '../../core/rows/day-row.ts';
import { queryHandlers, type SeriesRoute, seriesRoutes } from '../../lambda/api/routes.ts';
import { environment } from '../../lambda/environment.ts';
import { bundleEntry, bundleFile } from '../../lib/bundle.ts';
import { proxyEventOf } from '../../local/proxy-event.ts';
import { LAST_DAY } from '../query/canned-table.ts';
import { median, type Ratio } from '../ratio.ts';
import { serveCannedTable } from './canned-endpoint.ts';
import { type Invoked, invokeBundle } from './invoke-bundle.ts';

const RUNS = 40;
const MAX_BYTES = 275_000;

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

function eventOf({ name, path }: SeriesRoute) {
  const start_date = addDays(LAST_DAY, 1 - daysOf(name));
  const query = new URLSearchParams({ chain: 'ETHEREUM', start_date, end_date: LAST_DAY });
  return proxyEventOf({
    method: 'GET',
    url: new URL(`https://api.example.com${path}?${query}`),
    headers: { accept: ['application/json'] },
    body: '',
    sourceIp: '192.0.2.1',
    requestId: 'bench',
  });
}

/** Measures the first response of a new instance of a query function, and the size of its bundle. */
export async function coldStartBench(): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  try {
    console.error('cold-start: bundling');
    const pathOf = (name: string) => join(folder, name, 'index.js');
    for (const handler of queryHandlers) bundleEntry(handler, join(folder, handler));
    bundleFile('bench/cold-start/baseline.ts', join(folder, 'baseline'));
    console.error(`cold-start: invoking each function and the baseline alternately, ${RUNS} times`);
    const rows: Ratio[] = [];
    for (const route of seriesRoutes) {
      rows.push(await timeRow(route, pathOf(route.handler), pathOf('baseline'), folder));
    }
    return [...rows, sizeRow(queryHandlers.map(pathOf))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function timeRow(route: SeriesRoute, ours: string, baseline: string, home: string): Promise<Ratio> {
  const { name, handler } = route;
  const event = eventOf(route);
  const runs = await measure(event, ours, baseline, home, ['date', ...attributes[name]]);
  if (name === 'transaction_count') checkSameBodies(runs);
  const medianOf = (of: 'ours' | 'baseline', time: 'cpuMs' | 'elapsedMs') =>
    median(runs.map((pair) => pair[of][time]));
  const format = (of: 'ours' | 'baseline') =>
    `${medianOf(of, 'cpuMs').toFixed(0)} ms (${medianOf(of, 'elapsedMs').toFixed(0)} elapsed)`;
  return {
    what: `CPU time of ${handler} from import to first response, ${pluralDays(daysOf(name))} of ${name}; baseline: SDK client and one query for the same attributes`,
    ours: format('ours'),
    other: format('baseline'),
    // CPU time does not depend on the load of this machine, and the function has only about half a vCPU.
    ratio: medianOf('ours', 'cpuMs') / medianOf('baseline', 'cpuMs'),
    bound: { atMost: bounds[name] ?? 1.2 },
  };
}

const pluralDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

type Run = Readonly<Record<'ours' | 'baseline', Invoked>>;

/** @throws Error when the two respond differently, because their times are then not comparable */
function checkSameBodies(runs: readonly Run[]): void {
  if (runs.every(({ ours, baseline }) => bodyOf(ours) === bodyOf(baseline))) return;
  throw new Error('The function and the baseline respond differently, so their times are not comparable.');
}

async function measure(
  event: object,
  ours: string,
  baseline: string,
  home: string,
  attributes: readonly string[],
): Promise<Run[]> {
  await using table = await serveCannedTable();
  const lambda = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'nothing',
    AWS_SESSION_TOKEN: 'none',
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    [environment.tableName]: 'metrics',
    [environment.startDates]: '{}',
    ATTRIBUTES: attributes.join(),
    HOME: home,
  };
  const runs: Run[] = [];
  // The first run warms up the table and is not counted.
  for (let run = 0; run <= RUNS; run++) {
    const pair = {
      ours: await invokeBundle(ours, event, lambda),
      baseline: await invokeBundle(baseline, event, lambda),
    };
    if (run > 0) runs.push(pair);
  }
  return runs;
}

const bodyOf = ({ response }: Invoked): string => z.object({ body: z.string() }).parse(response).body;

function sizeRow(bundles: readonly string[]): Ratio {
  const bytes = Math.max(...bundles.map((path) => statSync(path).size));
  return {
    what: 'Size of the largest query function’s bundle; baseline: limit',
    ours: `${(bytes / 1_000).toFixed(0)} KB`,
    other: `${MAX_BYTES / 1_000} KB`,
    ratio: bytes / MAX_BYTES,
    bound: { atMost: 1 },
  };
}
