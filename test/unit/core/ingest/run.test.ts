import { chainOf } from '#core/chains/chains.ts';
import type { Clock } from '#core/clock.ts';
import { MAX_READING_MS } from '#core/dollars/ask.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { createDocumentTable, documentTable } from '#core/store/table/document-table.ts';
import type { Table } from '#core/store/table/table.ts';
import { embeddedAccess } from '#local/embedded-table.ts';
import { fastClock } from '#test/support/clock.ts';
import { answerFrom, blockAt, sampleChain } from '#test/support/generators/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  sampleBlock,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/sample-days.ts';
import type { RawBlock } from '#test/support/generators/seal.ts';
import {
  type Answer,
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { type GivenRun, runIngest, silentFrom } from '#test/support/processes/run-ingest.ts';
import { useStore } from '#test/support/tables/table.ts';

const ethereum = chainOf('ETHEREUM');
const { table, store } = useStore('ETHEREUM');
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

async function ingestFrom(answer: Answer, given: Given = {}) {
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
    days: ['2026-11-20', '2026-11-19', '2026-11-18'],
    restated: [],
    unpriced: ['2026-11-18', '2026-11-19', '2026-11-20'].map((day) =>
      expect.stringMatching(`^${day}: no state: `),
    ),
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
    expect(await stored()).toEqual([]);
    await ingestFrom(answerWell);
    expect(await stored()).toEqual(completeDays);
  });

  test('failed when no node answered at all', async () => {
    expect(await ingestFrom(() => ({ hang: true }), { ms: A_WHILE })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^ETHEREUM: the run read no block before its time was over\. /),
      blocks: 0,
    });
  });

  test('failed when nodes give heads but no receipts', async () => {
    const report = await ingestFrom(silentFrom(0, early), { ms: A_WHILE });
    expect(report).toMatchObject({ outcome: 'failed', blocks: 0, head: 7 });
  });

  test('ends at once when its time is over before it begins', async () => {
    expect(await ingestFrom(answerWell, { ms: -1 })).toMatchObject({ outcome: 'failed', days: [] });
  });

  test('did not fail when a person interrupts it', async () => {
    const signal = AbortSignal.abort();
    expect(await ingestFrom(answerWell, { signal })).toMatchObject({ outcome: 'out of time', blocks: 0 });
  });
});

describe('a run whose nodes limit calls', () => {
  const limitedAfter = (calls: number): NodeAnswer => {
    const answer = answerFrom(sampleBlocks);
    let left = calls;
    return (call) => {
      if (call.method !== 'eth_getBlockReceipts') return answer(call);
      left -= 1;
      return left < 0 ? { status: 429, body: '' } : answer(call);
    };
  };

  test('does not wait for them after three minutes without a block', async () => {
    const clock = fastClock();
    const start = clock.now();
    const lateWaits: number[] = [];
    const sleep: Clock['sleep'] = (ms, signal) => {
      // The time limits of answers are no waits.
      if (clock.now() - start > 180_000 && ms > MAX_READING_MS) lateWaits.push(ms);
      return clock.sleep(ms, signal);
    };
    const report = await ingestFrom(limitedAfter(0), { clock: { ...clock, sleep } });
    expect(report).toMatchObject({ outcome: 'failed', blocks: 0 });
    expect(lateWaits).toEqual([]);
  });

  test('waits for them in a command, which has no next run', async () => {
    const report = await ingestFrom(limitedAfter(0), { stopAt: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ outcome: 'failed', blocks: 0 });
    expect(report.seconds).toBeGreaterThan(60);
  });

  test('waits for more than a minute when it has read blocks', async () => {
    const report = await ingestFrom(limitedAfter(6));
    expect(report).toMatchObject({ outcome: 'failed' });
    expect(report.blocks).toBeGreaterThan(0);
    expect(report.seconds).toBeGreaterThan(60);
  });
});

test('two concurrent runs publish each day once, with the same figures', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  const reports = await Promise.all([run([node]), run([node]), run([node])]);
  expect(reports.map(({ outcome }) => outcome)).toContain('up to date');
  await run([node]);
  expect(await stored()).toEqual(completeDays);
});

test('ends when another run has saved, and keeps the checkpoint of the other', async () => {
  const other = { ...startDayProgress(DAY, sampleBlock(4)), notBefore: at(0, 86_399) };
  const answer = answerFrom(sampleBlocks, { finalized: 7 });
  const report = await ingestFrom(
    async (call) => {
      if (call.params[0] === '0x2')
        await saveCheckpoint(store(), { day: DAY, sequence: 0 }, { progress: other });
      return answer(call);
    },
    { clock: slowlyReadClock(), ms: 1_000 * AN_HOUR },
  );
  expect(report).toMatchObject({ outcome: 'overtaken by another run', days: [] });
  expect((await checkpointOf(DAY)).progress).toMatchObject({ last: { number: 4 } });
});

test('waits for a start date in the future', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  expect(await run([node], { from: '2030-01-01' })).toMatchObject({ outcome: 'up to date', blocks: 0 });
  expect(node.calls.map(({ params: [tag] }) => tag)).toEqual([undefined, 'finalized', '0x9']);
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
  const on = createDocumentTable('metrics', { ...embeddedAccess, endpoint: silent.url });
  const clock = fastClock();
  const stopAt = clock.now() + 1_000;
  const report = await run([node], { ms: 1_000, clock, on });
  expect(report).toMatchObject({ outcome: 'failed', days: [] });
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

describe('with nodes that lack the finalized tag', () => {
  const answer: NodeAnswer = (call) =>
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

  test('fails with the reason of each endpoint, keeps the progress, and continues when they recover', async () => {
    const answer = answerFrom(sampleBlocks);
    await using bad = await startJsonRpcServer(lostReceipt);
    await using busy = await startJsonRpcServer((call) =>
      call.params[0] === '0x4' ? { status: 429, body: 'slow down' } : answer(call),
    );
    const report = await run([bad, busy]);
    expect(report).toMatchObject({
      outcome: 'failed',
      days: ['2026-11-20', '2026-11-19'],
      blocks: 7,
      faults: {
        [bad.host]: { 'not proven': expect.any(Number) },
        [busy.host]: { 'rate limit': expect.any(Number) },
      },
    });
    expect(report.reason).toContain(`${bad.host}: ETHEREUM block 4: receipts: 0 receipts of 1 transactions`);
    expect(report.reason).toMatch(new RegExp(`${busy.host}: .*eth_getBlock\\w+ 0x4.*: HTTP status 429`));
    expect(await stored()).toEqual(completeDays.slice(1));
    expect((await checkpointOf(DAY)).progress?.last?.number).toBe(2);

    await ingestFrom(answer);
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
});
