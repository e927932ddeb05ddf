import { addDays } from '#core/figures/calendar.ts';
import { withExtraBlocks } from '#test/simulation/stories.ts';
import { randomFrom } from '#test/support/generators/random.ts';
import { type RandomChain, randomChain } from '#test/support/generators/random-chain.ts';
import { type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { misbehavingNode } from '#test/support/nodes/misbehaving-node.ts';
import { requestService, startServiceProcess } from '#test/support/processes/service-process.ts';

/* npm start with a node of another chain: valid blocks that nobody mined, before a midnight, so that its numbers run ahead. */

const FIRST_DAY = '2026-11-01';
const DAYS = 4;
const LAST_DAY = addDays(FIRST_DAY, DAYS - 1);

let world: RandomChain;
let nodes: { readonly forger: JsonRpcServer; readonly honest: readonly JsonRpcServer[] };
const nodeOf = (told: RandomChain, name: string) =>
  startJsonRpcServer(
    misbehavingNode({
      world: told,
      seed: 1,
      name,
      rateOf: () => 0,
      finalizedAt: () => told.blocks.length - 1,
    }).answer,
  );
beforeAll(async () => {
  world = await randomChain('ethereum', randomFrom(3), { firstDay: FIRST_DAY, days: DAYS, keepsRules: true });
  nodes = {
    forger: await nodeOf(withExtraBlocks(world, randomFrom(1), 40), 'forger'),
    honest: [await nodeOf(world, 'a'), await nodeOf(world, 'b')],
  };
});
afterAll(() => Promise.all([nodes.forger, ...nodes.honest].map((node) => node[Symbol.asyncDispose]())));

const start = (servers: readonly JsonRpcServer[]) =>
  startServiceProcess({
    RPC_URLS_ETHEREUM: servers.map(({ url }) => url).join(),
    INGEST_START_DATE: FIRST_DAY,
    INGEST_EVERY_SECONDS: '0.2',
  });

const countsOf = (url: string) =>
  requestService(url, 'transaction_count', { chain: 'ETHEREUM', start_date: FIRST_DAY, end_date: LAST_DAY });

test('serves the days that two honest nodes have, behind one of another chain', async () => {
  using service = start([nodes.forger, ...nodes.honest]);
  const url = await service.ready();
  await service.says(new RegExp(`ETHEREUM +final: .*${LAST_DAY}`));
  while (((await countsOf(url)) as unknown[]).length < DAYS);
  expect(await countsOf(url)).toEqual(
    [...world.expected].map(([date, { transactions }]) => ({ date, transaction_count: transactions })),
  );
}, 60_000);

test('serves nothing while one honest node and one of another chain disagree, and names both', async () => {
  const [honest] = nodes.honest as readonly [JsonRpcServer, JsonRpcServer];
  using service = start([nodes.forger, honest]);
  const url = await service.ready();
  for (const { host } of [nodes.forger, honest]) {
    await service.says(new RegExp(`ETHEREUM .*has no anchor.*${host} reports 0x[0-9a-f]{64}`));
  }
  expect(await countsOf(url)).toEqual([]);
}, 60_000);
