import { feedOfDay, priceDays, readFeedOfToday } from '#core/days/price-days.ts';
import { type DayEvent, sendDueEvents } from '#core/events/day-events.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { dollarAmount } from '#core/figures/dollars.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { publicDayShape } from '#core/rows/day-row.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { dayReader } from '#core/store/days/day-reader.ts';
import { getFeed, listUnpriced, listUnsentEvents, noteUnpriced, putFeed } from '#core/store/days/notes.ts';
import { chainStore, type Item, type Table } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import {
  AGGREGATOR,
  expectedDollars,
  type FeedChain,
  FIRST_OF_DAY,
  feedChain,
  feedDay,
  feedNode,
  feedOf,
  feedScenes,
  OTHER_AGGREGATOR,
  steadyFeed,
} from '#test/support/generators/chains/feed-scene.ts';
import { refAt } from '#test/support/generators/chains/sample-chain.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import {
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { racingTable } from '#test/support/tables/racing-table.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
/** Four days are complete. The last one waits for the reading of the day after it, whose block is not final yet. */
const HEAD = FIRST_OF_DAY(4) + 2;
const SCENE = feedScenes[0] as (typeof feedScenes)[number];

let chain: FeedChain;
let node: JsonRpcServer;
beforeAll(async () => {
  chain = await feedChain(SCENE, steadyFeed);
  node = await startJsonRpcServer(await feedNode(chain, HEAD, { proofs: true, isArchive: true }));
});
afterAll(() => node[Symbol.asyncDispose]());

/** A run at the time of the latest block. */
function run(
  on: Table,
  events: DayEvent[] = [],
  { nodes = [node], signal = new AbortController().signal } = {},
) {
  return runIngest(on, nodes, {
    chain: chain.scene.chain,
    // Events have ten seconds of its time.
    clock: fastClock(10, Number(chain.blocks[HEAD]?.header.timestamp) * 1_000),
    quorum: 1,
    signal,
    sendEvent: async (event) => {
      events.push(event);
    },
  });
}

const daysIn = (on: Table) => dayReader(publicDayShape)(chainStore(on, 'ETHEREUM'), DAY, feedDay(9));
const dollarsIn = async (on: Table) => (await daysIn(on)).map(({ fees_usd }) => fees_usd);
const amountOf = (day: number) => dollarAmount(expectedDollars(chain, feedDay(day)));
/** The last price before the first day is not known. */
const expected = () => [undefined, amountOf(1), amountOf(2), undefined];

test('a priced day has one event more, and is not priced again', async () => {
  const events: DayEvent[] = [];
  expect(await run(table(), events)).toMatchObject({
    outcome: 'up to date',
    unpriced: [expect.stringMatching(`^${DAY}: no start`)],
  });
  expect(await dollarsIn(table())).toEqual(expected());
  const priced = events.filter((event) => event['detail-type'] === 'Day Priced');
  expect(priced.map(({ detail }) => [detail.date, detail.fees_usd])).toEqual(
    [1, 2].map((day) => [feedDay(day), expected()[day]]),
  );
  expect(await listUnpriced(store())).toEqual([feedDay(3)]);

  await store().table.commit([noteUnpriced(store(), { day: feedDay(1), revision: 1 })]);
  const before = events.length;
  expect(await run(table(), events)).not.toHaveProperty('unpriced');
  expect(events).toHaveLength(before);
  expect(await listUnpriced(store())).toEqual([feedDay(3)]);
});

