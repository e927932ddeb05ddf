import { addDays, type UtcDay } from '../../../lambda/chains/utc-day.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { listRestatements, requestRestatement } from '../../../lambda/store/restatements.ts';
import { type Call, type NodeResponse, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { endAfter, type GivenRun, runIngest, silentFrom } from '../../support/run-ingest.ts';
import { answerFrom, sampleChain, sampleSums } from '../../support/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  publishWrongly,
  sampleBlock,
  sampleBlocks,
  storedDays,
} from '../../support/sample-days.ts';
import { useTable } from '../../support/table.ts';

/* A run for one day alone, as a backfill asks for many at once. */

const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const NEXT = addDays(DAY, 1);
const answerWell = answerFrom(sampleBlocks);

/** Runs the ingest of one day and counts the calls of the node. */
async function runFor(
  day: UtcDay,
  answer: (call: Call) => NodeResponse | Promise<NodeResponse> = answerWell,
  given: GivenRun = {},
) {
  await using node = await startJsonRpcServer(answer);
  const report = await runIngest(table(), [node], { day, ...given });
  return { ...report, calls: node.calls.length };
}

const stored = () => storedDays(table());
const coverage = () => getCoverage(store());
const checkpointOf = (day: UtcDay) => getCheckpoint(store(), day);

test('publishes the day and no other, whichever days before it are missing', async () => {
  expect(await runFor(NEXT)).toMatchObject({ outcome: 'up to date', days: [NEXT], final: true, blocks: 3 });
  expect(await stored()).toEqual([completeDays[1]]);
  expect(await coverage()).toMatchObject({ from: DAY, through: addDays(DAY, -1), last: NEXT });
  expect(await checkpointOf(NEXT)).toMatchObject({ sequence: 0 });
});

test('calls onBlock for each counted block, with its timestamp', async () => {
  const times: number[] = [];
  await runFor(NEXT, answerWell, { onBlock: ({ timestamp }) => times.push(timestamp) });
  expect(times).toEqual([at(1, 5), at(1, 40_000), at(1, 80_000)]);
});

test('concurrent runs for several days give the figures and the coverage of one long run', async () => {
  const days = completeDays.map(({ day }) => day).toReversed();
  const reports = await Promise.all(days.map((day) => runFor(day)));
  expect(reports.map(({ final }) => final)).toEqual([true, true, true]);
  expect(await stored()).toEqual(completeDays);
  expect(await coverage()).toMatchObject({ from: DAY, through: addDays(DAY, 2), last: addDays(DAY, 2) });
});

test('makes no call for a day that is final', async () => {
  await runFor(DAY);
  expect(await runFor(DAY)).toMatchObject({ outcome: 'up to date', days: [], final: true, calls: 0 });
});

test('refreshes the coverage after a crash right after the publication', async () => {
  const begun = startProgress(DAY, sampleBlock(0));
  await saveCheckpoint(store(), await checkpointOf(DAY), begun);
  await publishWrongly(table(), DAY, 1, 4);
  expect(await coverage()).toBeUndefined();
  expect(await runFor(DAY)).toMatchObject({ final: true, calls: 0 });
  expect(await coverage()).toMatchObject({ through: DAY });
  expect(await checkpointOf(DAY)).toMatchObject({ sequence: 0 });
});

test.each([
  ['that has not ended', addDays(DAY, 3)],
  ['that has not begun', addDays(DAY, 4)],
])('a day %s is up to date and not final', async (_, day) => {
  expect(await runFor(day)).toMatchObject({ outcome: 'up to date', days: [], final: false });
  expect(await stored()).toEqual([]);
});

test('saves its progress when its signal aborts, and the next run continues there', async () => {
  const first = await runFor(NEXT, silentFrom(7, answerWell), endAfter(1));
  expect(first).toMatchObject({ outcome: 'out of time', blocks: 1, final: false });
  const second = await runFor(NEXT);
  expect(second).toMatchObject({ outcome: 'up to date', blocks: 2, final: true });
  expect(await stored()).toEqual([completeDays[1]]);
});

test('makes no call when its signal is aborted before', async () => {
  const report = await runFor(NEXT, () => ({ hang: true }), { signal: AbortSignal.abort() });
  expect(report).toMatchObject({ outcome: 'out of time', final: false });
});

test('does not publish a day in conflict with the next one, and the next run starts it over', async () => {
  await publishWrongly(table(), addDays(NEXT, 1), 9, 9);
  expect(await runFor(NEXT)).toMatchObject({ outcome: 'conflict', final: false });
  expect((await stored()).map(({ day }) => day)).toEqual([addDays(NEXT, 1)]);
  expect(await checkpointOf(NEXT)).toMatchObject({ sequence: 0 });
});

test('reports a day before the chain begins as a conflict', async () => {
  const late = answerFrom(sampleChain([at(0, 5), at(0, 10), at(2, 0)]));
  const report = await runFor(addDays(DAY, -1), late, { from: addDays(DAY, -2) });
  expect(report).toMatchObject({ outcome: 'conflict', final: false });
  expect(report.reason).toBe(`ETHEREUM has no blocks before ${DAY}, the day of its first block.`);
});

describe('a day with an open restatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const request = (day: UtcDay) => requestRestatement(store(), day, restatement);

  test('is final after the restatement, and that of another day stays open', async () => {
    await publishWrongly(table(), DAY, 1, 4);
    await publishWrongly(table(), NEXT, 5, 7);
    await Promise.all([request(DAY), request(NEXT)]);
    expect(await runFor(NEXT)).toMatchObject({ restated: [NEXT], days: [], final: true, blocks: 3 });
    expect(await stored()).toMatchObject([{ day: DAY, transactions: 0 }, completeDays[1]]);
    expect((await listRestatements(store()))[0]).toMatchObject({ day: DAY });
    expect(await coverage()).toMatchObject({ through: NEXT });
  });

  test('by hand is read only in a run for that day, and the next day is by hand too', async () => {
    await publishWrongly(table(), DAY, 1, 3);
    await publishWrongly(table(), NEXT, 4, 7);
    await requestRestatement(store(), DAY, { ...restatement, isByHand: true });
    expect(await runFor(DAY)).toMatchObject({ restated: [DAY], final: true });
    expect(await listRestatements(store())).toMatchObject([{ day: NEXT, restatement: { isByHand: true } }]);
  });

  test('is not final while the nodes do not reach it any more', async () => {
    await publishWrongly(table(), NEXT, 5, 7);
    await request(NEXT);
    const behind = answerFrom(sampleBlocks.slice(0, 7));
    expect(await runFor(NEXT, behind)).toMatchObject({ outcome: 'up to date', restated: [], final: false });
  });

  test('but without figures is read for the first time', async () => {
    await request(NEXT);
    expect(await runFor(NEXT)).toMatchObject({ restated: [], days: [NEXT], final: true });
    expect(await stored()).toEqual([{ ...completeDays[1], ...sampleSums(5, 7) }]);
  });
});
