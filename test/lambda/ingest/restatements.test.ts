import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';
import { publishDay } from '../../../lambda/ingest/complete-day.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { Progress } from '../../../lambda/store/checkpoint-item.ts';
import { saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { getDay } from '../../../lambda/store/days.ts';
import { listRestatements, replaceDay, requestRestatement } from '../../../lambda/store/restatements.ts';
import { hashOf, provenance } from '../../support/builders.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { endAfter, type GivenRun, runIngest, silentFrom } from '../../support/run-ingest.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  sampleBlock,
  sampleBlocks,
  sampleTimes,
  storedDays,
} from '../../support/sample-days.ts';
import { useTable } from '../../support/table.ts';

const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const NEXT = addDays(DAY, 1);
const answerWell = answerFrom(sampleBlocks);
const startGood = () => startJsonRpcServer(answerWell);
const stored = () => storedDays(table());
const run = (nodes: readonly JsonRpcServer[], given?: GivenRun) => runIngest(table(), nodes, given);

async function runAgainst(answer: (call: Call) => NodeResponse, given?: GivenRun) {
  await using node = await startJsonRpcServer(answer);
  return await run([node], given);
}

/** Returns the numbers of the blocks whose receipts were requested. */
const blocksAskedOf = ({ calls }: JsonRpcServer) =>
  calls
    .filter(({ method }) => method === 'eth_getBlockReceipts')
    .map(({ params: [number] }) => Number(number));

const forkBlock = (number: number) => ({ number, hash: hashOf(`fork ${number}`) });

/** Returns the progress of a day with wrong sums. */
const wrongProgress = (day: string, first: number, last: number): Progress => ({
  ...startProgress(day, sampleBlock(last)),
  first: sampleBlock(first),
  totals: { ...NO_TOTALS, blocks: last - first + 1, transactions: 77 },
  hosts: ['old.example'],
});
const publishWrongly = (day: string, first: number, last: number) => publish(wrongProgress(day, first, last));
/** Publishes a day as if the next block came after it. */
const publish = async (progress: Progress, next = sampleBlock((progress.last?.number ?? 0) + 1)) =>
  expect(await publishDay(store(), { progress, next, confirmedBy: [] }, 0)).toBeUndefined();

async function itemOf(day: string) {
  const get = new GetCommand({ TableName: table().name, Key: { chain: 'ETHEREUM', date: day } });
  return (await table().documents.send(get)).Item;
}

/** Aborts a run after it counted some blocks. The node does not answer for later blocks. */
const runUntilCounted = (blocks: number, silent: number) =>
  runAgainst(silentFrom(silent, answerWell), endAfter(blocks));

describe('a day that is not contiguous with those around it', () => {
  beforeEach(() => publishWrongly(NEXT, 4, 7));

  test('is refused, and nothing is deleted', async () => {
    const before = await stored();
    const newest = addDays(NEXT, 1);
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'conflict', days: [newest] });
    expect((await stored()).filter(({ day }) => day !== newest)).toEqual(before);
  });

  test('is published after the wrong day is restated', async () => {
    await requestRestatement(store(), NEXT, {
      reason: 'overlaps',
      requestedAt: '2026-11-25T08:00:00Z',
    });
    expect(await runAgainst(answerWell)).toMatchObject({
      outcome: 'conflict',
      restated: [NEXT],
    });
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });
});

