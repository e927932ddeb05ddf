import type { Clock } from '#core/clock.ts';
import { dollarAmount } from '#core/figures/dollars.ts';
import { dayRow, publicDayShape } from '#core/rows/day-row.ts';
import { dayReader } from '#core/store/days/day-reader.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { fastClock } from '#test/support/clock.ts';
import {
  AGGREGATOR,
  expectedDollars,
  type Feed,
  type FeedChain,
  FIRST_ANSWER,
  FIRST_OF_DAY,
  feedChain,
  feedDay,
  feedNode,
  feedScenes,
  OTHER_AGGREGATOR,
  type StateOffer,
  steadyFeed,
} from '#test/support/generators/chains/feed-scene.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { answerRaw } from '#test/support/nodes/raw-answers.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { crashingTable, hasCrashed } from '#test/support/tables/crashing-table.ts';
import { memoryTable, useMemoryTable } from '#test/support/tables/table.ts';

/* A chain whose feed updates, moves to another aggregator, falls silent, jumps and lies, read block by block. */

const table = useMemoryTable();
const KEEPS_LITTLE: StateOffer = { proofs: true, isArchive: false };

type Answers = (answer: NodeAnswer, head: number) => NodeAnswer;

interface Given {
  readonly offers?: readonly StateOffer[];
  /** Changes what the first node answers. */
  readonly tell?: Answers;
  /** Blocks between two runs. */
  readonly step?: number;
  readonly isRaw?: boolean;
}

/** Follows a chain to its end with a run for each block, as its time comes. Returns the rows of its days. */
async function follow(
  chain: FeedChain,
  { offers = [KEEPS_LITTLE, KEEPS_LITTLE], tell = (answer) => answer, step = 1, isRaw = false }: Given = {},
) {
  const { blocks, scene } = chain;
  let answers: NodeAnswer[] = [];
  await using one = await startJsonRpcServer((call) => (answers[0] as NodeAnswer)(call));
  await using two = await startJsonRpcServer((call) => (answers[1] as NodeAnswer)(call));
  for (let head = Math.max(step, 3); head < blocks.length; head += step) {
    const honest = await Promise.all(offers.map((offer) => feedNode(chain, head, offer)));
    answers = honest.map((answer, index) => {
      const told = index === 0 ? tell(answer, head) : answer;
      return isRaw ? answerRaw(scene.chain, blocks, told) : told;
    });
    const report = await runIngest(table(), [one, two], { chain: scene.chain, clock: clockAt(chain, head) });
    expect(report).toMatchObject({ outcome: 'up to date' });
  }
  const days = await dayReader(publicDayShape)(chainStore(table(), scene.chain), DAY, feedDay(30));
  return days.map(dayRow);
}

/** A clock that shows the time of a block when the run begins. */
const clockAt = ({ blocks }: FeedChain, head: number): Clock =>
  fastClock(1_000, Number(blocks[head]?.header.timestamp) * 1_000 + 5_000);

/** The days state exact dollars, or the beginning of a reason. */
function expectDays(
  chain: FeedChain,
  rows: Awaited<ReturnType<typeof follow>>,
  reasons: readonly (string | undefined)[],
) {
  expect(rows.map(({ date }) => date)).toEqual([0, 1, 2, 3, 4, 5].map(feedDay));
  expect(rows.map(({ unpriced_reason = '' }) => unpriced_reason)).toEqual(
    rows.map((_, index) => (reasons[index] ? expect.stringMatching(`^${reasons[index]}`) : '')),
  );
  for (const [index, { date, fees_usd }] of rows.entries()) {
    const dollars = reasons[index] === undefined ? dollarAmount(expectedDollars(chain, date)) : undefined;
    // The last day waits for a reading of the day after it, whose first blocks are not final yet.
    expect(fees_usd).toBe(index === 5 && fees_usd === undefined ? undefined : dollars);
  }
}

const round = (number: number) => BigInt(number);
const answerIn = (number: number) => FIRST_ANSWER + BigInt(number * 1_000_003);
const NOTHING_BEFORE = 'no state';

const [ETHEREUM] = feedScenes as [(typeof feedScenes)[number]];
const scenes = feedScenes.map((scene, index) => ({ name: scene.chain.name, scene, isRaw: index % 2 === 0 }));

