import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { fastClock } from '../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { type GivenRun, runIngest } from '../../support/run-ingest.ts';
import { answerFrom, blockAt } from '../../support/sample-chain.ts';
import { at, completeDays, DAY, sampleBlock, sampleBlocks, storedDays } from '../../support/sample-days.ts';
import { blockResponse, hex } from '../../support/seal.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const answerWell = answerFrom(sampleBlocks);
const startGood = () => startJsonRpcServer(answerWell);
const stored = () => storedDays(table());
const checkpointOf = (day: string) => getCheckpoint(chainStore(table(), 'ETHEREUM'), day);

const isAboutHeader = (number: number, { method, params: [at] }: Call) =>
  method === 'eth_getBlockByNumber' && at === hex(number);

/** Starts a node with another timestamp of a block under the same hash, for the first requests or always. */
const startWrong = (number: number, timestamp: number, times = Infinity) => {
  let returned = 0;
  const block = blockAt(sampleBlocks, number);
  return startJsonRpcServer(
    (call): NodeResponse =>
      isAboutHeader(number, call) && returned++ < times
        ? { result: { ...blockResponse(block, call.params[1] === true), timestamp: hex(timestamp) } }
        : answerWell(call),
  );
};

describe('a timestamp on the wrong side of midnight, from one endpoint,', () => {
  test.each([
    ["of the next day's first block", 5, at(0, 86_399)],
    ["of the day's last block", 4, at(1, 0)],
    ['of the first block of the first day', 1, at(-1, 86_399)],
    ['of the last block before the first day', 0, at(0, 0)],
  ])('%s is not proven, and another endpoint is used', async (_, number, timestamp) => {
    await using wrong = await startWrong(number, timestamp);
    await using good = await startGood();
    expect(await runIngest(table(), [wrong, good])).toMatchObject({
      outcome: 'up to date',
      faults: { [wrong.host]: { 'not proven': expect.any(Number) } },
      notProven: [
        expect.stringMatching(`^${wrong.host}: ETHEREUM block ${number}: hash: the header does not hash`),
      ],
    });
    expect(await stored()).toEqual(completeDays);
  });
});

describe('where nodes are accepted that cannot be proven, such a timestamp', () => {
  const run = (nodes: readonly JsonRpcServer[], given: GivenRun = {}) =>
    runIngest(table(), nodes, { evidence: 'checked', ...given });

  test.each([
    ["of the next day's first block", 5, at(0, 86_399)],
    ["of the day's last block", 4, at(1, 0)],
  ])('%s is not published while that endpoint persists', async (_, number, timestamp) => {
    await using wrong = await startWrong(number, timestamp);
    await using good = await startGood();
    for (let runs = 0; runs < 2; runs++) {
      const { outcome, reason, days } = await run([wrong, good]);
      expect(outcome).toBe('failed');
      expect(reason).toMatch(
        new RegExp(
          `^ETHEREUM block ${number}: endpoints disagree. ${wrong.host} reports .* ${good.host} reports`,
        ),
      );
      expect(days).not.toContain(DAY);
    }
    expect(await stored()).toEqual(completeDays.slice(2));
  });

  test("of the next day's first block orphans the progress once that endpoint is gone, and the day starts over", async () => {
    await using wrong = await startWrong(5, at(0, 86_399));
    await using good = await startGood();
    await run([wrong, good]);
    expect((await checkpointOf(DAY)).progress?.last?.number).toBe(5);

    expect((await run([good])).reason).toContain('ETHEREUM block 5, read as');
    expect((await checkpointOf(DAY)).progress).toBeUndefined();
    expect(await run([good])).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test("of the day's last block has no effect once that endpoint is gone", async () => {
    await using wrong = await startWrong(4, at(1, 0));
    await using good = await startGood();
    await run([wrong, good]);
    expect(await run([good])).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('that was returned once ends one run, and the next one is right', async () => {
    await using wrong = await startWrong(5, at(0, 86_399), 1);
    await using good = await startGood();
    expect(await run([wrong, good])).toMatchObject({
      outcome: 'failed',
      days: ['2026-11-20'],
      reason: expect.stringContaining('was reorged'),
    });
    expect(await run([wrong, good])).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('that a single node returned once is found as well', async () => {
    await using node = await startWrong(5, at(0, 86_399), 1);
    expect((await run([node])).reason).toContain('was reorged');
    expect(await run([node])).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test.each([
    ['the first block of the first day', 1, at(-1, 86_399)],
    ['the last block before the first day', 0, at(0, 0)],
  ])('of %s is found before any block is read', async (_, number, timestamp) => {
    await using wrong = await startWrong(number, timestamp);
    await using once = await startWrong(number, timestamp, 1);
    await using good = await startGood();
    expect(await run([wrong, good])).toMatchObject({
      outcome: 'failed',
      blocks: 0,
      reason: expect.stringContaining('endpoints disagree'),
    });
    expect(await run([once, good])).toMatchObject({
      outcome: 'failed',
      blocks: 0,
      reason: `ETHEREUM block ${number}: ${once.host} reported ${sampleBlock(number).hash} at ${timestamp}, which no endpoint confirms`,
    });
    expect(await checkpointOf(DAY)).toEqual({ day: DAY, sequence: 0 });
    expect(await run([once, good])).toMatchObject({ outcome: 'up to date' });
  });
});

test('a block that no other endpoint calls final yet ends the run without a failure', async () => {
  await using ahead = await startGood();
  await using behind = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 3 }));
  const fast = fastClock();
  const offset = at(0, 86_399) * 1_000 - fast.now();
  const clock = { ...fast, now: () => fast.now() + offset };
  const report = await runIngest(table(), [ahead, behind], { clock });
  expect(report).toMatchObject({ outcome: 'up to date', days: [], blocks: 4 });
  expect(report).not.toHaveProperty('reason');
  expect((await checkpointOf(DAY)).progress?.last?.number).toBe(4);
});