describe('a restatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  const request = (day = DAY) => requestRestatement(store(), day, restatement);
  const requested = async () => (await listRestatements(store()))[0];
  const coverage = () => getCoverage(store());

  /** Publishes all days, the first with wrong sums. */
  async function withWrongDay() {
    await publishWrongly(DAY, 1, 4);
    await runAgainst(answerWell);
  }

  test('replaces the figures and keeps the old ones', async () => {
    await withWrongDay();
    const old = await itemOf(DAY);
    await request();
    await using node = await startGood();
    expect(await run([node])).toMatchObject({
      outcome: 'up to date',
      days: [],
      restated: [DAY],
      blocks: 4,
    });
    expect(await stored()).toEqual(completeDays);
    const { chain: _chain, date: _date, ...kept } = old ?? {};
    expect(await itemOf(DAY)).toMatchObject({
      revision: 2n,
      endpoint_hosts: [node.host],
      restated: [
        {
          ...kept,
          transaction_count: 77n,
          endpoint_hosts: ['old.example'],
          reason: 'a node lied',
          requested_at: '2026-11-25T08:00:00Z',
          restated_at: expect.any(String),
        },
      ],
    });
  });

  test('deletes the request and increments the revision of the coverage', async () => {
    await withWrongDay();
    const before = await coverage();
    await request();
    await runAgainst(answerWell);
    expect(await requested()).toBeUndefined();
    expect((await coverage())?.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(await runAgainst(answerWell)).toMatchObject({
      outcome: 'up to date',
      days: [],
      restated: [],
      blocks: 0,
    });
  });

  test('does not affect the lag', async () => {
    await withWrongDay();
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({ restated: [DAY], lagSeconds: 0 });
  });

  test('may take several runs, with the old figures until the last', async () => {
    await withWrongDay();
    await request();
    expect(await runUntilCounted(2, 4)).toMatchObject({ outcome: 'out of time', blocks: 2 });
    expect(await requested()).toMatchObject({ day: DAY, restatement, progress: { last: { number: 2 } } });
    expect((await getDay(store(), DAY))?.totals.transactions).toBe(77);

    await using node = await startGood();
    expect(await run([node])).toMatchObject({ outcome: 'up to date', restated: [DAY], blocks: 2 });
    expect(blocksAskedOf(node)).not.toContain(2);
    expect(await stored()).toEqual(completeDays);
    expect(await itemOf(DAY)).toMatchObject({ revision: 2n });
  });

  test('is idempotent for the same reason and time', async () => {
    await withWrongDay();
    await request();
    await runAgainst(answerWell);
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date', restated: [], blocks: 0 });
    expect(await itemOf(DAY)).toMatchObject({ revision: 2n });
    expect(await requested()).toBeUndefined();
  });

  test('extends to the next day when the two are not contiguous any more', async () => {
    await publishWrongly(DAY, 1, 3);
    await publishWrongly(NEXT, 4, 7);
    await runAgainst(answerWell);
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({
      outcome: 'up to date',
      restated: [DAY, NEXT],
      blocks: 7,
    });
    expect(await stored()).toEqual(completeDays);
    expect(await itemOf(NEXT)).toMatchObject({
      revision: 2n,
      restated: [
        { reason: 'the day before was restated: a node lied', requested_at: '2026-11-25T08:00:00Z' },
      ],
    });
    expect(await requested()).toBeUndefined();
  });

  test('is completed first in the next run after a crash', async () => {
    await withWrongDay();
    await request();
    const figures = await getDay(store(), DAY);
    if (!figures) throw new Error('the day is final');
    await replaceDay(store(), figures, provenance(), restatement);
    const before = await coverage();

    const oneMore = answerFrom(sampleChain([...sampleTimes, at(3, 24)]));
    const broken = (call: Call): NodeResponse =>
      call.method === 'eth_getBlockReceipts' ? { result: null } : oneMore(call);
    expect(await runAgainst(broken)).toMatchObject({
      outcome: 'failed',
      restated: [],
      blocks: 0,
    });
    expect(await requested()).toBeUndefined();
    expect((await coverage())?.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(await itemOf(DAY)).toMatchObject({ revision: 2n });
  });

  test('by hand is skipped, and the one after it is not', async () => {
    await withWrongDay();
    await requestRestatement(store(), DAY, { ...restatement, isByHand: true });
    await request(NEXT);
    await using node = await startGood();
    expect(await run([node])).toMatchObject({ outcome: 'up to date', restated: [NEXT] });
    expect(await stored()).toMatchObject([{ day: DAY, transactions: 77 }, completeDays[1], completeDays[2]]);
    expect(await requested()).toMatchObject({ day: DAY, restatement: { isByHand: true } });
  });

  test('of a day that is not final is dropped', async () => {
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date', restated: [] });
    expect(await stored()).toEqual(completeDays);
    expect(await itemOf(DAY)).toMatchObject({ revision: 1n });
    expect(await requested()).toBeUndefined();
  });

  test('does not use the progress of a first reading', async () => {
    await withWrongDay();
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, wrongProgress(DAY, 1, 3));
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({ restated: [DAY], blocks: 4 });
    expect(await stored()).toEqual(completeDays);
  });

  test('that fails blocks no other day and is retried in the next run', async () => {
    await publishWrongly(DAY, 1, 4);
    await request();
    const pruned = (call: Call): NodeResponse =>
      call.method === 'eth_getBlockReceipts' && call.params[0] === '0x3'
        ? { error: { code: -32000, message: 'pruned history' } }
        : answerWell(call);
    expect(await runAgainst(pruned)).toMatchObject({
      outcome: 'failed',
      days: [addDays(DAY, 2), NEXT],
      reason: expect.stringContaining('pruned history'),
    });
    expect(await requested()).toMatchObject({ day: DAY, progress: { last: { number: 1 } } });
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date', restated: [DAY] });
  });

  test('of a day before genesis is refused', async () => {
    const early = addDays(DAY, -2);
    await publishWrongly(early, 0, 0);
    await request(early);
    expect(await runAgainst(answerWell)).toMatchObject({
      outcome: 'conflict',
      reason: 'ETHEREUM 2026-11-16 is final, but the chain begins on 2026-11-17. Delete that day.',
    });
  });

  test('in conflict takes precedence over a missing day that fails', async () => {
    const early = addDays(DAY, -2);
    await publishWrongly(early, 0, 0);
    await request(early);
    const pruned = (call: Call): NodeResponse =>
      call.method === 'eth_getBlockReceipts' && call.params[0] === '0x3'
        ? { error: { code: -32000, message: 'pruned history' } }
        : answerWell(call);
    expect(await runAgainst(pruned)).toMatchObject({ outcome: 'conflict' });
  });

  test('of a day with an orphaned last block is done, though the next day fails', async () => {
    await publish({ ...wrongProgress(DAY, 1, 4), last: forkBlock(4) }, forkBlock(5));
    await request(DAY);
    expect(await runAgainst(answerWell)).toMatchObject({ restated: [DAY] });
    await runAgainst(answerWell);
    expect(await stored()).toEqual(completeDays);
  });

  test('of a day that ended too early is done, though the next day fails', async () => {
    await publishWrongly(DAY, 1, 3);
    await request(DAY);
    expect(await runAgainst(answerWell)).toMatchObject({ restated: [DAY] });
    await runAgainst(answerWell);
    expect(await stored()).toEqual(completeDays);
  });

  test('discards the progress of the next day when the two are not contiguous any more', async () => {
    const upToSix = answerFrom(sampleBlocks, { finalized: 6 });
    await publishWrongly(DAY, 1, 5);
    await runAgainst(upToSix);
    await request(DAY);
    expect(await runAgainst(upToSix)).toMatchObject({ restated: [DAY] });
    expect(await runAgainst(answerWell)).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('extends to the next day when the last block has another hash', async () => {
    await publish({ ...wrongProgress(DAY, 1, 4), last: forkBlock(4) }, forkBlock(5));
    await publish({ ...wrongProgress(NEXT, 5, 7), first: forkBlock(5) });
    await request(DAY);
    expect(await runAgainst(answerWell)).toMatchObject({ restated: [DAY, NEXT] });
    expect(await stored()).toEqual(completeDays);
  });
});
