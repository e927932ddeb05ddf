import type { Context } from 'aws-lambda';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { dayOf } from '#core/figures/calendar.ts';
import type { RunReport } from '#core/ingest/report.ts';
import { getLag, TABLE_FORMAT } from '#core/store/chain/coverage.ts';
import { listRestatements } from '#core/store/days/checkpoints.ts';
import { queryDays } from '#core/store/days/days.ts';
import { environment } from '#lambda/environment.ts';
import { embeddedCredentials } from '#local/embedded-table.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer, UNAVAILABLE } from '#test/support/nodes/json-rpc-server.ts';
import {
  ACCEPTED,
  type AwsEndpoint,
  type AwsResponse,
  parameter,
  startAwsEndpoint,
} from '#test/support/servers/aws-endpoint.ts';
import { leadAllTo } from '#test/support/servers/in-process-dispatch.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('BSC');
const STACK = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Test/1';
const context = { getRemainingTimeInMillis: () => 300_000 } as Context;

let bus: AwsEndpoint;
beforeAll(async () => {
  bus = await startAwsEndpoint(() => ACCEPTED);
});
afterAll(() => bus[Symbol.asyncDispose]());

/** Loads the handler as Lambda does, with one endpoint for its chain. */
async function run(event: unknown, url: string, given: Record<string, string> = {}) {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    [environment.stackId]: STACK,
    [environment.tableName]: table().name,
    [environment.metricsNamespace]: 'ChainInsights/test',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
    ...given,
  });
  using _nodes = leadAllTo(url);
  const { handler } = await import('#lambda/ingest.ts');
  return (await handler(event, context)) as RunReport;
}

const info = jest.spyOn(console, 'info').mockImplementation(() => {});
const error = jest.spyOn(console, 'error').mockImplementation(() => {});
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
const log = jest.spyOn(console, 'log').mockImplementation(() => {});

beforeEach(() => {
  jest.resetModules();
  for (const spy of [info, error, warn, log]) spy.mockClear();
});

const DAY = '2026-11-18';
const start = Date.parse('2026-11-18T00:00:00Z') / 1000;
const blocks = sampleChain([start, start + 10, start + 90_000]);
const answerWell = answerFrom(blocks, { chainId: 56 });
const scheduled = { job: 'ingest', chain: 'BSC', startDate: DAY };

const hosts = (chain: Chain) => chain.publicEndpoints.map((url) => new URL(url).host);
const metricLines = () => log.mock.calls.map(([text]) => JSON.parse(text));
const secondsSince = (day: string) => Math.round((Date.now() - Date.parse(day)) / 1_000);

test('a scheduled event ingests its chain, logs and returns one report with its metrics, and sends the event of the day', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const before = bus.requests.length;
  const report = await run(scheduled, node.url);
  expect(info.mock.calls).toEqual([[report]]);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  expect(info.mock.calls).toEqual([
    [
      expect.objectContaining({
        chain: 'BSC',
        outcome: 'up to date',
        days: [dayOf(start)],
        restated: [],
        blocks: 3,
        head: 2,
        faults: {},
        dataAgeSeconds: expect.closeTo(secondsSince('2026-11-19'), -2),
      }),
    ],
  ]);
  expect(error).not.toHaveBeenCalled();
  expect(await queryDays(store(), DAY, DAY)).toHaveLength(1);
  const lag = await getLag(store());
  expect(lag?.seconds_behind).toBe(report.lagSeconds);
  expect(Date.parse(lag?.seen_at ?? '')).toBeCloseTo(Date.now(), -4);
  expect(metricLines()).toMatchObject([
    { chain: 'BSC', Lateness: expect.any(Number) },
    { service: 'ingest', Lateness: expect.any(Number) },
    { service: 'ingest', OpenConflicts: 0 },
  ]);
  expect(report).not.toHaveProperty('unsentEvents');
  const bodies = bus.requests.slice(before).map(({ input }) => input);
  expect(bodies).toEqual([
    {
      Entries: [
        {
          Source: 'chain-insights',
          DetailType: 'Day Final',
          Detail: expect.stringMatching(/^\{"chain":"BSC","date":"2026-11-18","transaction_count":/),
          Resources: [STACK],
        },
      ],
    },
  ]);
});

/** A failure without a cooldown to wait for. */
const headers = { 'retry-after': '3600' };
const pruned: NodeAnswer = (call) =>
  call.params[0] === '0x1'
    ? { status: 500, body: '{"error":{"code":-32000,"message":"pruned"}}', headers }
    : answerWell(call);

test('a failed run returns its report, logs it as an error and publishes it', async () => {
  await using node = await startJsonRpcServer(pruned);
  const report = await run(scheduled, node.url);
  expect(report).toMatchObject({
    chain: 'BSC',
    outcome: 'failed',
    days: [],
    reason: expect.stringContaining('error -32000, pruned'),
    faults: Object.fromEntries(hosts(chainOf('BSC')).map((host) => [host, { down: expect.any(Number) }])),
    dataAgeSeconds: expect.closeTo(0, -2),
  });
  expect(error.mock.calls).toEqual([[report]]);
  expect(metricLines()[0]).toMatchObject({ chain: 'BSC', Lateness: expect.any(Number) });
  expect(info.mock.calls).toEqual(
    hosts(chainOf('BSC')).map((endpoint) => [
      { chain: 'BSC', endpoint, kind: 'down', faultCount: expect.any(Number) },
    ]),
  );
});

