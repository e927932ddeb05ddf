import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import {
  getCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import { fastClock } from '#test/support/clock.ts';
import { answerFrom, refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  publishWrongly,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import type { Call, NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { type GivenRun, runIngest } from '#test/support/processes/run-ingest.ts';
import { publishDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const [BEFORE, NEXT, EMPTY] = [-1, 1, 2].map((days) => addDays(DAY, days)) as [UtcDay, UtcDay, UtcDay];
const well = answerFrom(sampleBlocks);
const ref = (number: number) => refAt(sampleBlocks, number);
const pruned =
  (...numbers: readonly number[]): NodeAnswer =>
  (call) =>
    call.method === 'eth_getBlockReceipts' && numbers.includes(Number(call.params[0]))
      ? { error: { code: 4444, message: 'pruned history unavailable' } }
      : well(call);

/** Runs the ingest with nodes that answer alike, a single one by default. */
async function run(given: GivenRun = {}, answer: NodeAnswer = well, count = 1) {
  await using started = await startNodes(Array.from({ length: count }, () => answer));
  return await runIngest(table(), started.nodes, given);
}

const stored = () => storedDays(table());
const coverage = () => getCoverage(store());
const checkpointOf = (day: UtcDay) => getCheckpoint(store(), day);
const waiting = async () => (await listWaitingDays(store())).map(({ progress }) => progress.day);
const confirmedBy = async (day: UtcDay) => (await getStoredDay(store(), day))?.confirmed_by;
const publish = async (day: UtcDay, before: number, progress: Partial<DayProgress>) =>
  expect(
    await publishDay(
      store(),
      { progress: { ...startDayProgress(day, ref(before)), ...progress }, finality: reportedBy([]) },
      0,
    ),
  ).toBeUndefined();

describe('a run', () => {
  test.each([1, 2])('with %i hosts reads the newest day, the running day, then back', async (count) => {
    expect(await run({}, well, count)).toMatchObject({ outcome: 'up to date', days: [EMPTY, NEXT, DAY] });
    expect(await stored()).toEqual(completeDays);
    const hosts = await confirmedBy(EMPTY);
    expect(hosts?.length).toBe(count);
    expect([await confirmedBy(NEXT), await confirmedBy(DAY)]).toEqual([hosts, hosts]);
    expect(await coverage()).toMatchObject({ from_day: DAY, through_day: EMPTY, waiting_days: 0 });
  });

  test('reads the newest day though the one before, which has begun, cannot be read', async () => {
    await saveCheckpoint(store(), await checkpointOf(NEXT), { progress: startDayProgress(NEXT, ref(4)) });
    const { outcome, days } = await run({}, pruned(6), 2);
    expect([outcome, days]).toEqual(['failed', [EMPTY]]);
  });

  test('reads the running day and older ones though the newest fails, and names the reason', async () => {
    const times = [at(-1, 0), at(0, 0), at(0, 9), at(1, 0), at(1, 9), at(1, 10), at(2, 0), at(2, 9)];
    const answer = answerFrom(sampleChain(times));
    const withoutBlock5 = (call: Call) =>
      call.method === 'eth_getBlockReceipts' && call.params[0] === '0x5' ? { result: null } : answer(call);
    expect(await run({}, withoutBlock5, 2)).toMatchObject({
      outcome: 'failed',
      days: [DAY],
      lagSeconds: 0,
      reason: expect.stringContaining('ETHEREUM block 5'),
    });
    expect((await checkpointOf(EMPTY)).progress).toMatchObject({ last: { number: 7 } });
  });

  test('ends with a conflict before days that are not contiguous, and overwrites nothing', async () => {
    await publish(DAY, 0, { first: ref(1), last: ref(5) });
    const progress = {
      ...startDayProgress(NEXT, ref(4)),
      first: ref(5),
      last: ref(6),
      notBefore: at(1, 40_000),
    };
    await saveCheckpoint(store(), { day: NEXT, sequence: 0 }, { progress });
    expect(await run()).toMatchObject({ outcome: 'conflict', days: [EMPTY] });
    expect((await stored()).map(({ range }) => range)).toEqual([
      [1, 5],
      [undefined, 7],
    ]);
  });
});

describe('a run for one day', () => {
  test('lets the day wait for the day after it, whichever days around it are missing', async () => {
    for (const count of [2, 1]) {
      // At normal speed, so that the hosts do not vote within the run, which would end the day before.
      const report = await run({ day: count === 1 ? DAY : NEXT, clock: fastClock(1) }, well, count);
      expect(report).toMatchObject({ outcome: 'up to date', days: [], final: false, waiting: true });
    }
    expect(await stored()).toEqual([]);
    expect(await waiting()).toEqual([DAY, NEXT]);
    expect(await coverage()).toMatchObject({ from_day: DAY, through_day: BEFORE, waiting_days: 2 });
  });

  test('runs beside others, and the closing step publishes the days that wait', async () => {
    const days = completeDays.map(({ day }) => day);
    const reports = await Promise.all(days.map((day) => run({ day }, well, 2)));
    // A day is final at once when the hosts have voted about a block of the day after it.
    for (const { final, waiting } of reports) expect(final || waiting).toBe(true);
    const closing = await run({ isClosing: true }, well, 2);
    expect(closing).toMatchObject({ outcome: 'up to date', blocks: 0 });
    expect([...reports, closing].flatMap((report) => report.days).toSorted()).toEqual(days);
    expect(await stored()).toEqual(completeDays);
    expect(await coverage()).toMatchObject({ through_day: EMPTY, waiting_days: 0 });
    expect((await confirmedBy(EMPTY))?.length).toBe(2);
  });
});

describe('a restatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const request = (day: UtcDay) => requestRestatement(store(), day, restatement);

  test.each([1, 2])('corrects the end of a day whose next day cannot begin, with %i hosts', async (count) => {
    await publish(DAY, 0, { first: ref(1), last: ref(3) });
    await request(DAY);
    const early = answerFrom(sampleBlocks, { finalized: 6 });
    for (let runs = 0; runs < 3; runs++) await run({}, early, count);
    expect(await stored()).toEqual(completeDays.slice(0, 1));
    expect(await run({}, well, count)).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('that fails delays no other day, and is tried again in the next run', async () => {
    await publishWrongly(table(), DAY, 1, 4);
    await request(DAY);
    expect(await run({}, pruned(3))).toMatchObject({
      outcome: 'failed',
      days: [EMPTY, NEXT],
      reason: expect.stringContaining('pruned history'),
    });
    expect(await listRestatements(store())).toMatchObject([{ day: DAY, progress: { last: { number: 1 } } }]);
    expect(await run()).toMatchObject({ outcome: 'up to date', days: [], restated: [DAY] });
  });
});
