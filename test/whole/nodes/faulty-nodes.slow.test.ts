import { setTimeout as sleep } from 'node:timers/promises';
import { chainOf } from '#core/chains/chains.ts';
import { coinAmount } from '#core/figures/amounts.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { createFolder } from '#test/support/folders.ts';
import { randomFrom } from '#test/support/generators/random.ts';
import { type RandomChain, randomChain } from '#test/support/generators/random-chain.ts';
import { consistentKinds } from '#test/support/nodes/faults.ts';
import { type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { misbehavingNode } from '#test/support/nodes/misbehaving-node.ts';
import { requestService, startServiceProcess } from '#test/support/processes/service-process.ts';

/* npm start with misbehaving nodes over real connections, killed twice. Every figure that the API serves is exact. */

const FIRST_DAY = '2026-11-01';
const DAYS = 6;
const RANGE = { start_date: FIRST_DAY, end_date: '2026-11-20' };

/** Families whose real rules have no fork within the random chains, so that the service can read those. */
const families = ['ethereum', 'bsc'] as const;
let worlds: readonly RandomChain[] = [];
beforeAll(async () => {
  const span = { firstDay: FIRST_DAY, days: DAYS, keepsRules: true };
  worlds = await Promise.all(families.map((family, seed) => randomChain(family, randomFrom(seed), span)));
});

/** The first one lies, also about the final block, so two others must agree on it. */
const startNodes = (world: RandomChain) =>
  Promise.all(
    ['a', 'b', 'c'].map((name, seed) =>
      startJsonRpcServer(
        misbehavingNode({
          world,
          seed,
          name,
          // Hanging requests and rate limits take 30 s each; the simulation covers them. A lie about a block stays.
          rateOf: (kind) =>
            kind === 'hang' || kind === 'http-429' || (seed > 0 && consistentKinds.has(kind)) ? 0 : 0.01,
          finalizedAt: () => world.blocks.length - 1,
        }).answer,
      ),
    ),
  );

interface Figures {
  readonly counts: readonly { date: string; transaction_count: number }[];
  readonly fees: readonly { date: string; fees: string }[];
}

async function ask(url: string, chain: string): Promise<Figures> {
  const query = { chain, ...RANGE };
  const counts = await requestService<Figures['counts']>(url, 'transaction_count', query);
  return { counts, fees: await requestService(url, 'fees', query) };
}

/** Checks that the API serves expected days and nothing else. Returns their number. */
async function checkVisible(url: string, { chain, expected }: RandomChain): Promise<number> {
  const { counts, fees } = await ask(url, chain.name);
  // The newest day becomes final before older ones, and a day may become final between the two requests.
  const daysOf = (rows: readonly { readonly date: string }[]) =>
    [...expected].filter(([day]) => rows.some(({ date }) => date === day));
  expect(counts).toEqual(
    daysOf(counts).map(([date, { transactions }]) => ({ date, transaction_count: transactions })),
  );
  expect(fees).toEqual(daysOf(fees).map(([date, day]) => ({ date, fees: coinAmount(totalFees(day.fees)) })));
  return fees.length;
}

test('serves exact figures at every moment, with faulty nodes and two kills', async () => {
  const nodes = await Promise.all(worlds.map(startNodes));
  const urls = (servers: readonly JsonRpcServer[]) => servers.map(({ url }) => url).join(',');
  const environment = {
    ...Object.fromEntries(
      worlds.map(({ chain }, index) => [`RPC_URLS_${chain.name}`, urls(nodes[index] ?? [])]),
    ),
    INGEST_START_DATE: FIRST_DAY,
    INGEST_EVERY_SECONDS: '0.2',
    DATA_DIR: createFolder(),
  };
  let url = '';
  const visible = async () => {
    const counts = await Promise.all(worlds.map((world) => checkVisible(url, world)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const all = DAYS * worlds.length;
  let polls = 0;
  for (const share of [1 / 4, 1 / 2, 1]) {
    using service = startServiceProcess(environment);
    url = await service.ready();
    while ((await visible()) < all * share) {
      polls += 1;
      await sleep(50);
    }
    if (share === 1) expect(await visible()).toBe(all);
    service.child.kill('SIGKILL');
    await service.exit;
  }
  expect(polls).toBeGreaterThan(0);
  expect(nodes.flat().flatMap(({ calls }) => calls).length).toBeGreaterThan(100);
  await Promise.all(nodes.flat().map((node) => node[Symbol.asyncDispose]()));
}, 180_000);

test('uses random chains with the rules of the real ones', () => {
  expect(worlds.map(({ chain }) => chain.rules)).toEqual(
    worlds.map(({ chain }) => chainOf(chain.name as 'BSC').rules),
  );
});
