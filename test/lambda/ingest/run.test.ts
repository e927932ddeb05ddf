import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { NO_TOTALS } from '../../../lambda/chains/totals.ts';
import type { Clock } from '../../../lambda/clock.ts';
import { startProgress } from '../../../lambda/ingest/progress.ts';
import { chainStore } from '../../../lambda/store/chain-store.ts';
import { getCheckpoint, saveCheckpoint } from '../../../lambda/store/checkpoints.ts';
import { getCoverage } from '../../../lambda/store/coverage.ts';
import { documentTable, openTable } from '../../../lambda/store/document-table.ts';
import type { Table } from '../../../lambda/store/table.ts';
import { embeddedAccess } from '../../../local/embedded-table.ts';
import { hashOf } from '../../support/builders.ts';
import { fastClock } from '../../support/clock.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';
import { type GivenRun, runIngest, silentFrom } from '../../support/run-ingest.ts';
import { answerFrom, blockAt, sampleChain } from '../../support/sample-chain.ts';
import { at, completeDays, DAY, sampleBlock, sampleBlocks, storedDays } from '../../support/sample-days.ts';
import { type RawBlock, sealBlock } from '../../support/seal.ts';
import { useTable } from '../../support/table.ts';

const ethereum = chainOf('ETHEREUM');
const table = useTable();
const store = () => chainStore(table(), 'ETHEREUM');
const stored = () => storedDays(table());
const checkpointOf = (day: string) => getCheckpoint(store(), day);

const AN_HOUR = 3_600_000;
/** Longer than reading all blocks takes. */
const A_WHILE = 300_000;

interface Given extends GivenRun {
  readonly on?: Table;
}

const run = (nodes: readonly JsonRpcServer[], { on = table(), ...given }: Given = {}) =>
  runIngest(on, nodes, given);

async function ingestFrom(answer: (call: Call) => NodeResponse | Promise<NodeResponse>, given: Given = {}) {
  await using node = await startJsonRpcServer(answer);
  return await run([node], given);
}

/** A clock that advances six seconds with each reading. */
function slowlyReadClock(): Clock {
  const clock = fastClock();
  let now = clock.now();
  return {
    ...clock,
    now: () => {
      now += 6_000;
      return now;
    },
  };
}

test('publishes each complete day with exact sums, and a day without blocks as zeros', async () => {
  const report = await ingestFrom(answerFrom(sampleBlocks));
  expect(report).toEqual({
    chain: 'ETHEREUM',
    outcome: 'up to date',
    days: ['2026-11-20', '2026-11-18', '2026-11-19'],
    restated: [],
    blocks: 9,
    seconds: expect.any(Number),
    blocksPerSecond: expect.any(Number),
    head: 9,
    headAgeSeconds: expect.any(Number),
    lagSeconds: 0,
    faults: {},
  });
  expect(await stored()).toEqual(completeDays);
});

test('reads nothing after the finalized block, and publishes a day when the next one has begun', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 7 }));
  expect(await run([node])).toMatchObject({ outcome: 'up to date', days: ['2026-11-18'] });
  expect(await stored()).toEqual(completeDays.slice(0, 1));
  expect(node.calls.filter(({ params: [number] }) => Number(number) > 7)).toEqual([]);
});

describe('while older days are missing', () => {
  const from = '2026-11-17';
  const prunedUntil = (number: number) => (call: Call) =>
    call.method === 'eth_getBlockReceipts' && Number(call.params[0]) < number
      ? { error: { code: -32000, message: 'pruned history' } }
      : answerFrom(sampleBlocks, { finalized: 8 })(call);

  test('publishes the newest complete day, though no node can serve the older ones', async () => {
    const report = await ingestFrom(prunedUntil(5), { from });
    expect(report).toMatchObject({ outcome: 'failed', days: ['2026-11-20'] });
    expect(await getCoverage(store())).toMatchObject({ from, through: '2026-11-16', last: '2026-11-20' });
    expect(await checkpointOf('2026-11-20')).toEqual({ day: '2026-11-20', sequence: 0 });
  });

  test('reads the newest complete day once, and then the older ones', async () => {
    expect(await ingestFrom(answerFrom(sampleBlocks, { finalized: 8 }), { from })).toMatchObject({
      days: ['2026-11-20', from, '2026-11-18', '2026-11-19'],
    });
    expect(await ingestFrom(answerFrom(sampleBlocks, { finalized: 8 }), { from })).toMatchObject({
      days: [],
    });
    expect(await getCoverage(store())).toMatchObject({ from, through: '2026-11-20', last: '2026-11-20' });
  });

  test('finishes the day before the newest first when that has begun', async () => {
    const begun = {
      ...startProgress('2026-11-19', sampleBlock(5)),
      first: sampleBlock(5),
      notBefore: at(1, 5),
    };
    await saveCheckpoint(store(), { day: '2026-11-19', sequence: 0 }, begun);
    const { days } = await ingestFrom(answerFrom(sampleBlocks, { finalized: 8 }), { from });
    expect(days).toEqual(['2026-11-19', '2026-11-20', from, '2026-11-18']);
  });

  test('settles a newest day whose publication a crash interrupted', async () => {
    await ingestFrom(prunedUntil(5), { from });
    const progress = startProgress('2026-11-20', sampleBlock(7));
    await saveCheckpoint(store(), { day: '2026-11-20', sequence: 0 }, progress);
    const item = {
      chain: 'ETHEREUM',
      date: 'coverage',
      revision: 9,
      from_day: from,
      through_day: '2026-11-16',
    };
    await table().documents.send(new PutCommand({ TableName: table().name, Item: item }));
    await ingestFrom(prunedUntil(5), { from });
    expect(await getCoverage(store())).toMatchObject({ last: '2026-11-20' });
    expect(await checkpointOf('2026-11-20')).toEqual({ day: '2026-11-20', sequence: 0 });
  });

  test('leaves a newest day before the first block of the chain out', async () => {
    const young = sampleChain([at(3, 0), at(3, 12), at(3, 24)]);
    expect(await ingestFrom(answerFrom(young), { from })).toMatchObject({ outcome: 'up to date', days: [] });
  });
});

