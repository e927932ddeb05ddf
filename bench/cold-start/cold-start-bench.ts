import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Construct } from 'constructs';
import * as z from 'zod';
import { addDays } from '../../lambda/chains/utc-day.ts';
import { environment } from '../../lambda/environment.ts';
import { bundling } from '../../lib/service-function.ts';
import { proxyEventOf } from '../../local/proxy-event.ts';
import { bundlesIn } from '../../test/support/bundles.ts';
import { type Invoked, invokeBundle } from '../../test/support/invoke-bundle.ts';
import { LAST_DAY } from '../query/canned-table.ts';
import { median, type Ratio } from '../ratio.ts';
import { serveCannedTable } from './canned-endpoint.ts';

const RUNS = 40;
const MOST_BYTES = 250_000;

/** A request for 30 days. */
const query = { chain: 'ETHEREUM', start_date: addDays(LAST_DAY, -29), end_date: LAST_DAY };
const event = proxyEventOf({
  method: 'GET',
  url: new URL(`https://api.example.com/?${new URLSearchParams(query)}`),
  headers: { accept: ['application/json'] },
  body: '',
  sourceIp: '192.0.2.1',
  requestId: 'bench',
});

/** What a new instance of a query function takes for its first answer, and how large its bundle is. */
export async function coldStartBench(): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
  try {
    console.error('cold-start: bundled as for a deployment');
    const bundles = bundlesIn(folder, addFloor);
    const ours = pathOf(bundles, 'get-transaction-count');
    console.error(
      `cold-start: loaded and asked once, by turns with the floor, in ${RUNS} fresh processes each`,
    );
    return [
      await timeRow(ours, pathOf(bundles, 'floor'), folder),
      sizeRow([ours, pathOf(bundles, 'get-fees')]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The floor as one more function of the service, with the same options. */
function addFloor(stack: Stack): void {
  new NodejsFunction(new Construct(stack, 'floor'), 'Function', {
    entry: fileURLToPath(new URL('floor.ts', import.meta.url)),
    runtime: Runtime.NODEJS_24_X,
    bundling,
  });
}

function pathOf(bundles: ReadonlyMap<string, string>, name: string): string {
  const path = bundles.get(name);
  if (!path) throw new Error(`There is no function ${name} any more, only ${[...bundles.keys()].join(', ')}`);
  return path;
}

async function timeRow(ours: string, least: string, home: string): Promise<Ratio> {
  await using table = await serveCannedTable();
  const lambda = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'nothing',
    AWS_SESSION_TOKEN: 'none',
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: table.url,
    [environment.tableName]: 'metrics',
    HOME: home,
  };
  const runs: { ours: Invoked; least: Invoked }[] = [];
  // The first of each warms up the table, and is not counted.
  for (let run = 0; run <= RUNS; run++) {
    const pair = {
      ours: await invokeBundle(ours, event, lambda),
      least: await invokeBundle(least, event, lambda),
    };
    if (bodyOf(pair.ours) !== bodyOf(pair.least)) {
      throw new Error('They do not answer the same, so their times say nothing');
    }
    if (run > 0) runs.push(pair);
  }
  const medianOf = (of: 'ours' | 'least', time: 'processorMs' | 'waitedMs') =>
    median(runs.map((pair) => pair[of][time]));
  const shown = (of: 'ours' | 'least') =>
    `${medianOf(of, 'processorMs').toFixed(0)} ms (${medianOf(of, 'waitedMs').toFixed(0)} waited)`;
  return {
    what: 'Processor time from import to the first answer, 30 days, against the SDK’s client and one query alone',
    ours: shown('ours'),
    other: shown('least'),
    // In the time of processors, of which the function has half a one: it does not depend on how busy this machine is.
    ratio: medianOf('ours', 'processorMs') / medianOf('least', 'processorMs'),
    bound: { atMost: 1.2 },
  };
}

const bodyOf = ({ answer }: Invoked): string => z.object({ body: z.string() }).parse(answer).body;

function sizeRow(bundles: readonly string[]): Ratio {
  const bytes = Math.max(...bundles.map((path) => statSync(path).size));
  return {
    what: 'The larger of the two query functions’ bundles',
    ours: `${(bytes / 1_000).toFixed(0)} KB`,
    other: `${MOST_BYTES / 1_000} KB`,
    ratio: bytes / MOST_BYTES,
    bound: { atMost: 1 },
  };
}