describe('a day whose dollars are due again', () => {
  const isPrice = (day: number) => (item: Item) => item.date === feedDay(day) && item.fees_usd !== undefined;
  beforeEach(async () => {
    await run(table());
    for (const day of [1, 2]) {
      const { price: _, ...item } = (await table().getItem({ chain: 'ETHEREUM', date: feedDay(day) })) ?? {};
      await table().putIf({ ...item, fees_usd: '1' });
    }
    await store().table.commit([noteUnpriced(store(), { day: feedDay(1), revision: 1 })]);
  });

  test('is priced with the day after it, though a run crashed before that one', async () => {
    const before = () => Promise.reject(new Error('crash'));
    await expect(run(racingTable(table(), isPrice(2), { before }))).rejects.toThrow('crash');
    await run(table());
    expect(await dollarsIn(table())).toEqual(expected());
    expect(await listUnpriced(store())).toEqual([feedDay(3)]);
  });

  test('has an event of them, though another run sends events while they are written', async () => {
    const events: DayEvent[] = [];
    const send = async (event: DayEvent) => void events.push(event);
    const options = { signal: new AbortController().signal, now: Date.now };
    const other = () => sendDueEvents(store(), send, options);
    await run(racingTable(table(), isPrice(2), { before: other }), events);
    const priced = events.filter((event) => event['detail-type'] === 'Day Priced');
    expect(priced.map(({ detail }) => detail.fees_usd)).toContain(amountOf(2));
    expect(await listUnsentEvents(store())).toEqual([]);
  });
});

test('notes of many days that are not final keep no other day from its dollars, and change no entity tag', async () => {
  for (let day = -60; day < 0; day++)
    await store().table.commit([noteUnpriced(store(), { day: feedDay(day), revision: 1 })]);
  await run(table());
  expect(await dollarsIn(table())).toEqual(expected());
  const { revision } = (await getCoverage(store())) ?? {};
  await run(table());
  expect((await getCoverage(store()))?.revision).toBe(revision);
});

test('days whose feed names no aggregator say so', async () => {
  const answer = await feedNode(chain, HEAD, { proofs: false, isArchive: true });
  const { proxy } = feedOf(chain.scene.chain);
  const nameless: NodeAnswer = (call) =>
    call.method === 'eth_call' && (call.params[0] as { to: string }).to === proxy
      ? { result: '0x' }
      : answer(call);
  await using one = await startJsonRpcServer(nameless);
  await using other = await startJsonRpcServer(nameless);
  await run(table(), [], { nodes: [one, other] });
  const [day] = await daysIn(table());
  expect(day?.unpriced_reason).toBe('no aggregator: the feed names no contract that records prices');
});

test.each([
  [2, undefined],
  [3, 3],
])('%i days later, a day whose day after is not final has the dollars of %p', async (later, priced) => {
  await run(table());
  const answer = await feedNode(chain, HEAD, { proofs: true, isArchive: true });
  const clock = { ...fastClock(), now: () => startOfDay(feedDay(3 + later)) * 1_000 };
  using hosts = serveAnswers([answer], { chain: chain.scene.chain, context: requestContextWith({ clock }) });
  const anchor = { ...refAt(chain.blocks, HEAD), parentHash: '0x', timestamp: 0, hosts: [] };
  await priceDays(dayRunOf(hosts, anchor, table()));
  expect(await dollarsIn(table())).toEqual(
    expected().with(3, priced === undefined ? undefined : amountOf(priced)),
  );
});

