import { once } from 'node:events';
import type { Clock } from '#core/clock.ts';
import { MAX_READING_MS } from '#core/dollars/read-aggregator.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { getCheckpoint, requestRestatement } from '#core/store/days/checkpoints.ts';
import { TableUnavailableError } from '#core/store/table/client.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import type { Table } from '#core/store/table/table.ts';
import { embeddedAccess } from '#local/embedded-table.ts';
import { fastClock, turns } from '#test/support/clock.ts';
import type { RawBlock } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, blockAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import {
  type Answer,
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { type GivenRun, runIngest, silentFrom } from '#test/support/processes/run-ingest.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const stored = () => storedDays(table());
const checkpointOf = (day: string) => getCheckpoint(store(), day);

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

  test('did not fail when a person interrupts it', async () => {
    const signal = AbortSignal.abort();
    expect(await ingestFrom(answerWell, { signal })).toMatchObject({ outcome: 'out of time', blocks: 0 });
  });
});

test('a dispute about the final block stays visible after the run', async () => {
  const times = [at(-1, 80_000), ...Array.from({ length: 7 }, (_, index) => at(0, 10_000 * index))];
  const forged = sampleChain(times, 'forged');
  await using right = await startJsonRpcServer(answerFrom(sampleBlocks, { finalized: 7 }));
  await using wrong = await startJsonRpcServer(answerFrom(forged, { finalized: 7 }));
  const report = await run([right, wrong]);
  expect(report).toMatchObject({ outcome: 'failed', disputed: true });
  expect(await listConflicts(store())).toEqual([
    { reason: expect.stringContaining('block 7'), since: expect.any(Number) },
  ]);
});

describe('a run whose nodes limit calls', () => {
  const limitedAfter = (calls: number, headers = {}): NodeAnswer => {
    const answer = answerFrom(sampleBlocks);
    let left = calls;
    return (call) => {
      if (call.method !== 'eth_getBlockReceipts') return answer(call);
      left -= 1;
      return left < 0 ? { status: 429, body: '', headers } : answer(call);
    };
  };

  test('does not wait for them after three minutes without a block', async () => {
    const start = Date.parse('2026-11-28T12:00:00Z');
    const RETRY_AFTER_MS = 100_000;
    const lateWaits: number[] = [];
    // Waits alone advance this clock, however busy the machine is.
    let now = start;
    const sleep: Clock['sleep'] = async (ms, signal) => {
      signal.throwIfAborted();
      // Time limits are not waits: they end with the work that they limit.
      if (ms === MAX_READING_MS || ms > RETRY_AFTER_MS) {
        await once(signal, 'abort');
        signal.throwIfAborted();
      }
      if (ms > MAX_READING_MS && now - start > 180_000) lateWaits.push(ms);
      const until = now + ms;
      await turns(10, signal);
      now = Math.max(now, until);
    };
    const asking = limitedAfter(0, { 'retry-after': `${RETRY_AFTER_MS / 1_000}` });
    const clock = { now: () => now, sleep, jitter: (ms: number) => ms };
    const report = await ingestFrom(asking, { clock });
    expect(report).toMatchObject({ outcome: 'failed', blocks: 0 });
    expect(report.seconds).toBeGreaterThanOrEqual(180);
    expect(lateWaits).toEqual([]);
  });

  test('waits for them before its first block', async () => {
    const answer = answerFrom(sampleBlocks);
    const refusals = [{ status: 429, body: '', headers: { 'retry-after': '20' } }];
    const respond: NodeAnswer = (call) =>
      call.method === 'eth_getBlockReceipts' ? (refusals.shift() ?? answer(call)) : answer(call);
    // Three minutes of it take longer than a busy machine needs until the first block.
    const report = await ingestFrom(respond, { clock: fastClock(50) });
    expect(report.outcome).toBe('up to date');
    expect(report.seconds).toBeGreaterThanOrEqual(20);
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

test('a run for a day that is final calls no node, unless the day is to be restated', async () => {
  await using node = await startJsonRpcServer(answerFrom(sampleBlocks));
  await run([node]);
  const before = node.calls.length;
  expect(await run([node], { day: DAY })).toMatchObject({ outcome: 'up to date' });
  expect(node.calls.length).toBe(before);
  await requestRestatement(store(), DAY, { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' });
  expect(await run([node], { day: DAY })).toMatchObject({ outcome: 'up to date' });
  expect(node.calls.length).toBeGreaterThan(before);
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
  const getItem = () => Promise.reject(new TableUnavailableError('it is gone'));
  const report = await ingestFrom(answerFrom(sampleBlocks), { on: { ...table(), getItem } });
  expect(report).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('The table is unavailable'),
  });
});

test('throws a bug instead of reporting it', async () => {
  const on: Table = { ...table(), getItem: () => Promise.reject(new TypeError('a bug')) };
  await expect(ingestFrom(answerFrom(sampleBlocks), { on })).rejects.toThrow('a bug');
});

const untagged: NodeAnswer = (call) =>
  call.params[0] === 'finalized'
    ? { error: { code: -32602, message: 'unknown tag' } }
    : answerFrom(sampleBlocks)(call.params[0] === 'latest' ? { ...call, params: ['0x9'] } : call);

test('with nodes that lack the finalized tag, the run uses the given confirmations', async () => {
  expect(await ingestFrom(untagged, { confirmations: 2 })).toMatchObject({ head: 7, days: [DAY] });
  expect(await ingestFrom(untagged)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('error -32602, unknown tag'),
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

  describe('whose newest header follows an unknown rule', () => {
    const garbling =
      (answer: NodeAnswer): NodeAnswer =>
      (call) => {
        const given = answer(call);
        if (call.method !== 'eth_getBlockByNumber' || !('result' in given)) return given;
        const header = given.result as { readonly number: string } | null;
        return Number(header?.number ?? 0) < 9 ? given : { result: { ...header, gasLimit: '0x1' } };
      };
    const answer = garbling(answerFrom(sampleBlocks));

    test('a run says so, after it has read the days before it', async () => {
      const report = await ingestFrom(answer);
      expect(report).toMatchObject({ outcome: 'rule changed', head: 8, refusedBlock: 9 });
      expect(report.days).toContain(DAY);
      expect(report).not.toHaveProperty('lagSeconds');
    });

    test('a run that cannot read a day says why, rather than that', async () => {
      const report = await ingestFrom(garbling(lostReceipt));
      expect(report).toMatchObject({ outcome: 'failed', head: 8, refusedBlock: 9 });
      expect(report.reason).toContain('ETHEREUM block 4: receipts: 0 receipts');
    });

    test('a run for one day is up to date once that day is read', async () => {
      expect(await ingestFrom(answer, { day: DAY })).toMatchObject({
        outcome: 'up to date',
        refusedBlock: 9,
      });
    });
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
