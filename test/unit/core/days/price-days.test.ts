import type { DayEvent } from '#core/events/day-events.ts';
import { dollarAmount } from '#core/figures/dollars.ts';
import { publicDayShape } from '#core/rows/day-row.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { dayReader } from '#core/store/days/day-reader.ts';
import { listUnpriced, noteUnpriced } from '#core/store/days/notes.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { fastClock, turns } from '#test/support/clock.ts';
import {
  expectedDollars,
  type FeedChain,
  FIRST_OF_DAY,
  feedChain,
  feedDay,
  feedNode,
  feedOf,
  feedScenes,
  steadyFeed,
} from '#test/support/generators/chains/feed-scene.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import {
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

const table = useMemoryTable();
/** Four days are complete. The last one waits for the reading of the day after it, whose block is not final yet. */
const HEAD = FIRST_OF_DAY(4) + 2;

let chain: FeedChain;
let node: JsonRpcServer;
beforeAll(async () => {
  const [scene] = feedScenes;
  if (!scene) throw new Error('no scene');
  chain = await feedChain(scene, steadyFeed());
  const answer = await feedNode(chain, HEAD, { proofs: true, isArchive: true });
  node = await startJsonRpcServer(answer);
});
afterAll(() => node[Symbol.asyncDispose]());

/** A run at the time of the latest block. */
function run(
  on: Table,
  events: DayEvent[] = [],
  { nodes = [node], quorum = 1, signal = new AbortController().signal } = {},
) {
  return runIngest(on, nodes, {
    chain: chain.scene.chain,
    // Events have ten seconds of its time.
    clock: fastClock(10, Number(chain.blocks[HEAD]?.header.timestamp) * 1_000),
    quorum,
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

test('caches read a day again that was priced just before the time of a run was over', async () => {
  const stop = new AbortController();
  let revision: number | undefined;
  const on: Table = {
    ...table(),
    putIf: async (item, condition) => {
      const isPriced = 'fees_usd' in item && item.fees_usd !== undefined;
      if (isPriced) revision ??= (await getCoverage(chainStore(table(), 'ETHEREUM')))?.revision;
      const isPut = await table().putIf(item, condition);
      if (isPriced) {
        stop.abort();
        // Until the run notices.
        await turns(50);
      }
      return isPut;
    },
  };
  await run(on, [], { signal: stop.signal });
  const priced = (await daysIn(table())).filter(({ fees_usd }) => fees_usd !== undefined);
  expect(priced).toHaveLength(1);
  expect((await getCoverage(chainStore(table(), 'ETHEREUM')))?.changes).toContainEqual({
    day: priced[0]?.date,
    revision: (revision ?? 0) + 1,
  });
});

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
  expect(await listUnpriced(chainStore(table(), 'ETHEREUM'))).toEqual([feedDay(3)]);

  const store = chainStore(table(), 'ETHEREUM');
  await noteUnpriced(store, { day: feedDay(1), revision: 1 });
  const before = events.length;
  expect(await run(table(), events)).not.toHaveProperty('unpriced');
  expect(events).toHaveLength(before);
  expect(await listUnpriced(store)).toEqual([feedDay(3)]);
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
