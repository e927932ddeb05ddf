import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { DayRun } from '#core/days/day-run.ts';
import { createLedger } from '#core/days/ledger.ts';
import {
  checkStart,
  discard,
  discardIfContradicted,
  undoLateEnd,
  undoWaitingDay,
  wrongNeighbor,
} from '#core/days/undo.ts';
import { reportedBy } from '#core/figures/block.ts';
import { addDays } from '#core/figures/calendar.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { beginCoverage } from '#core/store/chain/commit.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import { getCheckpoint, saveCheckpoint } from '#core/store/days/checkpoints.ts';
import { listDiscardedDays } from '#core/store/days/waiting-days.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, withHeader } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, refAt, reseal, summedBlock } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY, publishWrongly, sampleBlocks } from '#test/support/generators/chains/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import type { NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { publishDay, putWaitingDay } from '#test/support/tables/put-day.ts';
import { useMemoryStore } from '#test/support/tables/table.ts';

/*
 * Proves which of two neighboring days is undone, and how: a day that is not final starts over, a final one is a conflict, and a block
 * belongs to the day before only if it is before midnight. Block 1 is of the first second of DAY, and block 4 of its last.
 */

const { table, store } = useMemoryStore('ETHEREUM');
beforeEach(() => beginCoverage(store(), DAY));
const NEXT = addDays(DAY, 1);
const EMPTY = addDays(DAY, 2);
const well = answerFrom(sampleBlocks);
const silent: NodeAnswer = () => ({ result: null });
const ref = (number: number) => refAt(sampleBlocks, number);

interface Given {
  readonly nodes?: readonly NodeAnswer[];
  readonly evidence?: EvidencePolicy;
  readonly chain?: Chain;
}

async function on<T>({ nodes = [well], ...rules }: Given, act: (run: DayRun) => Promise<T>) {
  const faults: string[] = [];
  using hosts = serveAnswers(nodes, rules);
  const onFault = (host: string, kind: string) => void faults.push(`${host} ${kind}`);
  const network = { ...hosts, context: { ...hosts.context, onFault } };
  const anchor = { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] };
  return { result: await act(dayRunOf(network, anchor, table())), faults };
}

/** Answers with other members in one header, whose hash stays. */
const lie =
  (number: number, members: object): NodeAnswer =>
  (call) => {
    const answer = well(call);
    return Number(call.params[0]) === number && 'result' in answer
      ? { result: { ...(answer.result as object), ...members } }
      : answer;
  };

/** A day that begins after a block, and ends with the last block of the second day. */
const dayAfter = (number: number, day = NEXT): DayProgress => ({
  ...startDayProgress(day, ref(number)),
  first: ref(number + 1),
  last: ref(7),
});
const save = (progress: DayProgress) =>
  saveCheckpoint(store(), { day: progress.day, sequence: 0 }, { progress });
const isBegun = async (day: string) => (await getCheckpoint(store(), day)).progress !== undefined;
const publish = (progress: DayProgress) => publishDay(store(), { progress, finality: reportedBy([]) }, 0);

describe('discard', () => {
  const begin = async (run: DayRun) => {
    const ledger = createLedger(run, { day: DAY, sequence: 0 }, startDayProgress(DAY, ref(0)));
    ledger.count(summedBlock(sampleBlocks, 1, 'a.test/1'));
    ledger.anchor();
    ledger.count(summedBlock(sampleBlocks, 2, 'a.test/1'));
    return ledger;
  };

  test('saves the sums of the last anchored block, and makes the host a suspect', async () => {
    const { result, faults } = await on({}, async (run) =>
      discard(run, await begin(run), 'a.test/1', 'block 2 is wrong'),
    );
    expect(result).toEqual({
      kind: 'orphaned',
      reason:
        'ETHEREUM: counted blocks were discarded. a.test/1: block 2 is wrong. The next run reads them again.',
    });
    expect((await getCheckpoint(store(), DAY)).progress?.last?.number).toBe(1);
    expect(await listSuspects(store())).toMatchObject([{ host: 'a.test/1' }]);
    expect(faults).toEqual(['a.test/1 not canonical']);
  });

  test('suspects nobody when no host is known, and needs no table', async () => {
    const { result, faults } = await on({}, async (given) => {
      const commit = () => Promise.reject(new Error('throttled'));
      const run = { ...given, store: { ...store(), table: { ...table(), commit } } };
      return discard(run, await begin(run), undefined, 'block 2 is wrong');
    });
    expect(result.reason).toContain('discarded. ETHEREUM: block 2 is wrong.');
    expect([faults, await listSuspects(store())]).toEqual([[], []]);
  });

  test.each([
    { kind: 'supported', hosts: ['a.test'] } as const,
    { kind: 'undecided', reason: 'nobody answers' } as const,
  ])('is left out after a vote that is $kind', async (vote) => {
    const { result } = await on({}, async (run) => {
      const ledger = await begin(run);
      const undone = await discardIfContradicted(run, ledger, ref(2), vote);
      return [undone, ledger.progress().last?.number];
    });
    expect(result).toEqual([undefined, 2]);
  });
});