test('an unexpected error is thrown without a metric', async () => {
  await using node = await startJsonRpcServer(answerWell);
  await table().putIf({ chain: 'BSC', date: 'coverage', format: TABLE_FORMAT, from_day: 7 });
  await expect(run(scheduled, node.url)).rejects.toThrow('The item BSC coverage cannot be read');
  expect(metricLines()).toEqual([]);
  expect(info).not.toHaveBeenCalled();
});

const NAME = '/chain-insights/endpoints/BSC';
const parameterised = { ...scheduled, endpointsParameter: NAME };
const secure = (value: string) => parameter('SecureString', value);
const at = ({ url }: AwsEndpoint) => ({ AWS_ENDPOINT_URL_SSM: url });
const KEY = 'abcdef0123456789';

test.each<[string, AwsResponse, string]>([
  ['is missing', { error: 'ParameterNotFound' }, 'does not exist in this account'],
  ['has an invalid URL', secure(KEY), 'entry 1 of 1 is not an https URL'],
])('a parameter that %s fails the run without a call, and says what to do', async (_, told, reason) => {
  await using parameters = await startAwsEndpoint(() => told);
  await using node = await startJsonRpcServer(answerWell);
  const report = await run(parameterised, node.url, at(parameters));
  expect(report).toEqual({
    chain: 'BSC',
    outcome: 'failed',
    days: [],
    restated: [],
    blocks: 0,
    seconds: expect.any(Number),
    blocksPerSecond: 0,
    faults: {},
    openConflicts: 0,
    reason: expect.stringContaining(reason),
  });
  expect(report.reason).toContain(`The parameter ${NAME} `);
  expect(JSON.stringify([report, error.mock.calls, warn.mock.calls])).not.toContain(KEY);
  expect(error.mock.calls).toEqual([[report]]);
  expect(metricLines()).toMatchObject([{ OpenConflicts: 0 }]);
  expect(node.calls).toEqual([]);
});

describe('an event for one day', () => {
  const oneDay = { ...scheduled, job: 'ingest day', startDate: '2026-11-20', date: DAY };

  test('publishes no metric of the schedule', async () => {
    await using node = await startJsonRpcServer(answerWell);
    expect(await run(oneDay, node.url)).not.toHaveProperty('dataAgeSeconds');
    await using away = await startJsonRpcServer(() => UNAVAILABLE);
    jest.resetModules();
    const failed = await run({ ...oneDay, date: '2026-11-19' }, away.url);
    expect(failed).toMatchObject({ outcome: 'failed', final: false });
    for (const line of metricLines()) {
      for (const name of ['Lateness', 'OpenConflicts']) expect(line).not.toHaveProperty(name);
    }
  });

  test('fails before the first day of the chain, and publishes no age', async () => {
    await using node = await startJsonRpcServer(answerWell);
    expect(await run({ ...oneDay, date: '2026-11-17' }, node.url)).toMatchObject({
      outcome: 'failed',
      reason: 'BSC has no blocks before 2026-11-18, the day of its first block.',
    });
    await expect(run({ ...oneDay, date: 'yesterday' }, node.url)).rejects.toThrow();
    for (const line of metricLines()) expect(line).not.toHaveProperty('Lateness');
  });
});

test('the evidence of an event decides whether blocks must be proven', async () => {
  const lacking: NodeAnswer = (call) => {
    const answer = answerWell(call);
    return call.method === 'eth_getBlockByNumber' && 'result' in answer
      ? { result: { ...(answer.result as object), mixHash: undefined } }
      : answer;
  };
  await using node = await startJsonRpcServer(lacking);
  const strict = await run(scheduled, node.url);
  expect(strict).toMatchObject({ outcome: 'failed', days: [] });
  expect(strict.notProven?.[0]).toMatch(/: BSC block \d+: mixHash: the node left it out$/);
  jest.resetModules();
  expect(await run({ ...scheduled, evidence: 'checked' }, node.url)).toMatchObject({ days: [DAY] });
  expect(await getStoredDay(store(), DAY)).toMatchObject({ evidence: 'checked', proven_blocks: 0 });
});

test('refuses an event of another form without a call', async () => {
  await using node = await startJsonRpcServer(answerWell);
  for (const event of [
    { ...scheduled, chain: 'SOLANA' },
    { job: 'ingest', startDate: DAY },
    { chain: 'BSC' },
    { ...scheduled, job: 'delete' },
    { ...scheduled, confirmations: 0 },
    { ...scheduled, date: DAY },
    { ...scheduled, job: 'ingest day' },
    { ...scheduled, endpointsParameter: '' },
    null,
    { job: 'ingest', chain: 'ETHEREUM', beacon: { network: { genesisTime: 0 } } },
  ])
    await expect(run(event, node.url)).rejects.toThrow();
  expect(node.calls).toEqual([]);
  expect((await listRestatements(store()))[0]).toBeUndefined();
});
