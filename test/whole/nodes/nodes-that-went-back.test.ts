import type { Clock } from '#core/clock.ts';
import { reviewConflicts } from '#core/ingest/freshness.ts';
import { listConflicts } from '#core/store/chain/conflicts.ts';
import { fastClock } from '#test/support/clock.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { runIngest } from '#test/support/processes/run-ingest.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
const healthy = answerFrom(sampleBlocks);

async function ingestFrom(...answers: readonly NodeAnswer[]) {
  await using started = await startNodes(answers);
  const report = await runIngest(table(), started.nodes);
  const hosts = started.nodes.map(({ host }) => host);
  return { report, hosts, open: await reviewConflicts(store(), report) };
}

async function ingestAt(clock: Clock, answer: NodeAnswer) {
  await using node = await startJsonRpcServer(answer);
  return await runIngest(table(), [node], { clock });
}

/** A geth that was synced with `--history.chain`: it has genesis, and answers as geth 1.17.10 does for the blocks after it. */
const prunedBefore =
  (oldest: number): NodeAnswer =>
  (call) => {
    const number = Number(call.params[0]);
    return number > 0 && number < oldest
      ? { error: { code: 4444, message: 'pruned history unavailable' } }
      : healthy(call);
  };

test('from a pruned node come the days that it has, and the reason why others do not', async () => {
  const { report } = await ingestFrom(prunedBefore(4));
  expect(report).toMatchObject({
    outcome: 'failed',
    days: ['2026-11-20', '2026-11-19'],
    reason: expect.stringContaining('pruned history unavailable'),
  });
  expect(await storedDays(table())).toEqual(completeDays.slice(1));
});

/** Another chain at the same URL, whose blocks are as new as those of the first one, or newer. */
const otherChain = (days: number) =>
  answerFrom(sampleChain([at(days - 2, 0), at(days - 1, 0), at(days, 0), at(days, 12)], 'other'));

test.each<[string, NodeAnswer, number]>([
  ['is syncing again', answerFrom(sampleBlocks, { finalized: 2 }), 2],
  ['was wiped and is at genesis', answerFrom(sampleBlocks, { finalized: 0 }), 0],
  ['restarted with an old final block', answerFrom(sampleBlocks, { finalized: 6 }), 6],
  ['was replaced by another chain', otherChain(1), 3],
  ['was replaced by a newer chain', otherChain(5), 3],
])('a node that %s is a conflict until it is back', async (_, answer, head) => {
  await ingestFrom(healthy);
  const { report, hosts, open } = await ingestFrom(answer);
  expect(report).toMatchObject({ outcome: 'failed', days: [], blocks: 0, head });
  expect(report).not.toHaveProperty('lagSeconds');
  expect(report.reason).toContain(
    `ETHEREUM 2026-11-20 is final and ends with block 7, but the final block is ${head} now: ${hosts[0]} calls block ${head} final.`,
  );
  expect(report.reason).toContain('Wait until it has synced, or remove it.');
  // It is not a conflict of a final day, about which someone would be called.
  expect(open).toBe(0);
  expect(await listConflicts(store())).toMatchObject([{ reason: report.reason }]);

  const back = await ingestFrom(healthy);
  expect(back).toMatchObject({ report: { outcome: 'up to date' }, open: 0 });
  expect(await storedDays(table())).toEqual(completeDays);
});

test('a dispute about the final block ends with the first run whose hosts agree, though it cannot read every day', async () => {
  await ingestFrom(prunedBefore(4));
  await ingestFrom(answerFrom(sampleBlocks, { finalized: 2 }));
  expect(await listConflicts(store())).toHaveLength(1);
  const { report } = await ingestFrom(prunedBefore(4));
  expect(report).toMatchObject({ outcome: 'failed', head: 9 });
  expect(await listConflicts(store())).toEqual([]);
});

test('a host with an old final block beside another one is named, and a third host makes up for it', async () => {
  await ingestFrom(healthy);
  const old = answerFrom(sampleBlocks, { finalized: 3 });
  const { report, hosts } = await ingestFrom(healthy, old);
  expect(report.reason).toContain(`${hosts[0]} calls block 9 final, ${hosts[1]} calls block 3 final`);
  const { report: next, open } = await ingestFrom(healthy, old, healthy);
  expect([next.outcome, next.head, open]).toEqual(['up to date', 9, 0]);
});

test('a host whose old final block keeps a day from becoming final is in the report', async () => {
  const { report } = await ingestFrom(healthy, answerFrom(sampleBlocks, { finalized: 6 }));
  expect(report.hostsBehind).toMatch(/ calls block 9 final, .* calls block 6 final$/);
  expect((await ingestFrom(healthy, healthy)).report).not.toHaveProperty('hostsBehind');
});

test.each([
  ['minutes', 600, 'up to date'],
  ['hours', 4_000, 'failed'],
])(
  'a final block before midnight that is %s old is not a conflict, or is one',
  async (_, seconds, outcome) => {
    const clock = fastClock(1_000, at(1, seconds) * 1_000);
    const blocks = sampleChain([at(-1, 0), at(0, 0), at(0, 86_000), at(0, 86_390), at(1, 0), at(1, 12)]);
    expect(await ingestAt(clock, answerFrom(blocks))).toMatchObject({ days: [DAY] });
    const late = await ingestAt(clock, answerFrom(blocks, { finalized: 2 }));
    expect(late).toMatchObject({ outcome, head: 2 });
  },
);
