import { createBlockReader } from '#core/blocks/block-stream.ts';
import { nodeBlocks } from '#core/blocks/nodes/node-blocks.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { DayRun } from '#core/days/day-run.ts';
import { ingestDay } from '#core/days/ingest-day.ts';
import { publishDay } from '#core/days/publish-day.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { reportedBy } from '#core/figures/finality.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { MULTI_GAS_PROBLEM } from '#core/proof/fields/tripwires.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import type { Checkpoint } from '#core/store/days/checkpoint-item.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { listRestatements, requestRestatement } from '#core/store/days/restatements.ts';
import { getStoredDay } from '#core/store/days/stored-days.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import { hashOf } from '#test/support/generators/builders.ts';
import { answerFrom, blockAt, refAt, reseal, sampleChain } from '#test/support/generators/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  publishWrongly,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/sample-days.ts';
import { blockResponse, hex, type RawBlock, withHeader } from '#test/support/generators/seal.ts';
import { sealedChain } from '#test/support/generators/sealed-block.ts';
import { dayRunOf } from '#test/support/nodes/hosts.ts';
import {
  blocksRead,
  type Call,
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { sourceOf } from '#test/support/nodes/source.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('ETHEREUM');
const NEXT = addDays(DAY, 1);
const EMPTY = addDays(DAY, 2);
const well = answerFrom(sampleBlocks);
/** While the second day is the running one. */
const early = answerFrom(sampleBlocks, { finalized: 7 });
const ref = (number: number) => refAt(sampleBlocks, number);
const start = (answer: NodeAnswer = well) => startJsonRpcServer(answer);

interface Given extends Partial<DayRun> {
  readonly chain?: Chain;
  readonly evidence?: 'checked';
  readonly stored?: Checkpoint;
}

/** Ingests one day from its checkpoint. */
async function ingest(day: UtcDay, nodes: readonly JsonRpcServer[], given: Given = {}) {
  const { chain = chainOf('ETHEREUM'), evidence, stored, ...others } = given;
  const faults: string[] = [];
  const onFault = (host: string, kind: string) => void faults.push(`${host} ${kind}`);
  const source = await sourceOf(chain, nodes, { onFault }, { evidence });
  await using reader = createBlockReader(nodeBlocks(source));
  const run = dayRunOf(source, source.anchor, table(), others);
  const end = await ingestDay(run, reader, stored ?? (await getCheckpoint(run.store, day)));
  return { end, ...run.stats, faults };
}

async function ingestFrom(answer: NodeAnswer, day: UtcDay, given?: Given) {
  await using node = await start(answer);
  return await ingest(day, [node], given);
}

const stored = () => storedDays(table());
const [figuresOfDay, figuresOfNext] = completeDays;
const itemOf = (day: UtcDay) => getStoredDay(store(), day);
const waiting = async () => (await listWaitingDays(store())).map(({ progress }) => progress.day);
const FINAL = { kind: 'final' };
const WAITING = { kind: 'waiting' };

/** A chain that parts from the true one at a block, which it changes. */
const forkAt = (number: number, header: object = { stateRoot: hashOf('fork') }) =>
  reseal(sampleBlocks, number, (block) => withHeader(block, { ...header }));
/** Tells a fork from a block up to another, and the true chain otherwise. */
const tellFork = (blocks: readonly RawBlock[], first: number, last: number) => {
  const badly = answerFrom(blocks);
  return (call: Call) => {
    const number = Number(call.params[0]);
    return number >= first && number <= last ? badly(call) : well(call);
  };
};

describe('a day is final by', () => {
  test('hosts that support the block after it', async () => {
    await using a = await start();
    await using b = await start();
    expect(await ingest(DAY, [a, b])).toMatchObject({ end: FINAL, days: [DAY], blocks: 4 });
    expect(await stored()).toEqual([figuresOfDay]);
    expect(await itemOf(DAY)).toMatchObject({
      evidence: 'proven',
      proven_blocks: 4,
      parent_hash: ref(0).hash,
      confirmed_by: [a.host, b.host].toSorted(),
    });
    expect(await getCheckpoint(store(), DAY)).toEqual({ day: DAY, sequence: 0 });
    expect(await getCoverage(store())).toMatchObject({ through: DAY });
  });

  test('the day after it, whose parent is its end: no block after it is read', async () => {
    await using node = await start();
    await publishDay(store(), { progress: startDayProgress(EMPTY, ref(7)), finality: reportedBy([]) }, 0);
    expect(await ingest(NEXT, [node])).toMatchObject({ end: FINAL });
    const before = node.calls.length;
    expect(await ingest(DAY, [node])).toMatchObject({ end: FINAL, days: [DAY] });
    expect(blocksRead(node.calls.slice(before)).toSorted()).toEqual([1, 2, 3, 4]);
    expect(await itemOf(DAY)).toMatchObject({ confirmed_by: [] });
    expect(await stored()).toEqual(completeDays);
  });

  test('the anchored running day, also with a single host', async () => {
    await using node = await start(early);
    expect(await ingest(DAY, [node])).toMatchObject({ end: WAITING });
    expect(await ingest(NEXT, [node])).toMatchObject({ end: { kind: 'up to date' }, days: [DAY] });
    expect(await itemOf(DAY)).toMatchObject({ confirmed_by: [node.host] });
    expect(await waiting()).toEqual([]);
  });
});

describe('a day waits', () => {
  test('with a single host, without a vote on its end', async () => {
    await using node = await start();
    expect(await ingest(DAY, [node])).toMatchObject({ end: WAITING, days: [] });
    expect(await stored()).toEqual([]);
    expect(await listWaitingDays(store())).toMatchObject([
      { progress: { day: DAY, totals: { blocks: 4 }, last: ref(4) }, next: ref(5) },
    ]);
    expect(await getCoverage(store())).toMatchObject({ waitingDays: 1 });
    const votes = node.calls.filter(({ params: [number, isFull] }) => number === '0x5' && isFull === false);
    expect(votes.length).toBeLessThanOrEqual(1);
  });

  test('when many days are read at once', async () => {
    await using a = await start();
    await using b = await start();
    expect(await ingest(DAY, [a, b], { isAlone: true })).toMatchObject({ end: WAITING });
    expect(await waiting()).toEqual([DAY]);
  });

  test('while the hosts cannot decide about the block after it', async () => {
    await using a = await start();
    await using b = await start((call) => (call.params[0] === '0x5' ? { result: null } : well(call)));
    expect(await ingest(DAY, [a, b])).toMatchObject({ end: WAITING });
  });
});

describe('an endpoint that lies', () => {
  test('about the block after a day changes no figure, whether a run reads that block from it or not', async () => {
    await using liar = await start(tellFork(forkAt(5), 5, 8));
    await using a = await start();
    await using b = await start();
    expect(await ingest(DAY, [liar, a, b])).toMatchObject({ end: FINAL });
    expect(await stored()).toEqual([figuresOfDay]);
  });

  test('about a day whose end is known by hash changes no figure, beside an honest one', async () => {
    await publishDay(
      store(),
      {
        progress: { ...startDayProgress(NEXT, ref(4)), first: ref(5), last: ref(7) },
        finality: reportedBy([]),
      },
      0,
    );
    await using liar = await start(tellFork(forkAt(2), 2, 8));
    await using honest = await start();
    expect((await ingest(DAY, [liar, honest])).end).toEqual(FINAL);
    expect((await stored())[0]).toEqual(figuresOfDay);
  });

  test('about the start of a day, beside an honest one, does not stop the day', async () => {
    // The child of block 3, at the time of the second day. The true one is of the first.
    await using liar = await start(tellFork(forkAt(4, { timestamp: hex(at(1, 1)) }), 4, 4));
    await using honest = await start();
    expect(await ingest(NEXT, [liar, honest])).toMatchObject({ end: FINAL });
    expect(await stored()).toEqual([figuresOfNext]);
    expect(await listSuspects(store())).toMatchObject([{ host: liar.host }]);
  });
});

describe('progress that is stored', () => {
  /** Progress that follows a block of a fork. */
  const onFork = (number: number): DayProgress => ({
    ...startDayProgress(DAY, { number, hash: hashOf(`fork ${number}`), host: 'gone.example' }),
    first: ref(1),
    totals: { ...NO_TOTALS, blocks: number, transactions: 77 },
    hosts: ['old.example'],
  });
  const save = (progress: DayProgress, anchored?: DayProgress) =>
    saveCheckpoint(store(), { day: DAY, sequence: 0 }, { progress, anchored });

  test('is continued', async () => {
    await using a = await start(early);
    await using b = await start(early);
    const anchored = {
      ...startDayProgress(DAY, ref(0)),
      first: ref(1),
      last: { ...ref(2), host: 'a.example' },
    };
    const totals = { ...NO_TOTALS, blocks: 2 };
    await save({ ...anchored, totals, provenBlocks: 2, notBefore: at(0, 12) });
    expect(await ingest(DAY, [a, b])).toMatchObject({ end: FINAL, blocks: 2 });
    expect(await stored()).toMatchObject([{ blocks: 4, range: [1, 4] }]);
    expect(Math.min(...blocksRead([...a.calls, ...b.calls]))).toBe(3);
  });

  test('of an orphaned block is discarded, and the day starts over at once', async () => {
    await save(onFork(3));
    await using a = await start();
    await using b = await start();
    expect(await ingest(DAY, [a, b])).toMatchObject({ end: FINAL, blocks: 4 });
    expect(await stored()).toEqual([figuresOfDay]);
  });

  test('of an orphaned block is discarded too while the endpoint that gave it fails', async () => {
    await using failing = await start((call) =>
      Number(call.params[0]) < 9 ? { status: 500, body: '' } : well(call),
    );
    await using honest = await start();
    await save({ ...onFork(3), last: { number: 3, hash: hashOf('fork 3'), host: failing.host } });
    expect(await ingest(DAY, [failing, honest])).toMatchObject({ end: WAITING, blocks: 4 });
    expect(await listWaitingDays(store())).toMatchObject([
      { progress: { last: ref(4), totals: { blocks: 4 } } },
    ]);
  });

  test('is kept when no endpoint has the next block', async () => {
    await save(onFork(3));
    const { progress } = await getCheckpoint(store(), DAY);
    const mute: NodeAnswer = (call) =>
      call.params[0] === '0x3' || call.params[0] === '0x4' ? { result: null } : well(call);
    expect(await ingestFrom(mute, DAY)).toMatchObject({ end: { kind: 'no endpoint' } });
    expect((await getCheckpoint(store(), DAY)).progress).toEqual(progress);
  });

  test('stays as it is when another run saves first', async () => {
    const stored = await getCheckpoint(store(), DAY);
    await save({ ...startDayProgress(DAY, ref(0)), last: ref(2) });
    expect(await ingestFrom(well, DAY, { stored })).toMatchObject({ end: { kind: 'overtaken' }, blocks: 0 });
    expect((await getCheckpoint(store(), DAY)).progress?.last).toEqual(ref(2));
  });
});

describe('a final day beside it', () => {
  const publishFork = (day: UtcDay, progress: Partial<DayProgress>) =>
    publishDay(
      store(),
      { progress: { ...startDayProgress(day, ref(4)), ...progress }, finality: reportedBy([]) },
      0,
    );
  const fork4 = { number: 4, hash: hashOf('fork 4') };

  test('that begins after a block that the hosts do not have is a conflict', async () => {
    await publishFork(NEXT, { parentHash: fork4.hash, first: ref(5), last: ref(7) });
    expect((await ingestFrom(well, DAY)).end).toEqual({
      kind: 'conflict',
      day: NEXT,
      reason:
        `ETHEREUM ${NEXT} is final, but the hosts report ${ref(4).hash} as block 4, not ${fork4.hash}, ` +
        `at its border to ${DAY}. Verify ${NEXT}, and restate it.`,
    });
  });

  test('that ends with a block that the hosts do not have is a conflict', async () => {
    await publishFork(DAY, { parentHash: ref(0).hash, first: ref(1), last: fork4 });
    expect((await ingestFrom(well, NEXT)).end).toMatchObject({
      kind: 'conflict',
      reason: expect.stringContaining(
        `ETHEREUM ${DAY} is final, but the hosts report ${ref(4).hash} as block 4`,
      ),
    });
  });

  test('is no conflict while only one of two hosts reports another block', async () => {
    await publishFork(NEXT, { parentHash: fork4.hash, first: ref(5), last: ref(7) });
    await using a = await start();
    await using b = await start((call) => (call.params[0] === '0x4' ? { result: null } : well(call)));
    expect((await ingest(DAY, [a, b])).end).toMatchObject({ kind: 'no endpoint' });
  });
});

describe('a restatement', () => {
  const restatement = { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' };
  async function restate(day: UtcDay, nodes: readonly JsonRpcServer[]) {
    await requestRestatement(store(), day, restatement);
    const [stored] = await listRestatements(store(), day);
    return ingest(day, nodes, stored && { stored });
  }

  test('searches the start again, though the day before is final, and ends before the day after', async () => {
    await publishWrongly(table(), DAY, 1, 3);
    await publishDay(
      store(),
      {
        progress: { ...startDayProgress(NEXT, ref(3)), first: ref(4), last: ref(7) },
        finality: reportedBy([]),
      },
      0,
    );
    await publishWrongly(table(), EMPTY, 8, 7);
    await using node = await start();
    expect(await restate(NEXT, [node])).toMatchObject({ end: FINAL, restated: [NEXT], days: [], blocks: 3 });
    expect((await stored())[1]).toEqual(figuresOfNext);
    expect(await listRestatements(store())).toMatchObject([{ day: DAY }]);
  });

  test('that nothing supports yet stays open, with its progress', async () => {
    await publishWrongly(table(), DAY, 1, 4);
    await using node = await start();
    expect(await restate(DAY, [node])).toMatchObject({ end: WAITING, restated: [] });
    expect(await waiting()).toEqual([]);
    expect(await listRestatements(store())).toMatchObject([{ day: DAY, progress: { last: ref(4) } }]);
    expect((await itemOf(DAY))?.revision).toBe(1);
  });

  test('discards an orphaned block like a first reading', async () => {
    await publishWrongly(table(), DAY, 1, 4);
    await using liar = await start(tellFork(forkAt(5), 5, 8));
    await using a = await start();
    await using b = await start();
    expect(await restate(DAY, [liar, a, b])).toMatchObject({ end: FINAL, restated: [DAY] });
    expect(await stored()).toEqual([figuresOfDay]);
  });

  test('does not move the lag', async () => {
    await publishWrongly(table(), DAY, 1, 4);
    await using a = await start();
    await using b = await start();
    expect(await restate(DAY, [a, b])).not.toHaveProperty('reached');
  });
});

test('a day that has not begun is up to date, and one before genesis begins later to two hosts', async () => {
  expect((await ingestFrom(well, addDays(DAY, 4))).end).toEqual({ kind: 'up to date' });
  const before = addDays(DAY, -3);
  await using a = await start();
  await using b = await start();
  expect((await ingest(before, [a])).end).toMatchObject({ kind: 'no endpoint' });
  expect((await ingest(before, [a, b])).end).toEqual({ kind: 'begins later', day: addDays(DAY, -1) });
  expect(await getCheckpoint(store(), addDays(DAY, -3))).toMatchObject({ sequence: 0 });
});

test('a changed rule ends a day that is complete', async () => {
  const arbitrum = chainOf('ARBITRUM');
  if (arbitrum.rules.family !== 'arbitrum') throw new Error('it is');
  const chain = { ...arbitrum, rules: { ...arbitrum.rules, nitroBlock: 0 } };
  const nitro = { difficulty: '0x1', baseFeePerGas: '0x1', extraData: hashOf('send root') };
  const mixHash = `0x${'0'.repeat(32)}${hex(61).slice(2).padStart(16, '0')}${'0'.repeat(16)}`;
  const blocks = sealedChain(
    chain,
    [at(-1, 0), at(0, 0), at(1, 0)].map((time) => ({ header: { ...nitro, mixHash, timestamp: hex(time) } })),
  );
  const answer = answerFrom(blocks, { chainId: chain.id });
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const constraints = { result: `0x${word(32)}${word(1)}${word(0)}` };
  const { end } = await ingestFrom((call) => (call.method === 'eth_call' ? constraints : answer(call)), DAY, {
    chain,
  });
  expect(end).toEqual({ kind: 'rule changed', reason: MULTI_GAS_PROBLEM });
});

describe('the evidence of a day', () => {
  /** A node that leaves a hashed field out of block 2. */
  const lacking: NodeAnswer = (call) =>
    call.method === 'eth_getBlockByNumber' && call.params[0] === '0x2'
      ? {
          result: { ...blockResponse(blockAt(sampleBlocks, 2), call.params[1] === true), mixHash: undefined },
        }
      : well(call);

  test('is checked as soon as one block is not proven, which the policy must allow', async () => {
    await using a = await start(lacking);
    await using b = await start(lacking);
    expect((await ingest(DAY, [a, b])).end).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining('ETHEREUM block 2: mixHash: the node left it out'),
    });
    expect(await ingest(DAY, [a, b], { evidence: 'checked' })).toMatchObject({ end: FINAL });
    expect(await stored()).toEqual([figuresOfDay]);
    expect(await itemOf(DAY)).toMatchObject({ evidence: 'checked', proven_blocks: 3 });
  });
});

test('a chain with several blocks a second at midnight parts them by their time', async () => {
  const times = [at(-1, 86_399), at(0, 0), at(0, 0), at(0, 86_399), at(0, 86_399), at(1, 0), at(1, 0)];
  const answer = answerFrom(sampleChain(times));
  await using a = await start(answer);
  await using b = await start(answer);
  expect(await ingest(DAY, [a, b])).toMatchObject({ end: FINAL, blocks: 4 });
  expect(await stored()).toMatchObject([{ range: [1, 4] }]);
});
