import { feedOfDay, readFeedOfToday } from '#core/days/feed-of-day.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getFeed, putFeed } from '#core/store/chain/feed-readings.ts';
import { chainStore } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import {
  AGGREGATOR,
  type FeedChain,
  FIRST_OF_DAY,
  feedChain,
  feedDay,
  feedNode,
  feedScenes,
  OTHER_AGGREGATOR,
  steadyFeed,
} from '#test/support/generators/chains/feed-scene.ts';
import { refAt } from '#test/support/generators/chains/sample-chain.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();
const store = () => chainStore(table(), 'ETHEREUM');
const HEAD = FIRST_OF_DAY(2);
const reading = { number: HEAD, hash: '0x1', aggregator: OTHER_AGGREGATOR, evidence: 'proven' } as const;

let chain: FeedChain;
beforeAll(async () => {
  chain = await feedChain(feedScenes[0] as (typeof feedScenes)[number], steadyFeed());
});

/** A run at a time, from a node that may keep the state of the past, and perhaps a liar before it. */
async function runAt(
  seconds: number,
  { liar, ...given }: { isArchive?: boolean; proofs?: boolean; liar?: NodeAnswer } = {},
) {
  const answer = await feedNode(chain, HEAD, { isArchive: false, proofs: true, ...given });
  const context = requestContextWith({ clock: fastClock(1_000, seconds * 1_000) });
  const hosts = serveAnswers([...(liar ? [liar] : []), answer], { chain: chain.scene.chain, context });
  const anchor = { ...refAt(chain.blocks, HEAD), parentHash: '0x', timestamp: seconds, hosts: [] };
  return { run: dayRunOf(hosts, anchor, table()), hosts };
}

const timeOf = (number: number) => Number(chain.blocks[number]?.header.timestamp);

test('the reading of a day is of a block of that day, and is kept', async () => {
  // The latest block is of the day before.
  const early = await runAt(timeOf(HEAD) - 86_400);
  await readFeedOfToday(early.run);
  expect(await getFeed(store(), feedDay(1))).toMatchObject({ tries: 0 });
  early.hosts[Symbol.dispose]();

  const { run, hosts } = await runAt(timeOf(HEAD) + 5);
  await readFeedOfToday(run);
  const stored = await getFeed(store(), feedDay(2));
  expect(stored).toMatchObject({ reading: { ...refAt(chain.blocks, HEAD), aggregator: AGGREGATOR } });
  hosts[Symbol.dispose]();

  const later = await runAt(timeOf(HEAD) + 13 * 3_600);
  await readFeedOfToday(later.run);
  expect(await getFeed(store(), feedDay(2))).toEqual(stored);
  later.hosts[Symbol.dispose]();
});

test('beside a host that denies the latest block, it is read at the final one', async () => {
  const liar: NodeAnswer = () => ({ result: null });
  const { run, hosts } = await runAt(timeOf(HEAD) + 5, { liar });
  await readFeedOfToday(run);
  expect((await getFeed(store(), feedDay(2))).reading).toMatchObject({
    aggregator: AGGREGATOR,
    evidence: 'proven',
  });
  hosts[Symbol.dispose]();
});

describe('the feed of a day', () => {
  const day = feedDay(2);
  const begun = () => startDayProgress(day, refAt(chain.blocks, HEAD - 1));

  test('is that of its own reading, else of the day before', async () => {
    const { run, hosts } = await runAt(timeOf(HEAD));
    await putFeed(store(), feedDay(1), { tries: 1, tried_at: '1970-01-01T00:00:00Z', reading });
    expect((await feedOfDay(run, begun())).feed).toMatchObject({
      aggregator: OTHER_AGGREGATOR,
      reading: undefined,
    });
    const own = { ...reading, aggregator: AGGREGATOR };
    await putFeed(store(), day, { tries: 1, tried_at: '1970-01-01T00:00:00Z', reading: own });
    expect((await feedOfDay(run, begun())).feed).toMatchObject({ aggregator: AGGREGATOR, reading: own });
    hosts[Symbol.dispose]();
  });

  test('is read at the block before it, where a node keeps the state of the past', async () => {
    const { run, hosts } = await runAt(timeOf(HEAD), { isArchive: true });
    const { feed, progress } = await feedOfDay(run, begun());
    expect(feed?.aggregator).toBe(AGGREGATOR);
    expect(progress.dollars?.readings).toMatchObject([refAt(chain.blocks, HEAD - 1)]);
    hosts[Symbol.dispose]();
  });

  test('stays the same for all blocks of the day, or absent', async () => {
    const { run, hosts } = await runAt(timeOf(HEAD), { isArchive: true });
    const half = { ...begun(), first: refAt(chain.blocks, HEAD) };
    expect(await feedOfDay(run, half)).toEqual({ progress: half });
    const { progress } = await feedOfDay(run, begun());
    await putFeed(store(), day, { tries: 1, tried_at: '1970-01-01T00:00:00Z', reading });
    const later = await feedOfDay(run, { ...progress, first: refAt(chain.blocks, HEAD) });
    expect(later.feed).toMatchObject({ aggregator: AGGREGATOR, reading });
    hosts[Symbol.dispose]();
  });
});
