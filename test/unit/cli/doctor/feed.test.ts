import { checkFeed, describeFeed } from '#cli/doctor/feed.ts';
import {
  AGGREGATOR,
  feedChain,
  feedNode,
  feedOf,
  feedScenes,
  steadyFeed,
} from '#test/support/generators/feed-scene.ts';
import { serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';

const NOW = 1_800_000_000;
const [scene] = feedScenes;
const word = (value: bigint | number) => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');
const round = (answer: bigint, age: number) => `0x${[7n, answer, 0, NOW - age, 7n].map(word).join('')}`;

/** Nodes whose feed answers with a round. */
async function check(latest: string, offers = [{ proofs: true, isArchive: false }]) {
  if (!scene) throw new Error('no scene');
  const chain = await feedChain(scene, steadyFeed());
  const answers = await Promise.all(
    offers.map(async (offer): Promise<NodeAnswer> => {
      const answer = await feedNode(chain, 9, offer);
      return (call) =>
        call.method === 'eth_call' && (call.params[0] as { to: string }).to === AGGREGATOR
          ? { result: latest }
          : answer(call);
    }),
  );
  using hosts = serveAnswers(answers, { chain: scene.chain });
  const report = await checkFeed(hosts, feedOf(scene.chain), NOW);
  return { report, text: describeFeed(report, NOW) };
}

test('names the aggregator that the state of the latest block proves, with its last price and the age of it', async () => {
  const { report, text } = await check(round(302_108_000_000n, 90));
  expect(report).toEqual({
    pair: 'ETH/USD',
    aggregator: AGGREGATOR,
    evidence: 'proven',
    price: '3021.08',
    updated_at: NOW - 90,
  });
  expect(text).toBe(`Price of ETH/USD, 3021.08, 1m 30s ago, recorded by ${AGGREGATOR}.`);
});

test('says when only two hosts name the aggregator', async () => {
  const none = { proofs: false, isArchive: false };
  const { text } = await check(round(302_108_000_000n, 90), [none, none]);
  expect(text).toBe(`Price of ETH/USD, 3021.08, 1m 30s ago, recorded by ${AGGREGATOR}, as two hosts say.`);
});

test.each([
  ['an old price', round(302_108_000_000n, 90_000), 'it is older than 6h'],
  ['a price of 0', round(0n, 90), 'it is not above 0'],
  ['a contract that is no feed', '0x', 'has no latestRoundData()'],
])('says that days will have no dollars because of %s', async (_, latest, problem) => {
  const { text } = await check(latest);
  expect(text).toContain('Days will have no dollars: ');
  expect(text).toContain(problem);
});

test('says why no aggregator is known', async () => {
  const { text } = await check(round(1n, 1), [{ proofs: false, isArchive: false }]);
  expect(text).toMatch(/^Price of ETH\/USD\. Days will have no dollars: .*fewer than 2 hosts agree/);
});

test('says that the feed names no aggregator', async () => {
  if (!scene) throw new Error('no scene');
  const answer = await feedNode(await feedChain(scene, steadyFeed()), 9, { proofs: false, isArchive: false });
  const nameless: NodeAnswer = (call) => (call.method === 'eth_call' ? { result: '0x' } : answer(call));
  using hosts = serveAnswers([nameless, nameless], { chain: scene.chain });
  expect(await checkFeed(hosts, feedOf(scene.chain), NOW)).toEqual({
    pair: 'ETH/USD',
    problem: 'the feed names no aggregator at block 9',
  });
});
