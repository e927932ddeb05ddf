import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import { addDays } from '../../../lambda/chains/utc-day.ts';
import { ingestDays } from '../../../lambda/ingest/ingest-days.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { DayConflictError, publishDay } from '../../../lambda/ingest/publish.ts';
import { OrphanedBlockError } from '../../../lambda/ingest/reorg.ts';
import { type RunStats, startRunStats } from '../../../lambda/ingest/report.ts';
import { NoEndpointError } from '../../../lambda/rpc/retry.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import type { Progress } from '../../../lambda/store/checkpoint-item.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
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
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { at, completeDays, DAY, sampleBlocks, sampleTimes, storedDays } from '../../support/sample-days.ts';
import { sourceOf } from '../../support/source.ts';
import { useTable } from '../../support/table.ts';

const ethereum = chainOf('ETHEREUM');
const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const NEXT = addDays(DAY, 1);
const answerWell = answerFrom(sampleBlocks);
const startGood = () => startJsonRpcServer(answerWell);
const stored = () => storedDays(table());

/** Runs the ingest; returns its outcome or error with the days. */
async function run(
  nodes: readonly JsonRpcServer[],
  { from = DAY, signal = new AbortController().signal, stats = startRunStats('ETHEREUM', 0) } = {},
) {
  const source = await sourceOf(ethereum, nodes, { signal });
  const end = await ingestDays({ source, store: chainStore(table(), 'ETHEREUM'), from, stats }).catch(
    (error: unknown) => error,
  );
  const { days, restated, blocks } = stats;
  return { end, days, restated, blocks };
}

async function runAgainst(answer: (call: Call) => NodeResponse, options?: Parameters<typeof run>[1]) {
  await using node = await startJsonRpcServer(answer);
  return await run([node], options);
}

/** Returns the numbers of the blocks whose receipts were requested. */
const blocksAskedOf = ({ calls }: JsonRpcServer) =>
  calls
    .filter(({ method }) => method === 'eth_getBlockReceipts')
    .map(({ params: [number] }) => Number(number));

const isAboutHeader = (number: number, { method, params: [at] }: Call) =>
  method === 'eth_getBlockByNumber' && at === `0x${number.toString(16)}`;

const block = (number: number, name = 'sample') => ({ number, hash: hashOf(`${name} ${number}`) });

/** Returns the progress of a day with wrong sums. */
const wrongProgress = (day: string, first: number, last: number): Progress => ({
  ...startProgress(day, block(last)),
  first: block(first),
  totals: { ...NO_TOTALS, blocks: last - first + 1, transactions: 77 },
  hosts: ['old.example'],
});
const publishWrongly = (day: string, first: number, last: number) => publish(wrongProgress(day, first, last));
/** Publishes a day as if the next block came after it. */
const publish = (progress: Progress, next = block((progress.last?.number ?? 0) + 1)) =>
  publishDay(store(), progress, next, 0);

const checkpointOf = (day: string) => getCheckpoint(store(), day);
async function itemOf(day: string) {
  const get = new GetCommand({ TableName: table().name, Key: { chain: 'ETHEREUM', date: day } });
  return (await table().documents.send(get)).Item;
}

const OUT_OF_TIME = new Error('out of time');

/** Aborts a run after it counted some blocks. The node does not answer for later blocks. */
async function runUntilCounted(blocks: number, silentFrom: number) {
  const end = new AbortController();
  let counted = 0;
  const stats: RunStats = Object.defineProperty(startRunStats('ETHEREUM', 0), 'blocks', {
    get: () => counted,
    set: (value: number) => {
      counted = value;
      if (counted === blocks) end.abort(OUT_OF_TIME);
    },
  });
  const answer = (call: Call): NodeResponse =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) >= silentFrom
      ? { hang: true }
      : answerWell(call);
  return await runAgainst(answer, { signal: end.signal, stats });
}

describe('an aborted run', () => {
  test('saves its progress, though a node is silent', async () => {
    expect(await runUntilCounted(2, 4)).toEqual({ end: OUT_OF_TIME, days: [], restated: [], blocks: 2 });
    expect((await checkpointOf(DAY)).progress).toMatchObject({ last: { number: 2 }, totals: { blocks: 2 } });
    expect(await stored()).toEqual([]);
  });

  test('is continued: runs of one block each give the figures of one long run', async () => {
    for (let number = 1; number < 8; number++) {
      expect((await runUntilCounted(1, number + 2)).end).toBe(OUT_OF_TIME);
    }
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });
});

