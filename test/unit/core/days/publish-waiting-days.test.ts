import type { CompleteDay } from '#core/days/publish-day.ts';
import { emptyDaysBefore, publishDays, publishWaitingDays } from '#core/days/publish-waiting-days.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import { saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { listFinalDays } from '#core/store/days/days.ts';
import { listWaitingDays, type WaitingDay } from '#core/store/days/waiting-days.ts';
import { wait as commitWait } from '#core/transitions/wait.ts';
import { steppedClock, turns } from '#test/support/clock.ts';
import { finalSums, hashOf } from '#test/support/generators/blocks/builders.ts';
import { answerFrom, refAt, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { DAY, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import type { Call, NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';
import { publishDay, putWaitingDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const NEXT = addDays(DAY, 1);
const EMPTY = addDays(DAY, 2);
const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-25T00:00:00Z');
const well = answerFrom(sampleBlocks);
const ref = (number: number) => refAt(sampleBlocks, number);

const progressOf: Record<UtcDay, DayProgress> = {
  [DAY]: { ...startDayProgress(DAY, ref(0)), first: ref(1), last: ref(4) },
  [NEXT]: { ...startDayProgress(NEXT, ref(4)), first: ref(5), last: ref(7) },
  [EMPTY]: startDayProgress(EMPTY, ref(7)),
};
const dayOf = (day: UtcDay): DayProgress => progressOf[day] ?? startDayProgress(day, undefined);
beforeEach(() => beginCoverage(store(), DAY));
const commitWaiting = (waiting: WaitingDay) => commitWait(store(), waiting);
const wait = (day: UtcDay, age = 0, given: Partial<DayProgress> = {}) =>
  commitWaiting({ progress: { ...dayOf(day), ...given }, next: ref(day === DAY ? 5 : 8), since: NOW - age });
const publish = (day: UtcDay) => publishDay(store(), { progress: dayOf(day), finality: reportedBy([]) }, NOW);

interface Given {
  readonly isClosing?: boolean;
  /** A final day without blocks, whose neighbors before it are published. */
  readonly empty?: CompleteDay;
  readonly votes?: readonly NodeAnswer[];
}

async function settleWaiting({ isClosing, empty, votes = [well, well] }: Given = {}) {
  const clock = { ...steppedClock(NOW), now: () => NOW, sleep: (ms: number) => turns(ms / 50) };
  let calls = 0;
  const counted = votes.map((answer) => (call: Call) => {
    calls += 1;
    return answer(call);
  });
  using hosts = serveAnswers(counted, { context: requestContextWith({ clock }) });
  const sendEvents = jest.fn(async () => {});
  const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] }, table(), { sendEvents });
  const end = await (empty
    ? publishDays(run, emptyDaysBefore(run, empty))
    : publishWaitingDays(run, isClosing));
  expect(sendEvents).toHaveBeenCalledTimes(run.stats.days.length);
  const waiting = (await listWaitingDays(store())).map(({ progress }) => progress.day);
  return { end, days: run.stats.days, waiting, calls };
}
const UP_TO_DATE = { kind: 'up to date' };
const confirmedBy = async (day: UtcDay) => (await getStoredDay(store(), day))?.confirmed_by;

test('waiting days become final one after the other, once the day after the latest is', async () => {
  await wait(DAY);
  await wait(NEXT);
  expect(await settleWaiting()).toEqual({ end: UP_TO_DATE, days: [], waiting: [DAY, NEXT], calls: 0 });
  await publish(EMPTY);
  // A header for the start of each.
  expect(await settleWaiting()).toEqual({ end: UP_TO_DATE, days: [NEXT, DAY], waiting: [], calls: 2 });
  expect(await confirmedBy(DAY)).toEqual([]);
  expect(await getCoverage(store())).toMatchObject({ through_day: EMPTY, waiting_days: 0 });
});

test('an interruption leaves no day final without its coverage', async () => {
  await wait(DAY);
  await wait(NEXT);
  await publish(EMPTY);
  const stop = new AbortController();
  let calls = 0;
  const answer = (call: Call) => {
    if (++calls === 2) stop.abort(new Error('stopped'));
    return well(call);
  };
  using hosts = serveAnswers([answer], { context: requestContextWith({ signal: stop.signal }) });
  const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] }, table(), {});
  await expect(publishWaitingDays(run)).rejects.toThrow('stopped');
  expect(run.stats.days).toEqual([NEXT]);
  expect(await getCoverage(store())).toMatchObject({ waiting_days: 1, last_day: EMPTY });
});

