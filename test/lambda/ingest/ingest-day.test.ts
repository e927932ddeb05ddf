import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays, type UtcDay } from '../../../lambda/chains/utc-day.ts';
import { publishDay } from '../../../lambda/ingest/complete-day.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { Progress } from '../../../lambda/store/checkpoint-item.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getStoredDay } from '../../../lambda/store/stored-days.ts';
import { hashOf } from '../../support/builders.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { endAfter, type GivenRun, runIngest, silentFrom } from '../../support/run-ingest.ts';
import { answerFrom } from '../../support/sample-chain.ts';
import { completeDays, DAY, sampleBlock, sampleBlocks, storedDays } from '../../support/sample-days.ts';
import { blockResponse } from '../../support/seal.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const answerWell = answerFrom(sampleBlocks);
const startGood = () => startJsonRpcServer(answerWell);
const run = (nodes: readonly JsonRpcServer[], given?: GivenRun) => runIngest(table(), nodes, given);

async function runAgainst(answer: (call: Call) => NodeResponse, given?: GivenRun) {
  await using node = await startJsonRpcServer(answer);
  return await run([node], given);
}

const isAboutHeader = (number: number, { method, params: [at] }: Call) =>
  method === 'eth_getBlockByNumber' && at === `0x${number.toString(16)}`;

const checkpointOf = (day: UtcDay) => getCheckpoint(store(), day);
const stored = () => storedDays(table());

/** While the second day is the newest, so that the first is read first. */
const early = answerFrom(sampleBlocks, { finalized: 7 });

/** Aborts a run after it counted some blocks. The node does not answer for later blocks. */
const runUntilCounted = (blocks: number, silent: number) =>
  runAgainst(silentFrom(silent, early), endAfter(blocks));

describe('an aborted run', () => {
  test('saves its progress, though a node is silent', async () => {
    expect(await runUntilCounted(2, 4)).toMatchObject({ outcome: 'out of time', days: [], blocks: 2 });
    expect((await checkpointOf(DAY)).progress).toMatchObject({
      last: { number: 2 },
      totals: { blocks: 2 },
      provenBlocks: 2,
    });
    expect(await stored()).toEqual([]);
  });

  test('is continued: runs of one block each give the figures of one long run', async () => {
    for (let number = 1; number < 6; number++) {
      expect(await runUntilCounted(1, number + 2)).toMatchObject({ outcome: 'out of time', blocks: 1 });
    }
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });
});

