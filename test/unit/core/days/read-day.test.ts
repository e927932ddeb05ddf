import type { BlockStream } from '#core/blocks/block-stream.ts';
import { createLedger } from '#core/days/ledger.ts';
import { readDay } from '#core/days/read-day.ts';
import { type BlockRef, type FinalityProof, reportedBy } from '#core/figures/block.ts';
import { startOfDay } from '#core/figures/calendar.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { noEndpoint } from '#core/rpc/failover.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import { getCheckpoint } from '#core/store/days/checkpoints.ts';
import { turns } from '#test/support/clock.ts';
import { answerFrom, refAt, sampleChain, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/* A day with the blocks 1 to 19. Block 20 is of the next day. The stream is scripted; hosts are only asked for their votes. */

const { table, store } = useMemoryStore('ETHEREUM');
const times = [at(-1, 80_000), ...Array.from({ length: 19 }, (_, index) => at(0, 60 * index)), at(1, 0)];
const [right, wrong] = [sampleChain(times), sampleChain(times, 'wrong')];
const well = answerFrom(right);
const badly = answerFrom(wrong);
const LIAR = 'a.test/1';

type Peeked = Awaited<ReturnType<BlockStream['peek']>>;
const END: Peeked = { kind: 'end reached' };
const brokenBy = (...contradictedBy: readonly string[]): Peeked => ({
  ...noEndpoint('block', ['a.test/1: why', 'b.test/1: why']),
  contradictedBy,
});
const broken = (isContradicted: boolean): Peeked =>
  isContradicted ? brokenBy('b.test', 'c.test') : brokenBy();

interface Given {
  /** The last of the blocks that the stream gives, and from which number on those are wrong. */
  readonly upTo?: number;
  readonly wrongFrom?: number;
  /** The end of the stream. */
  readonly stop?: Peeked | Error;
  /** The known last block of the day. */
  readonly end?: BlockRef;
  /** The hosts' answers when they vote. */
  readonly votes?: readonly NodeAnswer[];
  readonly quorum?: number;
  /** Milliseconds for each block. */
  readonly pace?: number;
  readonly onPeek?: (number: number) => Promise<unknown>;
  readonly startHost?: string;
  readonly proof?: FinalityProof;
  /** Number of the final block of the run; 19 by default. */
  readonly anchorAt?: number;
}

/** Reads the day from where it is stored. */
async function read(given: Given) {
  const { upTo = 19, wrongFrom = Infinity, stop = END, end, votes = [well, well], pace = 0 } = given;
  let now = startOfDay('2026-11-21') * 1_000;
  const clock = {
    now: () => now,
    sleep: async (ms: number, signal: AbortSignal) => {
      await turns(ms / 50, signal);
      now += ms;
    },
    jitter: (ms: number) => ms,
  };
  const faults: unknown[] = [];
  const onFault = (host: string, kind: string) => void faults.push([host, kind]);
  const context = requestContextWith({ clock, onFault });
  using hosts = serveAnswers(votes, { context, ...(given.quorum && { quorum: given.quorum }) });
  const anchor = { ...summedBlock(right, given.anchorAt ?? 19, LIAR), hosts: [], proof: given.proof };
  const stored = await getCheckpoint(store(), DAY);
  const begun = startDayProgress(DAY, { ...refAt(right, 0), host: given.startHost });
  const run = dayRunOf(hosts, anchor, table());
  const ledger = createLedger(run, stored, stored.progress ?? begun);
  let next = (ledger.progress().last?.number ?? 0) + 1;
  const stream: BlockStream = {
    peek: async () => {
      await given.onPeek?.(next);
      now += pace;
      if (next <= upTo)
        return { kind: 'block', block: summedBlock(next < wrongFrom ? right : wrong, next, LIAR) };
      if (stop instanceof Error) throw stop;
      return stop;
    },
    take: () => {
      next += 1;
    },
    isAt: () => false,
    close: async () => {},
  };
  // Like the caller, before the first block.
  await ledger.save();
  const outcome = await readDay(run, {
    ledger,
    stream,
    end: end && { ...end, finality: reportedBy([]) },
  }).catch((error: Error) => error.message);
  return { outcome, faults, clock, network: run.network, stats: run.stats };
}

const stored = () => getCheckpoint(store(), DAY);
/** The number of the last final block that is stored, and the kind of its finality. */
async function finalBlock() {
  const { final } = await stored();
  return final && [final.progress.last?.number, final.finality.kind];
}
/** The numbers of the last and of the last anchored block that are stored. */
async function kept() {
  const { progress, anchored } = await stored();
  return [progress?.last?.number, anchored?.last?.number];
}
/** Stores the day up to block 9, of which the blocks up to 5 are anchored. */
async function begunDay() {
  await read({ upTo: 5, stop: new Error('stopped') });
  await read({ upTo: 9, stop: new Error('stopped'), votes: [() => ({ result: null })], quorum: 1 });
  expect(await kept()).toEqual([9, 5]);
}
const orphaned = (reason: string) => ({
  kind: 'orphaned',
  reason: expect.stringContaining(`counted blocks were discarded. ${LIAR}: ${reason}`),
});
const abbreviated = (number: number) => `${number} (${refAt(wrong, number).hash.slice(0, 10)}…)`;

test('counts the blocks up to the anchor, which anchors the last', async () => {
  const { outcome, stats } = await read({ stop: END });
  expect(outcome).toEqual({ kind: 'up to date' });
  expect(stats).toMatchObject({ blocks: 19, reached: at(0, 18 * 60) });
  expect(await kept()).toEqual([19, 19]);
});

test('a day without blocks is complete too', async () => {
  const end = refAt(right, 0);
  expect((await read({ upTo: 0, end })).outcome).toMatchObject({
    kind: 'complete',
    progress: { last: end, totals: { blocks: 0 } },
  });
});

test('saves its progress every minute, after the hosts have voted on its last block', async () => {
  const seen: unknown[] = [];
  const onPeek = async (number: number) => seen.push([number, ...(await kept())]);
  await read({ pace: 5_000, onPeek });
  expect(seen.slice(10, 14)).toEqual([
    [11, 0, undefined],
    [12, 0, undefined],
    [13, 12, 12],
    [14, 12, 12],
  ]);
});

describe('a run that is out of time', () => {
  const stop = new Error('out of time');

  test('saves and anchors the last block, with calls of its own', async () => {
    expect((await read({ upTo: 9, stop })).outcome).toBe('out of time');
    expect(await kept()).toEqual([9, 9]);
  });

  test('waits four seconds for the votes, and saves without them', async () => {
    const hang = () => ({ hang: true }) as const;
    const { outcome, clock } = await read({ upTo: 9, stop, votes: [well, hang] });
    expect(outcome).toBe('out of time');
    expect(clock.now() - startOfDay('2026-11-21') * 1_000).toBe(4_000);
    expect(await kept()).toEqual([9, undefined]);
  });
});

describe('returns to the last anchored block, and suspects the endpoint of the last one, after', () => {
  beforeEach(() => begunDay());

  test.each<[string, Given, string]>([
    [
      'a vote in the middle of the day',
      { wrongFrom: 11, pace: 20_000, votes: [badly, well, well] },
      `block ${abbreviated(12)} is not canonical: the hosts report ${refAt(right, 12).hash}`,
    ],
    [
      'a known end that is another block',
      { wrongFrom: 15, end: refAt(right, 19) },
      `block ${abbreviated(19)} was counted, but the day ends with block 19 (`,
    ],
    [
      'a block of a later day before the known end',
      { upTo: 20, wrongFrom: 20, end: refAt(right, 20) },
      `block ${abbreviated(20)} is of a later day, but the day ends with block 20 (`,
    ],
    [
      'a block that no endpoint continues',
      { upTo: 12, wrongFrom: 10, stop: broken(true), votes: [badly, well] },
      `block ${abbreviated(12)} is not continued by any endpoint`,
    ],
    [
      'a vote, though no endpoint gives the next block',
      { upTo: 12, wrongFrom: 10, stop: broken(false), votes: [badly, well, well] },
      `block ${abbreviated(12)} is not canonical: the hosts report ${refAt(right, 12).hash}`,
    ],
  ])('%s', async (_, given, reason) => {
    const { outcome, faults, clock, network } = await read(given);
    expect(outcome).toEqual(orphaned(reason));
    expect(await kept()).toEqual([5, 5]);
    expect(faults).toContainEqual([LIAR, 'not canonical']);
    expect(await listSuspects(store())).toMatchObject([{ host: LIAR }]);
    const [suspect] = network.hosts[0]?.upstreams ?? [];
    expect(suspect?.health.lastUntil).toBeGreaterThan(clock.now());
  });
});

test('discards everything when what is anchored is not the end', async () => {
  await read({ upTo: 9, stop: new Error('stopped') });
  expect((await read({ upTo: 9, end: refAt(right, 10) })).outcome).toMatchObject({ kind: 'orphaned' });
  expect(await kept()).toEqual([undefined, undefined]);
});

describe('when no endpoint gives the next block', () => {
  test('keeps its progress while the hosts support it, and gives the reasons', async () => {
    const { outcome } = await read({ upTo: 9, stop: broken(true) });
    expect(outcome).toEqual(broken(true));
    expect(await kept()).toEqual([9, 9]);
  });

  test.each([
    ['keeps blocks that one of two other hosts contradicts', ['b.test'], [9, undefined]],
    ['discards blocks that both other hosts contradict', ['b.test', 'c.test'], [undefined, undefined]],
  ])('%s', async (_, contradictedBy, numbers) => {
    const silent: NodeAnswer = () => ({ result: null });
    await read({ upTo: 9, stop: brokenBy(...contradictedBy), votes: [silent, silent, silent] });
    expect(await kept()).toEqual(numbers);
  });

  test('keeps blocks of a host that refuses calls for its rate, though the only other one contradicts them', async () => {
    const stop = { ...brokenBy('b.test'), limited: [LIAR] };
    await read({ upTo: 9, stop, votes: [well, badly] });
    expect(await kept()).toEqual([9, undefined]);
    expect(await listSuspects(store())).toEqual([]);
  });

  test('searches the start again where it was found, though the hosts support the block before it', async () => {
    const startHost = LIAR;
    const { outcome } = await read({ upTo: 0, stop: broken(true), startHost });
    expect(outcome).toMatchObject({ kind: 'orphaned' });
    expect(await stored()).toEqual({ day: DAY, sequence: 2 });
    expect(await listSuspects(store())).toMatchObject([{ host: LIAR }]);
  });

  test.each([
    ['keeps', [well, well], { kind: 'no endpoint' }],
    [
      'discards',
      [badly, badly],
      { kind: 'orphaned', reason: expect.stringContaining('. ETHEREUM: block 0 (') },
    ],
  ] as const)(
    '%s the end of a final day as its hosts vote, and blames no endpoint',
    async (_, votes, outcome) => {
      expect((await read({ upTo: 0, stop: broken(true), votes })).outcome).toMatchObject(outcome);
      expect(await listSuspects(store())).toEqual([]);
    },
  );
});

const proof: FinalityProof = { kind: 'fast finality', source: refAt(right, 19), target: refAt(right, 20) };

test('under a proven anchor, a vote anchors what was read, so that a contradiction costs only the blocks since', async () => {
  await read({ upTo: 5, stop: new Error('stopped'), proof });
  expect(await kept()).toEqual([5, 5]);
  await read({ upTo: 9, stop: brokenBy('b.test', 'c.test'), votes: [() => ({ result: null })], proof });
  expect(await kept()).toEqual([5, 5]);
});

describe('the final sums', () => {
  const stop = new Error('stopped');

  test('are those of the last block that the hosts support, where nothing is proven', async () => {
    await read({ upTo: 5, stop });
    expect(await finalBlock()).toEqual([5, 'reported']);
    expect((await stored()).final).toMatchObject({ evidence: 'proven', headTime: at(0, 18 * 60) });
    await read({ stop: END });
    expect(await finalBlock()).toEqual([19, 'reported']);
  });

  test('are absent while the hosts are silent', async () => {
    await read({ upTo: 5, stop, votes: [() => ({ result: null })] });
    expect(await finalBlock()).toBeUndefined();
  });

  test('are not moved by votes under a proven anchor, but by reaching it', async () => {
    await read({ upTo: 5, stop, proof });
    expect(await finalBlock()).toBeUndefined();
    await read({ stop: END, proof });
    expect(await finalBlock()).toEqual([19, 'fast finality']);
  });

  test('stay proven when later blocks are only reported, and when those are contradicted', async () => {
    const early: FinalityProof = { ...proof, source: refAt(right, 5) };
    await read({ upTo: 5, anchorAt: 5, stop: END, proof: early });
    await read({ upTo: 9, stop });
    expect(await kept()).toEqual([9, 9]);
    expect(await finalBlock()).toEqual([5, 'fast finality']);
    // The anchored block is wrong, but what is proven stays.
    await read({ upTo: 9, end: refAt(right, 10) });
    expect(await kept()).toEqual([5, 5]);
    expect(await finalBlock()).toEqual([5, 'fast finality']);
  });
});

describe('with a single host', () => {
  const single = { votes: [well], quorum: 1 };

  test('a vote anchors nothing', async () => {
    await read({ upTo: 12, pace: 20_000, stop: new Error('stopped'), ...single });
    expect(await kept()).toEqual([12, undefined]);
  });

  test('blocks are discarded that it reports otherwise now', async () => {
    const { outcome } = await read({ wrongFrom: 1, pace: 20_000, ...single });
    expect(outcome).toEqual(
      orphaned(`block ${abbreviated(3)} is not canonical: the hosts report ${refAt(right, 3).hash}`),
    );
    expect(await kept()).toEqual([undefined, undefined]);
  });
});