describe('the feed', () => {
  const HEAD = FIRST_OF_DAY(2);
  const reading = { number: HEAD, hash: '0x1', aggregator: OTHER_AGGREGATOR, evidence: 'proven' } as const;

  /** A run at a time, from a node that may keep the state of the past, and perhaps a liar before it. */
  async function runAt(
    seconds: number,
    {
      liar,
      isArchive = false,
      hosts: only,
    }: { isArchive?: boolean; liar?: NodeAnswer; hosts?: NodeAnswer[] | undefined } = {},
  ) {
    const answer = await feedNode(chain, HEAD, { isArchive, proofs: true });
    const context = requestContextWith({ clock: { ...fastClock(), now: () => seconds * 1_000 } });
    const hosts = serveAnswers(only ?? [...(liar ? [liar] : []), answer], {
      chain: chain.scene.chain,
      context,
    });
    const anchor = { ...refAt(chain.blocks, HEAD), parentHash: '0x', timestamp: seconds, hosts: [] };
    return { run: dayRunOf(hosts, anchor, table()), [Symbol.dispose]: () => hosts[Symbol.dispose]() };
  }

  const timeOf = (number: number) => Number(chain.blocks[number]?.header.timestamp);

  test('the reading of a day is of a block of that day, and is kept', async () => {
    // The latest block is of the day before.
    using early = await runAt(timeOf(HEAD) - 86_400);
    await readFeedOfToday(early.run);
    expect(await getFeed(store(), feedDay(1))).toMatchObject({ tries: 0 });

    using at = await runAt(timeOf(HEAD) + 5);
    await readFeedOfToday(at.run);
    const stored = await getFeed(store(), feedDay(2));
    expect(stored).toMatchObject({ reading: { ...refAt(chain.blocks, HEAD), aggregator: AGGREGATOR } });

    using later = await runAt(timeOf(HEAD) + 13 * 3_600);
    await readFeedOfToday(later.run);
    expect(await getFeed(store(), feedDay(2))).toEqual(stored);
  });

  test('beside a host that denies the latest block, it is read at the final one', async () => {
    const liar: NodeAnswer = () => ({ result: null });
    using at = await runAt(timeOf(HEAD) + 5, { liar });
    await readFeedOfToday(at.run);
    expect((await getFeed(store(), feedDay(2))).reading).toMatchObject({
      aggregator: AGGREGATOR,
      evidence: 'proven',
    });
  });

  test('is read again twelve hours after an attempt that failed', async () => {
    const day = feedDay(2);
    const midnight = startOfDay(day);
    const afterHours = async (hours: number, hosts?: NodeAnswer[] | undefined) => {
      using at = await runAt(midnight + hours * 3_600, { hosts });
      await readFeedOfToday(at.run);
      return await getFeed(store(), day);
    };
    const silent: NodeAnswer = () => ({ result: null });
    const failed = { tries: 1, tried_at: `${day}T00:00:00.000Z` };
    expect(await afterHours(0, [silent])).toEqual(failed);
    expect(await afterHours(11.999)).toEqual(failed);
    expect(await afterHours(12)).toMatchObject({ tries: 2, reading: { aggregator: AGGREGATOR } });
  });

  describe('of a day', () => {
    const day = feedDay(2);
    const begun = () => startDayProgress(day, refAt(chain.blocks, HEAD - 1));

    test('is that of its own reading, else of the day before', async () => {
      using at = await runAt(timeOf(HEAD));
      await putFeed(store(), feedDay(1), { tries: 1, tried_at: '1970-01-01T00:00:00Z', reading });
      expect((await feedOfDay(at.run, begun())).feed).toMatchObject({
        aggregator: OTHER_AGGREGATOR,
        reading: undefined,
      });
      const own = { ...reading, aggregator: AGGREGATOR };
      await putFeed(store(), day, { tries: 1, tried_at: '1970-01-01T00:00:00Z', reading: own });
      expect((await feedOfDay(at.run, begun())).feed).toMatchObject({ aggregator: AGGREGATOR, reading: own });
    });

    test('is read at the block before it, where a node keeps the state of the past', async () => {
      using at = await runAt(timeOf(HEAD), { isArchive: true });
      const { feed, progress } = await feedOfDay(at.run, begun());
      expect(feed?.aggregator).toBe(AGGREGATOR);
      expect(progress.dollars?.readings).toMatchObject([refAt(chain.blocks, HEAD - 1)]);
    });

    test('stays the same for all blocks of the day, or absent', async () => {
      using at = await runAt(timeOf(HEAD), { isArchive: true });
      const half = { ...begun(), first: refAt(chain.blocks, HEAD) };
      expect(await feedOfDay(at.run, half)).toEqual({ progress: half });
      const { progress } = await feedOfDay(at.run, begun());
      await putFeed(store(), day, { tries: 1, tried_at: '1970-01-01T00:00:00Z', reading });
      const later = await feedOfDay(at.run, { ...progress, first: refAt(chain.blocks, HEAD) });
      expect(later.feed).toMatchObject({ aggregator: AGGREGATOR, reading });
    });
  });
});