describe('undoWaitingDay', () => {
  test.each([
    ['suspects the host that gave the wrong block', 'a.test/1', ['a.test/1']],
    ['suspects nobody when the host is not known', undefined, []],
  ])('notes the day to be read again, and %s', async (_, host, suspects) => {
    await putWaitingDay(store(), { progress: dayAfter(0, DAY), next: ref(8), since: 0 });
    const wrong = { ...ref(8), host };
    await on({}, (run) => undoWaitingDay(run, DAY, { kind: 'contradicted', wrong, problem: 'is wrong' }));
    expect(await listDiscardedDays(store())).toEqual([DAY]);
    expect((await listSuspects(store())).map((suspect) => suspect.host)).toEqual(suspects);
  });
});

describe('checkStart', () => {
  const check = async (progress: DayProgress, given: Given = {}, isFinal = false) =>
    (await on(given, (run) => checkStart(run, progress, isFinal))).result;
  const PROVEN = { kind: 'start', isProven: true };

  test('accepts a day after a block of the last second before midnight', async () => {
    expect(await check(dayAfter(4))).toEqual(PROVEN);
  });

  test('lets a day start over that begins after a block of its own first second', async () => {
    await save(dayAfter(1, DAY));
    expect(await check(dayAfter(1, DAY))).toMatchObject({
      kind: 'orphaned',
      reason: expect.stringMatching(
        /^ETHEREUM 2026-11-18 begins after block 1 \(.*\), which is of that day or a later one\. That day starts over\.$/,
      ),
    });
    expect(await isBegun(DAY)).toBe(false);
  });

  test('checks the last block before a day without blocks', async () => {
    expect(await check(startDayProgress(NEXT, ref(4)))).toEqual(PROVEN);
    expect(await check(startDayProgress(NEXT, ref(5)))).toMatchObject({ kind: 'orphaned' });
  });

  test('asks no node about a day that begins with genesis, and one about a day after it', async () => {
    const genesis = { ...startDayProgress(DAY, undefined), first: ref(0), last: ref(1) };
    for (const day of [genesis, startDayProgress(DAY, undefined)])
      expect(await check(day, { nodes: [silent] })).toEqual(PROVEN);
    expect(await check(dayAfter(0, DAY), { nodes: [silent] })).toMatchObject({ kind: 'no endpoint' });
  });

  test('a day that is final is a conflict, and keeps what is read', async () => {
    await save(dayAfter(5));
    expect(await check(dayAfter(5), {}, true)).toMatchObject({
      kind: 'conflict',
      day: DAY,
      reason: expect.stringMatching(/a later one\. Verify 2026-11-18, and restate it\.$/),
    });
    expect(await isBegun(NEXT)).toBe(true);
  });

  test('a final day before it is to blame only if it ends with that block', async () => {
    await save(dayAfter(5));
    await publishWrongly(table(), DAY, 1, 5);
    expect(await check(dayAfter(5))).toMatchObject({ kind: 'conflict', day: DAY });
    expect(await check(dayAfter(6))).toMatchObject({ kind: 'orphaned' });
  });

  test('decides nothing while no node has the block', async () => {
    await save(dayAfter(5));
    expect(await check(dayAfter(5), { nodes: [silent] })).toMatchObject({ kind: 'no endpoint' });
    expect(await isBegun(NEXT)).toBe(true);
  });

  test('no header proves a start in an era whose blocks do not hash', async () => {
    const beforeNitro = { chain: chainOf('ARBITRUM') };
    expect(await check(dayAfter(4), beforeNitro)).toEqual({ kind: 'start', isProven: false });
  });

  describe('with the policy checked', () => {
    const broken: NodeAnswer = () => ({ status: 500, body: '' });
    const unhashed = { stateRoot: hashOf('another state') };

    test.each([
      ['a header hashes', [well], true],
      ['the header of another node hashes', [lie(4, unhashed), well], true],
      ['the header of another node hashes, and one fails', [well, broken, well], true],
      ['no header hashes', [lie(4, unhashed)], false],
    ])('the start is proven if %s', async (_, nodes, isProven) => {
      expect(await check(dayAfter(4), { nodes, evidence: 'checked' })).toEqual({ kind: 'start', isProven });
    });

    test('a time before midnight that two nodes report, and the hash does not cover, proves no start', async () => {
      const early = lie(1, { timestamp: hex(at(-1, 86_399)) });
      const given = { nodes: [early, early, well], evidence: 'checked' } as const;
      expect(await check(dayAfter(1, DAY), given)).toEqual({ kind: 'start', isProven: false });
    });

    test('a node whose header does not hash has no fault', async () => {
      const given = { nodes: [lie(4, unhashed)], evidence: 'checked' } as const;
      expect((await on(given, (run) => checkStart(run, dayAfter(4), false))).faults).toEqual([]);
    });
  });
});