describe.each(scenes)('$name', ({ scene, isRaw }) => {
  test(`a feed that updates gives exact dollars, with ${isRaw ? 'RLP' : 'JSON'}`, async () => {
    const chain = await feedChain(scene, steadyFeed);
    const rows = await follow(chain, { isRaw, step: 2 });
    expectDays(chain, rows, [NOTHING_BEFORE]);
    expect(rows[2]?.price).toEqual({
      first: expect.any(String),
      last: expect.any(String),
      updates: 8,
      aggregator: AGGREGATOR,
      evidence: 'proven',
    });
  });
});

// Reading a feed does not depend on the family.
test('a day on which the feed is wrong has no dollars, with the reason, and the next one has', async () => {
  const chain = await feedChain(ETHEREUM, eventful, EVENTFUL_DAYS);
  const rows = await follow(chain, { step: 2 });
  expect(rows.map(({ unpriced_reason = '' }) => unpriced_reason.split(':')[0])).toEqual(
    rows.map((_, day) => reasons[day] ?? ''),
  );
  // The last day waits for the reading of the day after it.
  for (const [day, { date, fees_usd }] of rows.slice(0, -1).entries())
    expect(fees_usd).toBe(reasons[day] ? undefined : dollarAmount(expectedDollars(chain, date)));
  expect(rows.length).toBeGreaterThanOrEqual(EVENTFUL_DAYS - 1);
  expect(rows.at(-2)?.price?.aggregator).toBe(OTHER_AGGREGATOR);
});

/** The wrong block of a day; each of these days is followed by a good one. */
const wrongBlock = (day: number) => FIRST_OF_DAY(day) + 2;
const SILENT = { first: wrongBlock(12), blocks: 4 };
const MOVED = FIRST_OF_DAY(14) + 4;
const EVENTFUL_DAYS = 19;
const reasons: Readonly<Record<number, string>> = {
  0: 'no state',
  2: 'gap',
  4: 'jump',
  6: 'invalid',
  8: 'invalid',
  10: 'invalid',
  12: 'stale',
  14: 'changed',
  15: 'changed',
};

/** Leaves out a round, jumps, states 0, another time and another price than was transmitted, falls silent, and moves to another aggregator. */
const eventful: Feed = {
  usedAfter: (number) => (number < MOVED ? AGGREGATOR : OTHER_AGGREGATOR),
  recordedIn: (number) => {
    const isSilent = number >= SILENT.first && number < SILENT.first + SILENT.blocks;
    if (isSilent) return [];
    const skipped = number >= SILENT.first ? BigInt(SILENT.blocks) : 0n;
    const usual = { answer: answerIn(number), round: round(number) - skipped };
    const own = {
      [wrongBlock(2)]: { ...usual, round: usual.round + 1n },
      [wrongBlock(4)]: { ...usual, answer: usual.answer * 11n },
      [wrongBlock(6)]: { ...usual, answer: 0n },
      [wrongBlock(8)]: { ...usual, updatedAt: 1 },
      [wrongBlock(10)]: { ...usual, transmitted: 5n },
    }[number];
    return [own ?? usual, { ...usual, aggregator: OTHER_AGGREGATOR }];
  },
};

test('a crash before any write leaves no day without its dollars', async () => {
  const chain = await feedChain(ETHEREUM, steadyFeed);
  const head = FIRST_OF_DAY(3) + 2;
  const answer = await feedNode(chain, head, { proofs: true, isArchive: true });
  await using node = await startJsonRpcServer(answer);
  const run = (on: Table) =>
    runIngest(on, [node], { chain: chain.scene.chain, clock: clockAt(chain, head), quorum: 1 });
  for (let at = 1; ; at += 1) {
    const base = memoryTable();
    const crashed = await hasCrashed(run(crashingTable(base, at)));
    await run(base);
    const days = await dayReader(publicDayShape)(chainStore(base, 'ETHEREUM'), DAY, feedDay(1));
    expect(days.map(({ fees_usd }) => fees_usd)).toEqual([
      undefined,
      dollarAmount(expectedDollars(chain, feedDay(1))),
    ]);
    if (!crashed) break;
  }
});
