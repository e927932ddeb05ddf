import type { Context } from 'aws-lambda';
import { chainOf } from '../../lambda/chains/chains.ts';
import { dayOf } from '../../lambda/chains/utc-day.ts';
import { environment } from '../../lambda/environment.ts';
import { queryDays } from '../../lambda/store/days.ts';
import { embeddedCredentials } from '../../local/embedded-table.ts';
import { startJsonRpcServer } from '../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../support/sample-chain.ts';
import { useTable } from '../support/table.ts';

const table = useTable();
const context = { getRemainingTimeInMillis: () => 300_000 } as Context;

/** The handler as Lambda loads it. Its chain's public endpoints lead to the given one. */
async function run(event: unknown, url: string) {
  Object.assign(process.env, embeddedCredentials, {
    AWS_ENDPOINT_URL_DYNAMODB: table().endpoint,
    [environment.tableName]: table().name,
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

beforeEach(() => jest.resetModules());

const start = Date.parse('2026-11-18T00:00:00Z') / 1000;
const blocks = sampleChain([start, start + 10, start + 90_000]);

test('a scheduled event ingests its chain and logs what the run did, as one object', async () => {
  const logged = jest.spyOn(console, 'info').mockImplementation(() => {});
  await using node = await startJsonRpcServer(answerFrom(blocks, { chainId: 56 }));
  await run({ chain: 'BSC', start_date: '2026-11-18' }, node.url);
  expect(logged).toHaveBeenCalledWith({
    chain: 'BSC',
    outcome: 'up to date',
    days: [dayOf(start)],
    blocks: 3,
  });
  expect(await queryDays(table(), 'BSC', '2026-11-18', '2026-11-18')).toHaveLength(1);
  logged.mockRestore();
});

test('a run that could not go on fails, with the reason of every endpoint', async () => {
  await using node = await startJsonRpcServer(() => ({ status: 503, body: '' }));
  const failed = run({ chain: 'BSC', start_date: '2026-11-18' }, node.url);
  await expect(failed).rejects.toThrow(/"outcome":"failed".*"reason":"no endpoint gave a valid answer/);
  for (const url of chainOf('BSC').publicEndpoints) await expect(failed).rejects.toThrow(new URL(url).host);
});

test.each([
  [{ chain: 'SOLANA', start_date: '2026-11-18' }],
  [{ chain: 'BSC' }],
  [{ chain: 'BSC', start_date: '2026-02-30' }],
  [null],
])('the event %p is refused', async (event) => {
  await expect(run(event, 'http://127.0.0.1:1')).rejects.toThrow();
});