describe('undoLateEnd', () => {
  const undo = async (number: number) => (await on({}, (run) => undoLateEnd(run, DAY, ref(number)))).result;

  test('keeps the day after one that ends in its last second', async () => {
    await save(dayAfter(4));
    expect(await undo(4)).toBeUndefined();
    expect(await isBegun(NEXT)).toBe(true);
  });

  test('lets the day after start over, if the block that it names is of that day', async () => {
    await save(dayAfter(5));
    expect(await undo(5)).toMatchObject({
      kind: 'orphaned',
      reason: expect.stringContaining(`ETHEREUM ${NEXT} begins after block 5 (`),
    });
    expect(await isBegun(NEXT)).toBe(false);
  });

  test('a final day after it is a conflict of that day', async () => {
    await publish(dayAfter(5));
    expect(await undo(5)).toMatchObject({ kind: 'conflict', day: NEXT });
  });
});

describe('wrongNeighbor', () => {
  const find = async (day: string, end: number | undefined, nodes = [well]) =>
    (await on({ nodes }, (run) => wrongNeighbor(run, day, end === undefined ? undefined : ref(end)))).result;
  const forkAt = (number: number) =>
    answerFrom(reseal(sampleBlocks, number, (block) => withHeader(block, { stateRoot: hashOf('fork') })));
  const onFork = forkAt(4);

  test('accuses the final day after, whose parent the hosts do not have', async () => {
    expect(await find(DAY, 4, [onFork])).toBeUndefined();
    await publish(dayAfter(4));
    expect(await find(DAY, 4, [onFork])).toMatchObject({ kind: 'conflict', day: NEXT });
    expect(await find(DAY, 4)).toBeUndefined();
    expect(await find(DAY, 4, [onFork, silent])).toBeUndefined();
  });

  test('accuses the final day before, whose last block the hosts do not have', async () => {
    await publishWrongly(table(), DAY, 1, 4);
    expect(await find(NEXT, undefined, [onFork])).toMatchObject({ kind: 'conflict', day: DAY });
  });

  test('accuses the final day before, if the block after its last one is of that day too', async () => {
    await publishWrongly(table(), DAY, 1, 3);
    expect(await find(NEXT, undefined)).toMatchObject({
      kind: 'conflict',
      day: DAY,
      reason: expect.stringMatching(
        /^ETHEREUM 2026-11-18 is final and ends with block 3 \(.*\), but block 4 \(.*\) is of that day too\. Verify 2026-11-18/,
      ),
    });
  });

  test('believes one of two hosts nothing about that block', async () => {
    await publishWrongly(table(), DAY, 1, 3);
    const lacking: NodeAnswer = (call) => (Number(call.params[0]) === 4 ? { result: null } : well(call));
    expect(await find(NEXT, undefined, [well, lacking])).toBeUndefined();
    expect(await find(NEXT, undefined, [lacking])).toBeUndefined();
  });

  test('accuses no day before whose next block is of the first second after midnight', async () => {
    await publishWrongly(table(), EMPTY, 5, 7);
    expect(await find(addDays(EMPTY, 1), undefined)).toBeUndefined();
  });

  test('accuses no day before, if the next block names another parent and nobody has its last one', async () => {
    await publishWrongly(table(), DAY, 1, 3);
    const fork = forkAt(3);
    expect(
      await find(NEXT, undefined, [(call) => (Number(call.params[0]) === 3 ? { result: null } : fork(call))]),
    ).toBeUndefined();
  });
});