test('does not read blocks after midnight again for the next day', async () => {
  await using node = await startGood();
  expect(await run([node])).toMatchObject({ end: 'up to date', blocks: 9 });
  expect(blocksAskedOf(node).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('cross-checks the last block of a day once, also before a day without blocks', async () => {
  await using node = await startGood();
  await run([node]);
  // Once as a block, and five times because no other endpoint can confirm it.
  expect(node.calls.filter((call) => isAboutHeader(7, call))).toHaveLength(6);
});

describe('a timestamp on the wrong side of midnight, from one endpoint,', () => {
  /** Returns another timestamp of a block, for the first requests or always. */
  const startWrong = (number: number, timestamp: number, times = Infinity) => {
    let returned = 0;
    return startJsonRpcServer((call) =>
      isAboutHeader(number, call) && returned++ < times
        ? { result: { ...sampleBlocks[number]?.header, timestamp } }
        : answerWell(call),
    );
  };

  test.each([
    ["of the next day's first block", 5, at(0, 86_399)],
    ["of the day's last block", 4, at(1, 0)],
  ])('%s is not published while that endpoint persists', async (_, number, timestamp) => {
    await using wrong = await startWrong(number, timestamp);
    await using good = await startGood();
    for (let runs = 0; runs < 2; runs++) {
      const { end, days } = await run([wrong, good]);
      expect(end).toBeInstanceOf(BlockError);
      expect(end).toMatchObject({
        message: expect.stringMatching(
          `^ETHEREUM block ${number}: endpoints disagree: ${wrong.host} reports .* ${good.host} reports`,
        ),
      });
      expect(days).toEqual([]);
    }
    expect(await stored()).toEqual([]);
  });

  test("of the next day's first block orphans the progress once that endpoint is gone, and the day starts over", async () => {
    await using wrong = await startWrong(5, at(0, 86_399));
    await using good = await startGood();
    await run([wrong, good]);
    expect((await checkpointOf(DAY)).progress?.last?.number).toBe(5);

    expect((await run([good])).end).toBeInstanceOf(OrphanedBlockError);
    expect((await checkpointOf(DAY)).progress).toBeUndefined();
    expect(await run([good])).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test("of the day's last block has no effect once that endpoint is gone", async () => {
    await using wrong = await startWrong(4, at(1, 0));
    await using good = await startGood();
    await run([wrong, good]);
    expect(await run([good])).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('that was returned once ends one run, and the next one is right', async () => {
    await using wrong = await startWrong(5, at(0, 86_399), 1);
    await using good = await startGood();
    const { end, days } = await run([wrong, good]);
    expect(end).toBeInstanceOf(OrphanedBlockError);
    expect(days).toEqual([]);
    expect(await run([wrong, good])).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('that a single node returned once is found as well', async () => {
    await using node = await startWrong(5, at(0, 86_399), 1);
    expect((await run([node])).end).toBeInstanceOf(OrphanedBlockError);
    expect(await run([node])).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test.each([
    ['the first block of the first day', 1, at(-1, 86_399)],
    ['the last block before the first day', 0, at(0, 0)],
  ])('of %s is found before any block is read', async (_, number, timestamp) => {
    await using wrong = await startWrong(number, timestamp);
    await using once = await startWrong(number, timestamp, 1);
    await using good = await startGood();
    const persistent = await run([wrong, good]);
    expect(persistent).toMatchObject({ end: expect.any(BlockError), blocks: 0 });
    expect(persistent.end).toMatchObject({ message: expect.stringContaining('endpoints disagree') });

    const wasOnce = await run([once, good]);
    expect(wasOnce).toMatchObject({ end: expect.any(BlockError), blocks: 0 });
    expect(wasOnce.end).toMatchObject({
      message: `ETHEREUM block ${number}: ${once.host} reported ${block(number).hash} at ${timestamp}, and no endpoint confirms it`,
    });
    expect(await checkpointOf(DAY)).toEqual({ day: DAY, sequence: 0 });
    expect(await run([once, good])).toMatchObject({ end: 'up to date' });
  });
});

describe('orphaned progress', () => {
  test('is discarded, and the day starts over', async () => {
    const onFork = { ...wrongProgress(DAY, 1, 3), last: { ...block(3, 'fork'), host: 'gone.example' } };
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, onFork);
    expect(await runAgainst(answerWell)).toMatchObject({ end: expect.any(OrphanedBlockError), days: [] });
    expect(await checkpointOf(DAY)).toEqual({ day: DAY, sequence: 2 });
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('is kept when no endpoint can decide', async () => {
    const progress = { ...wrongProgress(DAY, 1, 3), last: { ...block(3, 'fork'), host: 'gone.example' } };
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, progress);
    const mute = (call: Call): NodeResponse =>
      isAboutHeader(3, call) ? { error: { code: -32000, message: 'pruned' } } : answerWell(call);
    expect(await runAgainst(mute)).toMatchObject({ end: expect.any(NoEndpointError) });
    expect((await checkpointOf(DAY)).progress).toEqual(progress);
  });

  test('after a final day is reported, and nothing is published', async () => {
    await publish({ ...wrongProgress(DAY, 1, 4), last: block(4, 'fork') });
    const { end, days } = await runAgainst(answerWell);
    expect(end).toBeInstanceOf(OrphanedBlockError);
    expect(end).toMatchObject({
      message: expect.stringContaining('If it is the last block of a final day, restate that day'),
    });
    expect(days).toEqual([]);
  });
});

describe('a day that is not contiguous with those around it', () => {
  beforeEach(() => publishWrongly(NEXT, 4, 7));

  test('is refused, and nothing is deleted', async () => {
    const before = await stored();
    const { end, days } = await runAgainst(answerWell);
    expect(end).toBeInstanceOf(DayConflictError);
    expect(days).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  test('is published after the wrong day is restated', async () => {
    await requestRestatement(store(), NEXT, {
      reason: 'overlaps',
      requestedAt: '2026-11-25T08:00:00Z',
    });
    expect(await runAgainst(answerWell)).toMatchObject({
      end: expect.any(DayConflictError),
      restated: [NEXT],
    });
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date' });
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
    expect(await run([node])).toEqual({ end: 'up to date', days: [], restated: [DAY], blocks: 4 });
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
    expect(await runAgainst(answerWell)).toEqual({ end: 'up to date', days: [], restated: [], blocks: 0 });
  });

  test('does not affect the lag', async () => {
    await withWrongDay();
    await request();
    await using node = await startGood();
    const stats = startRunStats('ETHEREUM', 0);
    await run([node], { stats });
    expect(stats.reached).toBe(at(3, 12));
  });

  test('may take several runs, with the old figures until the last', async () => {
    await withWrongDay();
    await request();
    expect(await runUntilCounted(2, 4)).toMatchObject({ end: OUT_OF_TIME, blocks: 2 });
    expect(await requested()).toMatchObject({ day: DAY, restatement, progress: { last: { number: 2 } } });
    expect((await getDay(store(), DAY))?.totals.transactions).toBe(77);

    await using node = await startGood();
    expect(await run([node])).toMatchObject({ end: 'up to date', restated: [DAY], blocks: 2 });
    expect(blocksAskedOf(node)).not.toContain(2);
    expect(await stored()).toEqual(completeDays);
    expect(await itemOf(DAY)).toMatchObject({ revision: 2n });
  });

  test('is idempotent for the same reason and time', async () => {
    await withWrongDay();
    await request();
    await runAgainst(answerWell);
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date', restated: [], blocks: 0 });
    expect(await itemOf(DAY)).toMatchObject({ revision: 2n });
    expect(await requested()).toBeUndefined();
  });

  test('extends to the next day when the two are not contiguous any more', async () => {
    await publishWrongly(DAY, 1, 3);
    await publishWrongly(NEXT, 4, 7);
    await runAgainst(answerWell);
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({
      end: 'up to date',
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
      end: expect.any(NoEndpointError),
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
    expect(await run([node])).toMatchObject({ end: 'up to date', restated: [NEXT] });
    expect(await stored()).toMatchObject([{ day: DAY, transactions: 77 }, completeDays[1], completeDays[2]]);
    expect(await requested()).toMatchObject({ day: DAY, restatement: { isByHand: true } });
  });

  test('of a day that is not final is dropped', async () => {
    await request();
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date', restated: [] });
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
    const { end, days } = await runAgainst(pruned);
    expect(end).toBeInstanceOf(NoEndpointError);
    expect(days).toEqual([NEXT, addDays(DAY, 2)]);
    expect(await requested()).toMatchObject({ day: DAY, progress: { last: { number: 1 } } });
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date', restated: [DAY] });
  });

  test('of a day before genesis is refused', async () => {
    const early = addDays(DAY, -2);
    await publishWrongly(early, 0, 0);
    await request(early);
    const { end } = await runAgainst(answerWell);
    expect(end).toBeInstanceOf(DayConflictError);
    expect(end).toMatchObject({
      message:
        'ETHEREUM 2026-11-16 is final, but the first block of the chain is of 2026-11-17. Check the endpoints.',
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
    expect((await runAgainst(pruned)).end).toBeInstanceOf(DayConflictError);
  });

  test('of a day with an orphaned last block is done, though the next day fails', async () => {
    await publish({ ...wrongProgress(DAY, 1, 4), last: block(4, 'fork') }, block(5, 'fork'));
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
    expect(await runAgainst(answerWell)).toMatchObject({ end: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('extends to the next day when the last block has another hash', async () => {
    await publish({ ...wrongProgress(DAY, 1, 4), last: block(4, 'fork') }, block(5, 'fork'));
    await publish({ ...wrongProgress(NEXT, 5, 7), first: block(5, 'fork') });
    await request(DAY);
    expect(await runAgainst(answerWell)).toMatchObject({ restated: [DAY, NEXT] });
    expect(await stored()).toEqual(completeDays);
  });
});

test('the coverage includes all days that a run publishes', async () => {
  await runAgainst(answerWell);
  expect(await getCoverage(store())).toMatchObject({ from: DAY, through: '2026-11-20' });
});
