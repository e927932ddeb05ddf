import { createBlockReader } from '#core/blocks/block-stream.ts';
import { nodeBlocks } from '#core/blocks/nodes/node-blocks.ts';
import { chainOf } from '#core/chains/chains.ts';
import { ingestDay } from '#core/days/ingest-day.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import {
  type Checkpoint,
  getCheckpoint,
  listRestatements,
  requestRestatement,
  saveCheckpoint,
} from '#core/store/days/checkpoints.ts';
import { listWaitingDays } from '#core/store/days/waiting-days.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type RawBlock, withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt, reseal } from '#test/support/generators/chains/sample-chain.ts';
import {
  at,
  completeDays,
  DAY,
  sampleBlocks,
  storedDays,
} from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf } from '#test/support/nodes/hosts.ts';
import {
  blocksRead,
  type Call,
  type JsonRpcServer,
  type NodeAnswer,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { sourceOf } from '#test/support/nodes/source.ts';
import { publishDay } from '#test/support/tables/put-day.ts';
import { getStoredDay } from '#test/support/tables/stored-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

const { table, store } = useMemoryStore('ETHEREUM');
beforeEach(() => beginCoverage(store(), DAY));
const NEXT = addDays(DAY, 1);
const EMPTY = addDays(DAY, 2);
const well = answerFrom(sampleBlocks);
/** While the second day is the running one. */
const early = answerFrom(sampleBlocks, { finalized: 7 });
const ref = (number: number) => refAt(sampleBlocks, number);
const start = (answer: NodeAnswer = well) => startJsonRpcServer(answer);

/** Ingests one day from its checkpoint. */
async function ingest(day: UtcDay, nodes: readonly JsonRpcServer[], stored?: Checkpoint) {
  const faults: string[] = [];
  const onFault = (host: string, kind: string) => void faults.push(`${host} ${kind}`);
  const source = await sourceOf(chainOf('ETHEREUM'), nodes, { onFault });
  await using reader = createBlockReader(nodeBlocks(source));
  const run = dayRunOf(source, source.anchor, table());
  const end = await ingestDay(run, reader, stored ?? (await getCheckpoint(run.store, day)));
  return { end, ...run.stats, faults };
}

async function ingestFrom(answer: NodeAnswer, day: UtcDay) {
  await using node = await start(answer);
  return await ingest(day, [node]);
}

const stored = () => storedDays(table());
const [figuresOfDay, figuresOfNext] = completeDays;
const itemOf = (day: UtcDay) => getStoredDay(store(), day);
const waiting = async () => (await listWaitingDays(store())).map(({ progress }) => progress.day);
const FINAL = { kind: 'up to date', state: 'final' };
const WAITING = { kind: 'up to date', state: 'waiting' };

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
    expect(await getCoverage(store())).toMatchObject({ through_day: DAY });
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

test('a day waits while the hosts cannot decide about the block after it', async () => {
  await using a = await start();
  await using b = await start((call) => (call.params[0] === '0x5' ? { result: null } : well(call)));
  expect(await ingest(DAY, [a, b])).toMatchObject({ end: WAITING });
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

  test('about the start of a day, beside two honest ones, is found before a block is read', async () => {
    await using liar = await start(tellFork(forkAt(4, { timestamp: hex(at(1, 1)) }), 4, 4));
    await using one = await start();
    await using other = await start();
    const { end, faults } = await ingest(NEXT, [liar, one, other]);
    expect([end, faults]).toEqual([FINAL, [`${liar.host} not canonical`]]);
    expect(await listSuspects(store())).toMatchObject([{ host: liar.host }]);
    expect(blocksRead(liar.calls)).toEqual([]);
  });
});

describe('the same run', () => {
  /** Counts the requests to a node for block 2 with its transactions. */
  const timesRead = ({ calls }: JsonRpcServer) =>
    calls.filter(
      ({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === '0x2' && params[1] === true,
    ).length;

  test('tries a day again once for each host after blocks were discarded, and then leaves it to the next run', async () => {
    // Its blocks contradict its headers, and so the day after, which is final.
    await publishDay(
      store(),
      {
        progress: { ...startDayProgress(NEXT, ref(4)), first: ref(5), last: ref(7) },
        finality: reportedBy([]),
      },
      0,
    );
    const forked = tellFork(forkAt(2), 2, 8);
    await using node = await start((call) => (call.params[1] === false ? well(call) : forked(call)));
    expect(await ingest(DAY, [node])).toMatchObject({ end: { kind: 'orphaned' } });
    expect(timesRead(node)).toBe(2);
  });

  test('tries a restatement again too, with its reason', async () => {
    await using one = await start();
    await using other = await start();
    const nodes = [one, other];
    expect(await ingest(DAY, nodes)).toMatchObject({ end: FINAL });
    await requestRestatement(store(), DAY, { reason: 'a node lied', requestedAt: '2026-11-25T08:00:00Z' });
    const [request] = await listRestatements(store(), DAY);
    const orphan = { ...ref(2), hash: hashOf('orphan') };
    const progress = {
      ...startDayProgress(DAY, ref(0)),
      first: ref(1),
      last: { ...orphan, timestamp: at(0, 1) },
    };
    await saveCheckpoint(store(), request as Checkpoint, { progress });
    const [begun] = await listRestatements(store(), DAY);
    expect(await ingest(DAY, nodes, begun)).toMatchObject({ end: FINAL });
    expect(await listRestatements(store(), DAY)).toEqual([]);
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
  const save = (progress: DayProgress) =>
    saveCheckpoint(store(), { day: DAY, sequence: 0 }, { progress, anchored: undefined });

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
});

describe('a final day beside it', () => {
  const fork4 = { number: 4, hash: hashOf('fork 4') };

  test('that begins after a block that the hosts do not have is a conflict', async () => {
    const progress = { ...startDayProgress(NEXT, fork4), first: ref(5), last: ref(7) };
    await publishDay(store(), { progress, finality: reportedBy([]) }, 0);
    expect((await ingestFrom(well, DAY)).end).toEqual({
      kind: 'conflict',
      day: NEXT,
      reason:
        `ETHEREUM ${NEXT} is final, but the hosts report ${ref(4).hash} as block 4, not ${fork4.hash}, ` +
        `at its border to ${DAY}. Verify ${NEXT}, and restate it.`,
    });
  });
});
