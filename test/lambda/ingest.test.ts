import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { type Chain, chainOf } from '../../lambda/chains/chains.ts';
import { NO_TOTALS } from '../../lambda/chains/totals.ts';
import { dayOf } from '../../lambda/chains/utc-day.ts';
import { environment } from '../../lambda/environment.ts';
import { firstRestatement } from '../../lambda/store/checkpoints.ts';
import { putDay, queryDays } from '../../lambda/store/days.ts';
import { embeddedCredentials } from '../../local/embedded-table.ts';
import { hashOf, provenance } from '../support/builders.ts';
import { type Answer, type Call, startJsonRpcServer } from '../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../support/sample-chain.ts';
import { useTable } from '../support/table.ts';

const table = useTable();
const context = { getRemainingTimeInMillis: () => 300_000 } as Context;

/** The handler as Lambda loads it. Its chain's public endpoints lead to the given one. */
async function run(event: unknown, url: string) {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    [environment.tableName]: table().name,
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
  });
  const toNode = jest.spyOn(globalThis, 'fetch').mockImplementation((_, init) => realFetch(url, init));
  try {
    const { handler } = await import('../../lambda/ingest.ts');
    return await handler(event, context);
  } finally {
    toNode.mockRestore();
  }
}
const realFetch = globalThis.fetch;

const environmentBefore = { ...process.env };
const info = jest.spyOn(console, 'info').mockImplementation(() => {});
const error = jest.spyOn(console, 'error').mockImplementation(() => {});
/** Where the metrics go. */
const log = jest.spyOn(console, 'log').mockImplementation(() => {});

beforeEach(() => {
  jest.resetModules();
  for (const spy of [info, error, log]) spy.mockClear();
});
afterAll(() => {
  jest.restoreAllMocks();
  process.env = environmentBefore;
});

const DAY = '2026-11-18';
const start = Date.parse('2026-11-18T00:00:00Z') / 1000;
const blocks = sampleChain([start, start + 10, start + 90_000]);
const answerWell = answerFrom(blocks, { chainId: 56 });
const scheduled = { chain: 'BSC', start_date: DAY };

const hosts = (chain: Chain) => chain.publicEndpoints.map((url) => new URL(url).host);

test('a scheduled event ingests its chain and logs what the run did, as one object', async () => {
  await using node = await startJsonRpcServer(answerWell);
  await run(scheduled, node.url);
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
      }),
    ],
  ]);
  expect(error).not.toHaveBeenCalled();
  expect(await queryDays(table(), 'BSC', DAY, DAY)).toHaveLength(1);
});

test('what it did is also told as metrics', async () => {
  await using node = await startJsonRpcServer(answerWell);
  await run(scheduled, node.url);
  const [line] = log.mock.calls.map(([text]) => JSON.parse(text));
  expect(line).toMatchObject({ chain: 'BSC', DaysCompleted: 1, Blocks: 3, FailedRuns: 0 });
});

/** Endpoints that fail so are not waited for. */
const headers = { 'retry-after': '3600' };
const pruned = (call: Call): Answer =>
  call.params[0] === '0x1'
    ? { status: 500, body: '{"error":{"code":-32000,"message":"pruned"}}', headers }
    : answerWell(call);

describe('a run that could not go on', () => {
  test('fails, with the reason of every endpoint', async () => {
    await using node = await startJsonRpcServer(() => ({ status: 503, body: '', headers }));
    const failed = run(scheduled, node.url);
    await expect(failed).rejects.toThrow(/^BSC: no endpoint gave a valid answer/);
    for (const host of hosts(chainOf('BSC'))) await expect(failed).rejects.toThrow(`${host}: `);
  });

  test('logs what it did, as one object, as an error and as a metric', async () => {
    await using node = await startJsonRpcServer(pruned);
    await expect(run(scheduled, node.url)).rejects.toThrow('error -32000, pruned');
    expect(error.mock.calls).toEqual([
      [
        expect.objectContaining({
          chain: 'BSC',
          outcome: 'failed',
          days: [],
          reason: expect.stringContaining('error -32000, pruned'),
          faults: Object.fromEntries(
            hosts(chainOf('BSC')).map((host) => [host, { 'RPC error': expect.any(Number) }]),
          ),
        }),
      ],
    ]);
    expect(info).not.toHaveBeenCalled();
    const lines = log.mock.calls.map(([text]) => JSON.parse(text));
    expect(lines[0]).toMatchObject({ chain: 'BSC', FailedRuns: 1 });
    expect(lines.slice(1).map(({ endpoint, kind }) => [endpoint, kind])).toEqual(
      hosts(chainOf('BSC')).map((host) => [host, 'RPC error']),
    );
  });
});