test('does not read blocks after midnight again for the next day', async () => {
  await using node = await startJsonRpcServer(early);
  expect(await run([node])).toMatchObject({ outcome: 'up to date', blocks: 7 });
  const read = node.calls.filter(({ method }) => method === 'eth_getBlockReceipts');
  expect(read.map(({ params: [number] }) => Number(number)).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('cross-checks the last block of a day once', async () => {
  await using node = await startJsonRpcServer(early);
  await run([node]);
  // Once to find the first day, once as a block, and five times because no other endpoint can confirm it.
  expect(node.calls.filter((call) => isAboutHeader(4, call))).toHaveLength(7);
});

describe('the evidence of a day', () => {
  const evidenceOf = async (day: UtcDay) => {
    const { evidence, proven_blocks, confirmed_by } = (await getStoredDay(store(), day)) ?? {};
    return { evidence, proven_blocks, confirmed_by };
  };
  /** A node that leaves a hashed field out of one block. */
  const lacking = (number: number) => (call: Call) => {
    const block = sampleBlocks[number];
    return block && isAboutHeader(number, call)
      ? { result: { ...blockResponse(block, call.params[1] === true), mixHash: undefined } }
      : answerWell(call);
  };

  test('is proven, and names the hosts that agree on its last hash', async () => {
    await using a = await startGood();
    await using b = await startGood();
    await run([a, b]);
    const both = [a.host, b.host].toSorted();
    expect(await evidenceOf(DAY)).toEqual({ evidence: 'proven', proven_blocks: 4, confirmed_by: both });
    expect(await evidenceOf(addDays(DAY, 1))).toEqual({
      evidence: 'proven',
      proven_blocks: 3,
      confirmed_by: both,
    });
  });

  test('of a day without blocks is proven, and names no host', async () => {
    await runAgainst(answerWell);
    expect(await evidenceOf(addDays(DAY, 2))).toEqual({
      evidence: 'proven',
      proven_blocks: 0,
      confirmed_by: [],
    });
  });

  test('names the only endpoint, which confirmed its own block', async () => {
    await using node = await startGood();
    await run([node]);
    expect((await evidenceOf(DAY)).confirmed_by).toEqual([node.host]);
  });

  test('does not name an endpoint that does not have the last block', async () => {
    await using a = await startGood();
    await using b = await startJsonRpcServer((call) =>
      isAboutHeader(4, call) ? { error: { code: 4444, message: 'pruned' } } : answerWell(call),
    );
    await run([a, b]);
    expect((await evidenceOf(DAY)).confirmed_by).toEqual([a.host]);
  });

  test('is checked as soon as one block is not proven, which the policy must allow', async () => {
    expect(await runAgainst(lacking(2))).toMatchObject({
      outcome: 'failed',
      days: ['2026-11-20'],
      reason: expect.stringContaining('ETHEREUM block 2: mixHash: the node left it out'),
      notProven: [expect.stringContaining('mixHash')],
    });
    expect(await stored()).toEqual(completeDays.slice(2));
    expect(await runAgainst(lacking(2), { evidence: 'checked' })).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
    expect(await evidenceOf(DAY)).toMatchObject({ evidence: 'checked', proven_blocks: 3 });
    expect(await evidenceOf(addDays(DAY, 1))).toMatchObject({ evidence: 'proven', proven_blocks: 3 });
  });

  test('is checked when part of its blocks were counted by release 0.1.0', async () => {
    await runUntilCounted(2, 4);
    const checkpoint = await checkpointOf(DAY);
    const { progress } = checkpoint;
    await saveCheckpoint(store(), checkpoint, progress && { ...progress, provenBlocks: 0 });
    await runAgainst(answerWell);
    expect(await stored()).toEqual(completeDays);
    expect(await evidenceOf(DAY)).toMatchObject({ evidence: 'checked', proven_blocks: 2 });
  });
});

describe('orphaned progress', () => {
  /** Progress that follows a block of a fork. */
  const onFork = (number: number): Progress => ({
    ...startProgress(DAY, { number, hash: hashOf(`fork ${number}`), host: 'gone.example' }),
    first: sampleBlock(1),
    totals: { ...NO_TOTALS, blocks: number, transactions: 77 },
    hosts: ['old.example'],
  });

  test('is discarded, and the day starts over', async () => {
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, onFork(3));
    expect(await runAgainst(answerWell)).toMatchObject({
      outcome: 'failed',
      days: ['2026-11-20'],
      reason: expect.stringContaining('ETHEREUM block 3, read as'),
    });
    expect(await checkpointOf(DAY)).toEqual({ day: DAY, sequence: 2 });
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('is kept when no endpoint can decide', async () => {
    const progress = onFork(3);
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, progress);
    const mute = (call: Call): NodeResponse =>
      isAboutHeader(3, call) ? { error: { code: -32000, message: 'pruned' } } : answerWell(call);
    expect(await runAgainst(mute)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('No endpoint gave a valid response'),
    });
    expect((await checkpointOf(DAY)).progress).toEqual(progress);
  });

  test('after a final day is reported, and nothing is published', async () => {
    const complete = { progress: onFork(4), next: sampleBlock(5), confirmedBy: [] };
    expect(await publishDay(store(), complete, 0)).toBeUndefined();
    expect(await runAgainst(answerWell)).toMatchObject({
      outcome: 'failed',
      days: ['2026-11-20'],
      reason: expect.stringContaining('If this block ends a final day, restate that day'),
    });
  });
});