test('without a start date, begins 30 days before its first run and keeps that day', async () => {
  const clock = { ...fastClock(), now: () => at(31, 0) * 1_000 };
  const late = { ...clock, now: () => at(40, 0) * 1_000 };
  expect(await ingestFrom(answerFrom(sampleBlocks), { clock, from: undefined })).toMatchObject({
    days: ['2026-11-20', '2026-11-19'],
  });
  await ingestFrom(answerFrom(sampleBlocks), { clock: late, from: undefined });
  expect(await getCoverage(store())).toMatchObject({
    from: '2026-11-19',
    begunAt: '2026-12-19T00:00:00.000Z',
  });
});

test('makes two calls per block, and reads only the boundary before the day', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks.slice(0, 5)));
  await run([node]);
  const counted = Object.groupBy(node.calls, ({ method }) => method);
  expect(counted.eth_getBlockReceipts?.map(({ params: [number] }) => number)).toEqual([
    '0x1',
    '0x2',
    '0x3',
    '0x4',
  ]);
});

test('the next run continues where the last one stopped', async () => {
  await ingestFrom(answerFrom(sampleBlocks, { finalized: 6 }));
  expect((await checkpointOf('2026-11-19')).progress?.last?.number).toBe(6);

  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  await run([node]);
  expect(node.calls.filter(({ params: [number] }) => number === '0x5' || number === '0x6')).toEqual([]);
  expect(await stored()).toEqual(completeDays);
});

describe('a run that is out of time', () => {
  const answerWell = answerFrom(sampleBlocks);
  /** While the second day is the newest, so that the first is read first. */
  const early = answerFrom(sampleBlocks, { finalized: 7 });

  test('saves its progress, though a node is silent', async () => {
    const report = await ingestFrom(silentFrom(4, early), { ms: A_WHILE });
    expect(report).toMatchObject({ outcome: 'out of time', days: [], blocks: 2 });
    expect(report).not.toHaveProperty('reason');
    expect((await checkpointOf(DAY)).progress).toMatchObject({ last: { number: 2 } });
    expect(await stored()).toEqual([]);
  });

  test('is continued by the next one', async () => {
    await ingestFrom(silentFrom(7, early), { ms: A_WHILE });
    expect(await stored()).toEqual(completeDays.slice(0, 1));
    await ingestFrom(answerWell);
    expect(await stored()).toEqual(completeDays);
  });

  test('ends when no node answered at all', async () => {
    expect(await ingestFrom(() => ({ hang: true }), { ms: A_WHILE })).toMatchObject({
      outcome: 'out of time',
      blocks: 0,
    });
  });

  test('ends at once when its time is over before it begins', async () => {
    expect(await ingestFrom(answerWell, { ms: -1 })).toMatchObject({
      outcome: 'out of time',
      days: [],
    });
  });
});

test('two concurrent runs publish each day once, with the same figures', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  const reports = await Promise.all([run([node]), run([node]), run([node])]);
  expect(reports.map(({ outcome }) => outcome)).toContain('up to date');
  await run([node]);
  expect(await stored()).toEqual(completeDays);
});