test('what was learned of the endpoints is kept for the next run', async () => {
  await using node = await startJsonRpcServer(answerWell);
  await run(scheduled, node.url);
  await run(scheduled, node.url);
  const asked = node.calls.filter(({ method }) => method === 'eth_chainId');
  expect(asked).toHaveLength(chainOf('BSC').publicEndpoints.length);
});

test('with confirmations the finalized block is not asked for by its tag', async () => {
  await using node = await startJsonRpcServer((call) =>
    answerWell(call.params[0] === 'latest' ? { ...call, params: ['0x2'] } : call),
  );
  await run({ ...scheduled, confirmations: 1 }, node.url);
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ head: 1, days: [] }));
  expect(node.calls.flatMap(({ params }) => params)).not.toContain('finalized');
});

test('a run without time does nothing but say so', async () => {
  await using node = await startJsonRpcServer(answerWell);
  const late = jest.spyOn(context, 'getRemainingTimeInMillis').mockReturnValue(14_000);
  await run(scheduled, node.url).finally(() => late.mockRestore());
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ outcome: 'out of time', days: [] }));
});

const restate = { date: DAY, reason: 'a node lied', requested_at: '2026-11-25T08:00:00Z' };

describe('an event that asks for a final day to be restated', () => {
  const itemOf = async (date: string) => {
    const get = new GetCommand({ TableName: table().name, Key: { chain: 'BSC', date } });
    return (await table().client.send(get)).Item;
  };

  beforeEach(() =>
    putDay(
      table(),
      'BSC',
      {
        day: DAY,
        totals: { ...NO_TOTALS, transactions: 77 },
        first: { number: 0, hash: hashOf('sample 0') },
        last: { number: 1, hash: hashOf('sample 1') },
        definitionVersion: 1,
      },
      provenance(),
    ),
  );

  test('has it read again, and says both that it was asked and what was done', async () => {
    await using node = await startJsonRpcServer(answerWell);
    await run({ ...scheduled, restate }, node.url);
    expect(info.mock.calls).toEqual([
      [{ chain: 'BSC', restatement: 'requested', ...restate }],
      [expect.objectContaining({ outcome: 'up to date', restated: [DAY] })],
    ]);
    expect(await itemOf(DAY)).toMatchObject({
      revision: 2n,
      transaction_count: 1n,
      endpoint_hosts: [expect.any(String)],
      restated: [{ transaction_count: 77n, reason: 'a node lied', requested_at: '2026-11-25T08:00:00Z' }],
    });
  });

  test('is harmless when it comes twice, while that is under way and after', async () => {
    await using bad = await startJsonRpcServer(pruned);
    await expect(run({ ...scheduled, restate }, bad.url)).rejects.toThrow('pruned');
    expect(await firstRestatement(table(), 'BSC')).toMatchObject({ day: DAY });
    jest.resetModules();
    await using node = await startJsonRpcServer(answerWell);
    await run({ ...scheduled, restate }, node.url);
    await run({ ...scheduled, restate }, node.url);
    expect(info.mock.calls.filter(([{ restatement }]) => restatement)).toEqual([
      [{ chain: 'BSC', restatement: 'requested', ...restate }],
      [{ chain: 'BSC', restatement: 'under way already', ...restate }],
      [{ chain: 'BSC', restatement: 'requested', ...restate }],
    ]);
    expect(await itemOf(DAY)).toMatchObject({ revision: 2n });
    expect(await firstRestatement(table(), 'BSC')).toBeUndefined();
  });
});

test.each([
  [{ chain: 'SOLANA', start_date: DAY }],
  [{ chain: 'BSC' }],
  [{ chain: 'BSC', start_date: '2026-02-30' }],
  [{ ...scheduled, confirmations: 0 }],
  [{ ...scheduled, confirmations: 1.5 }],
  [{ ...scheduled, restate: { ...restate, date: 'yesterday' } }],
  [{ ...scheduled, restate: { ...restate, reason: '' } }],
  [{ ...scheduled, restate: { ...restate, requested_at: '2026-11-25' } }],
  [{ ...scheduled, restate: { date: DAY } }],
  [null],
])('the event %p is refused', async (event) => {
  await using node = await startJsonRpcServer(answerWell);
  await expect(run(event, node.url)).rejects.toThrow();
  expect(node.calls).toEqual([]);
  expect(await firstRestatement(table(), 'BSC')).toBeUndefined();
});
