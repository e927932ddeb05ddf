import type { ChildProcess } from 'node:child_process';
import { type ChainName, chainOf } from '#core/chains/chains.ts';
import { dollarsOfAmount } from '#core/figures/dollars.ts';
import { ingestChain } from '#core/ingest/run.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { listCheckedDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import { type DevelopmentChain, startDevelopmentChain } from '#local/development-chain.ts';
import { developmentFeed } from '#local/sample-transactions.ts';
import { rawDollars, rawFigures } from '#test/support/nodes/raw-node.ts';
import { KEY, useApi } from '#test/support/servers/service.ts';

/* Development nodes, ingest, embedded table and API together. The expected figures come from the nodes' raw responses. */

const FIRST_DAY = '2026-11-17';
const NOW = new Date('2026-11-20T09:00:00Z');
const days = ['2026-11-17', '2026-11-18', '2026-11-19'];

/** One chain for each way to pay for blobs and data of L1; `development-chain.slow.test.ts` proves the blocks of all families. */
const families = ['ETHEREUM', 'ARBITRUM', 'BASE'] as const;

const chains = new Map<ChainName, DevelopmentChain>();
const nodes: ChildProcess[] = [];
const guard = (child: ChildProcess) => nodes.push(child);
const { table, url } = useApi();

beforeAll(async () => {
  await Promise.all(
    families.map(async (name) => {
      const development = await startDevelopmentChain(
        chainOf(name),
        { firstDay: FIRST_DAY, quietDays: 1 },
        guard,
      );
      chains.set(name, development);
      await development.mineUntil(NOW);
    }),
  );
});

afterAll(() => {
  for (const node of nodes) node.kill();
});

async function ask(path: string, chain: string) {
  const response = await fetch(`${url()}/api/chain-insights/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ chain, start_date: FIRST_DAY, end_date: '2026-11-20' }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as {
    date: string;
    transaction_count: number;
    fees: string;
    fees_usd?: string;
  }[];
}

test.each(families)('the API serves the figures of %s that its nodes’ receipts add up to', async (name) => {
  const development = chains.get(name);
  if (!development) throw new Error(`The development chain of ${name} did not start.`);
  const { endpoint } = development;
  const { priceFeed, ...real } = chainOf(name);
  const chain = { ...real, ...(priceFeed && { priceFeed: developmentFeed(priceFeed) }) };
  const store = chainStore(table(), name);
  const report = await ingestChain({
    chain,
    store,
    upstreams: [createUpstream(endpoint)],
    from: FIRST_DAY,
    stopAt: Date.now() + 60_000,
  });
  // The newest complete day comes first.
  expect(report).toMatchObject({ outcome: 'up to date', days: days.toReversed() });
  expect(await listCheckedDays(store, FIRST_DAY)).toEqual([]);

  const expected = await rawFigures(endpoint.url, days);
  const counts = await ask('transaction_count', name);
  const fees = await ask('fees', name);
  expect(counts).toEqual(days.map((date) => ({ date, transaction_count: expected.get(date)?.count })));
  expect(fees.map(({ date }) => date)).toEqual(days);
  for (const { date, fees: amount } of fees) {
    const [whole = '', fraction = ''] = amount.split('.');
    expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe(expected.get(date)?.wei);
    expect(expected.get(date)?.wei).toBeGreaterThan(0n);
  }

  const dollars = await rawDollars(endpoint.url, report.head === undefined ? 0 : report.head - report.blocks);
  // Genesis has no feed, so that the first day has no dollars, nor a last price for the second one.
  const [first, second, ...others] = await ask('days', name);
  for (const day of [first, second]) expect(day).not.toHaveProperty('fees_usd');
  expect(others.map(({ fees_usd = '' }) => dollarsOfAmount(fees_usd))).toEqual(
    days.slice(2).map((day) => dollars.get(day)),
  );
});