test('deletes the checkpoint of a final day without reading the day again', async () => {
  await ingestFrom(answerFrom(sampleBlocks, { finalized: 8 }));
  const left = startProgress(DAY, sampleBlock(2));
  await saveCheckpoint(store(), { day: DAY, sequence: 0 }, left);
  await table().documents.send(
    new DeleteCommand({ TableName: table().name, Key: { chain: 'ETHEREUM', date: 'coverage' } }),
  );

  await using node = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 8 }));
  expect(await run([node])).toMatchObject({ outcome: 'up to date', days: [], blocks: 0 });
  expect(await checkpointOf(DAY)).toEqual({ day: DAY, sequence: 0 });
  expect(await getCoverage(store())).toMatchObject({
    from: DAY,
    through: '2026-11-20',
    last: '2026-11-20',
  });
});

test('ends when another run has saved, and keeps the checkpoint of the other', async () => {
  const other = { ...startProgress(DAY, sampleBlock(4)), notBefore: at(0, 86_399) };
  const answer = answerFrom(sampleBlocks, { finalized: 7 });
  const report = await ingestFrom(
    async (call) => {
      if (call.params[0] === '0x2') await saveCheckpoint(store(), { day: DAY, sequence: 0 }, other);
      return answer(call);
    },
    { clock: slowlyReadClock(), ms: 1_000 * AN_HOUR },
  );
  expect(report).toMatchObject({ outcome: 'overtaken by another run', days: [] });
  expect((await checkpointOf(DAY)).progress).toMatchObject({ last: { number: 4 } });
});

test('saves the progress every few seconds', async () => {
  const clock = slowlyReadClock();
  await ingestFrom(answerFrom(sampleBlocks, { finalized: 3 }), { clock, ms: 1_000 * AN_HOUR });
  expect(await checkpointOf(DAY)).toMatchObject({ sequence: 3, progress: { last: { number: 3 } } });
});

test('waits for a start date in the future', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  expect(await run([node], { from: '2030-01-01' })).toMatchObject({ outcome: 'up to date', blocks: 0 });
  expect(node.calls.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_getBlockByNumber']);
});

test("skips days before the chain's first, though Ethereum's genesis has timestamp 0", async () => {
  const early = sampleChain([
    0,
    Date.parse('2015-07-30T15:26:28Z') / 1000,
    Date.parse('2015-07-31T00:00:01Z') / 1000,
  ]);
  expect(await ingestFrom(answerFrom(early), { from: '2015-01-01' })).toMatchObject({ days: ['2015-07-30'] });
});

test('ends soon after its time is over, though the table never answers', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  const silent = await startJsonRpcServer(() => ({ hang: true }));
  const on = openTable('metrics', { ...embeddedAccess, endpoint: silent.url });
  const clock = fastClock();
  const stopAt = clock.now() + 1_000;
  const report = await run([node], { ms: 1_000, clock, on });
  expect(report).toMatchObject({ outcome: 'out of time', days: [] });
  expect(clock.now()).toBeGreaterThanOrEqual(stopAt);
  on.client.destroy();
  await silent[Symbol.asyncDispose]();
});

test('reports an unavailable table', async () => {
  const report = await ingestFrom(answerFrom(sampleBlocks), {
    on: documentTable(table().client, 'no-such-table'),
  });
  expect(report).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('The table is unavailable'),
  });
});

test('throws a bug instead of reporting it', async () => {
  const on: Table = { ...table(), getItem: () => Promise.reject(new TypeError('a bug')) };
  await expect(ingestFrom(answerFrom(sampleBlocks), { on })).rejects.toThrow('a bug');
});

test('an earlier start date adds the days before and keeps the others', async () => {
  await ingestFrom(answerFrom(sampleBlocks), { from: '2026-11-19' });
  expect(await ingestFrom(answerFrom(sampleBlocks))).toMatchObject({ days: ['2026-11-18'], blocks: 4 });
  expect(await stored()).toEqual(completeDays);
});

test('publishes no day before that of the first block', async () => {
  const report = await ingestFrom(answerFrom(sampleBlocks), { from: '2026-11-10' });
  expect(report.days).toEqual(['2026-11-20', '2026-11-17', '2026-11-18', '2026-11-19']);
});

describe('with nodes that lack the finalized tag', () => {
  const answer = (call: Call): NodeResponse =>
    call.params[0] === 'finalized'
      ? { error: { code: -32602, message: 'unknown tag' } }
      : answerFrom(sampleBlocks)(call.params[0] === 'latest' ? { ...call, params: ['0x9'] } : call);

  test('the run uses the given confirmations', async () => {
    expect(await ingestFrom(answer, { confirmations: 2 })).toMatchObject({ head: 7, days: [DAY] });
    expect(await ingestFrom(answer)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('error -32602, unknown tag'),
    });
  });

  test('the run uses the confirmations of the chain by default', async () => {
    const chain = { ...ethereum, confirmations: 2 };
    expect(await ingestFrom(answer, { chain })).toMatchObject({ head: 7 });
    expect(await ingestFrom(answer, { chain, confirmations: 1 })).toMatchObject({ head: 8 });
  });
});