test('a waiting day is discarded whose last block is not the parent of the day after', async () => {
  await publish(NEXT);
  await wait(DAY, 0, { last: { number: 4, hash: hashOf('fork 4') } });
  expect(await settleWaiting()).toEqual({ end: UP_TO_DATE, days: [], waiting: [], calls: 0 });
  expect(await listFinalDays(store(), DAY)).toEqual([NEXT]);
});

test.each([
  ['its last block, if another one ends the day', { number: 4, hash: hashOf('fork 4') }, 5, 'last.test'],
  ['the block after it, if the day continues', ref(3), 4, 'next.test'],
])('a discarded day makes the host a suspect that gave %s', async (_, last, next, host) => {
  await publish(NEXT);
  await putWaitingDay(store(), {
    progress: { ...dayOf(DAY), last: { ...last, host: 'last.test' } },
    next: { number: next, hash: hashOf('fork'), host: 'next.test' },
    since: NOW,
  });
  expect(await settleWaiting()).toMatchObject({ days: [], waiting: [] });
  expect((await listSuspects(store())).map((suspect) => suspect.host)).toEqual([host]);
});

describe('the last day of a range', () => {
  test('gets an anchor of its own after 24 hours', async () => {
    await wait(DAY, 24 * HOUR);
    expect(await settleWaiting()).toMatchObject({ days: [], waiting: [DAY] });
    await wait(DAY, 24 * HOUR + 1);
    expect(await settleWaiting()).toMatchObject({ days: [DAY], waiting: [] });
    expect(await confirmedBy(DAY)).toEqual(['a.test', 'b.test']);
  });

  test('is voted on at once in the closing step, and continues the days before it', async () => {
    await wait(DAY);
    await wait(NEXT);
    expect(await settleWaiting({ isClosing: true })).toEqual({
      end: UP_TO_DATE,
      days: [NEXT, DAY],
      waiting: [],
      calls: 4,
    });
    expect([await confirmedBy(NEXT), await confirmedBy(DAY)]).toEqual([
      ['a.test', 'b.test'],
      ['a.test', 'b.test'],
    ]);
  });

  test('is discarded when the hosts report another block after it', async () => {
    const fork: NodeAnswer = (call) =>
      well(call.params[0] === '0x8' ? { ...call, params: ['0x7', false] } : call);
    await wait(NEXT);
    expect(await settleWaiting({ isClosing: true, votes: [fork, fork] })).toMatchObject({ waiting: [NEXT] });
    await commitWaiting({ progress: dayOf(NEXT), next: { number: 8, hash: hashOf('fork') }, since: NOW });
    expect(await settleWaiting({ isClosing: true })).toMatchObject({ days: [], waiting: [] });
  });
});

const read = (given: Partial<DayProgress>) => {
  const progress = { ...startDayProgress(NEXT, ref(4)), first: ref(5), last: ref(6), ...given };
  return saveCheckpoint(store(), { day: NEXT, sequence: 0 }, { progress, final: finalSums(progress) });
};

test('a day that the running day continues is discarded, and its endpoint a suspect, when that begins after another block', async () => {
  await wait(DAY);
  await read({ parentHash: hashOf('fork 4') });
  expect(await settleWaiting({ votes: [well] })).toMatchObject({ days: [], calls: 0 });
  expect(await listWaitingDays(store())).toEqual([]);
});

describe('the days before an empty day', () => {
  const last = addDays(EMPTY, 60);
  const empty = { progress: startDayProgress(last, ref(7)), finality: reportedBy(['a.test']) };

  test('become final up to the last day with a block, each with a commit of its own', async () => {
    const { end, days } = await settleWaiting({ empty });
    expect(end).toBeUndefined();
    expect(days).toEqual(Array.from({ length: 60 }, (_, index) => addDays(last, -1 - index)));
    expect(days.at(-1)).toBe(EMPTY);
    expect(await getStoredDay(store(), EMPTY)).toMatchObject({
      block_count: 0,
      last_block: { number: 7 },
      confirmed_by: ['a.test'],
    });
    expect(await getCoverage(store())).toMatchObject({ revision: 61 });
  });

  test('become final up to one that another run reads', async () => {
    const begun = addDays(last, -3);
    await saveCheckpoint(store(), { day: begun, sequence: 0 }, { progress: startDayProgress(begun, ref(7)) });
    expect(await settleWaiting({ empty })).toMatchObject({ days: [addDays(last, -1), addDays(last, -2)] });
  });
});
