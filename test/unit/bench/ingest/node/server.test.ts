import * as z from 'zod';
import { sample } from '#bench/ingest/node/block.ts';
import { cannedChain, HEAD } from '#bench/ingest/node/chain.ts';
import { cannedServer } from '#bench/ingest/node/server.ts';
import { createIngest } from '#bench/ingest/readers/ours.ts';
import { type ChainName, chainNames, chainOf } from '#core/chains/chains.ts';
import type { Rules } from '#core/chains/rule-types.ts';
import { addTotals, NO_TOTALS } from '#core/figures/totals.ts';
import { serve } from '#test/support/servers/serve.ts';

const TRANSACTIONS = 40;

const startNode = async (chain: ChainName, isRaw = false, perSecond?: number) =>
  serve(
    cannedServer(await cannedChain(chainOf(chain), TRANSACTIONS), {
      ...{ latencyMs: 0, atOnce: 8, isRaw, perSecond },
    }),
  );

async function post<T>(url: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return schema.parse(await response.json());
}

/** Number per block. */
const protocolTransactions: Record<Rules['family'], number> = {
  ethereum: 0,
  arbitrum: 1,
  bsc: 1,
  'op-stack': 1,
  polygon: 0,
};

const nodes = chainNames.flatMap((name) => [
  { name, isRaw: false },
  { name, isRaw: true },
]);

test.each(nodes)('proves the canned blocks of $name, with RLP: $isRaw', async ({ name, isRaw }) => {
  await using node = await startNode(name, isRaw);
  const chain = chainOf(name);
  let totals = NO_TOTALS;
  for await (const block of createIngest(chain, [node.url])(3)) {
    expect(block.isProven).toBe(true);
    totals = addTotals(totals, block.totals);
  }
  expect(totals).toMatchObject({
    blocks: 3,
    transactions: 3 * TRANSACTIONS,
    protocolTransactions: 3 * protocolTransactions[chain.rules.family],
  });
  expect(totals.fees.execution).toBeGreaterThan(0n);
});

test('refuses calls above its rate with HTTP 429', async () => {
  await using node = await startNode('ETHEREUM', false, 0.001);
  const body = JSON.stringify({ id: 1, method: 'eth_chainId', params: [] });
  expect((await fetch(node.url, { method: 'POST', body })).status).toBe(429);
});

test('serves the roots of the real block with its number of transactions', async () => {
  const { transactions, transactionsRoot, receiptsRoot } = sample.block;
  const chain = await cannedChain(chainOf('ETHEREUM'), transactions.length);
  expect(JSON.parse(chain.block(HEAD, 'full').toString())).toMatchObject({ transactionsRoot, receiptsRoot });
});

test('returns the same receipt by hash as within its block', async () => {
  await using node = await startNode('ETHEREUM');
  const receipt = z.looseObject({ transactionHash: z.string() });
  const block = { id: 1, method: 'eth_getBlockReceipts', params: [`0x${HEAD.toString(16)}`] };
  const { result } = await post(node.url, block, z.object({ result: z.array(receipt) }));
  const batch = result.map(({ transactionHash }, id) => ({
    id,
    method: 'eth_getTransactionReceipt',
    params: [transactionHash],
  }));
  const responses = await post(node.url, batch, z.array(z.object({ id: z.number(), result: receipt })));
  expect(responses).toEqual(result.map((one, id) => ({ id, result: one })));
});