describe('with faulty nodes', () => {
  const without = (number: number, change: (block: RawBlock) => RawBlock) =>
    answerFrom(sampleBlocks.with(number, change(blockAt(sampleBlocks, number))));
  const lostReceipt = without(4, (block) => ({ ...block, receipts: [] }));
  const onFork = without(3, ({ header, ...block }) =>
    sealBlock(ethereum, { ...block, header: { ...header, parentHash: hashOf('fork') } }),
  );

  test('reads an invalid block from the next endpoint', async () => {
    await using bad = await startJsonRpcServer(lostReceipt);
    await using good = await startJsonRpcServer(answerFrom(sampleBlocks));
    expect(await run([bad, good])).toMatchObject({
      outcome: 'up to date',
      faults: { [bad.host]: { 'not proven': 1 } },
      notProven: [`${bad.host}: ETHEREUM block 4: receipts: 0 receipts of 1 transactions`],
    });
    expect(await stored()).toEqual(completeDays);
    expect(good.calls.filter(({ method }) => method === 'eth_getBlockReceipts')).toHaveLength(1);
  });

  test('fails with the reason of each endpoint, keeps the progress, and continues when they recover', async () => {
    const answer = answerFrom(sampleBlocks);
    await using bad = await startJsonRpcServer(lostReceipt);
    await using busy = await startJsonRpcServer((call) =>
      call.params[0] === '0x4' ? { status: 429, body: 'slow down' } : answer(call),
    );
    const report = await run([bad, busy]);
    expect(report).toMatchObject({
      outcome: 'failed',
      days: ['2026-11-20'],
      blocks: 2,
      faults: {
        [bad.host]: { 'not proven': expect.any(Number) },
        [busy.host]: { 'rate limit': expect.any(Number) },
      },
    });
    expect(report.reason).toContain(`${bad.host}: ETHEREUM block 4: receipts: 0 receipts of 1 transactions`);
    expect(report.reason).toMatch(new RegExp(`${busy.host}: .*eth_getBlock\\w+ 0x4.*: HTTP status 429`));
    expect(await stored()).toEqual(completeDays.slice(2));
    expect((await checkpointOf(DAY)).progress?.last?.number).toBe(2);

    await ingestFrom(answer);
    expect(await stored()).toEqual(completeDays);
  });

  test('never counts a block that is not the child of the one before', async () => {
    const report = await ingestFrom(onFork);
    expect(report).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('ETHEREUM block 3: its parent is'),
    });
    expect(await stored()).toEqual(completeDays.slice(2));
  });

  test('reads a block that is not the child of the one before from another endpoint', async () => {
    await using bad = await startJsonRpcServer(onFork);
    await using good = await startJsonRpcServer(answerFrom(sampleBlocks));
    expect(await run([bad, good])).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('reports an orphaned block and discards the progress, and the next run publishes the right figures', async () => {
    const last = { number: 3, hash: hashOf('fork 3') };
    const progress = { ...startProgress(DAY, last), first: last, totals: { ...NO_TOTALS, blocks: 3 } };
    await saveCheckpoint(store(), { day: DAY, sequence: 0 }, progress);
    expect(await ingestFrom(answerFrom(sampleBlocks))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('was reorged: no endpoint has it any more'),
    });
    expect(await ingestFrom(answerFrom(sampleBlocks))).toMatchObject({ outcome: 'up to date' });
    expect(await stored()).toEqual(completeDays);
  });

  test('names an unknown transaction type, which stops the day', async () => {
    const unknown = without(4, (block) => ({
      ...block,
      transactions: block.transactions.map((transaction) => ({ ...transaction, type: '0x42' })),
    }));
    const report = await ingestFrom(unknown);
    expect(report.reason).toContain(
      'ETHEREUM block 4: transactions[0].type: no fee rule covers its type 0x42; if every endpoint reports it, this chain has forked',
    );
  });

  test('never reads a node of another chain', async () => {
    await using node = await startJsonRpcServer(answerFrom(sampleBlocks, { chainId: 56 }));
    const report = await run([node]);
    expect(report.reason).toContain('it serves chain 56, but ETHEREUM is chain 1');
    expect(report.faults).toEqual({ [node.host]: { 'wrong chain': 3 } });
    expect(new Set(node.calls.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
  });

  test('does not ask a node without a finalized block for the latest', async () => {
    await using node = await startJsonRpcServer(({ method }) =>
      method === 'eth_chainId' ? { result: '0x1' } : { error: { code: -39001, message: 'unknown block' } },
    );
    const report = await run([node]);
    expect(report.reason).toContain('error -39001, unknown block');
    expect(node.calls.flatMap(({ params }) => params)).not.toContain('latest');
  });
});
