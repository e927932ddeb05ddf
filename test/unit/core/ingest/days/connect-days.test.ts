import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import type { DayFigures } from '#core/figures/day-figures.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { connectDay, connectOlderDays, knownEndOf, readParentHash } from '#core/ingest/days/connect-days.ts';
import { getCoverage } from '#core/store/coverage.ts';
import { getDay, listUnconnectedDays, putDay } from '#core/store/days.ts';
import { refreshCoverage } from '#core/store/refresh-coverage.ts';
import { hashOf, provenance } from '#test/support/generators/builders.ts';
import { answerFrom, refAt, sampleChain, summedBlock } from '#test/support/generators/sample-chain.ts';
import { at, DAY, sampleBlocks } from '#test/support/generators/sample-days.ts';
import { dayRunOf, serveAnswers } from '#test/support/nodes/hosts.ts';
import type { Call, NodeAnswer } from '#test/support/nodes/json-rpc-server.ts';
import { useStore } from '#test/support/tables/table.ts';

const { table, store } = useStore('ETHEREUM');
const NEXT = addDays(DAY, 1);
const EMPTY = addDays(DAY, 2);
const ref = (number: number, blocks = sampleBlocks) => refAt(blocks, number);
const well = answerFrom(sampleBlocks);

/** A day as release 0.1.0 stored it. */
const unconnected = (
  day: UtcDay,
  first: number | undefined,
  last: number,
  blocks = sampleBlocks,
): DayFigures => ({
  day,
  totals: NO_TOTALS,
  first: first === undefined ? undefined : ref(first, blocks),
  last: ref(last, blocks),
  definitionVersion: 1,
});
const put = (figures: DayFigures) => putDay(store(), figures, provenance());

/** Runs something with two hosts, and counts their calls. */
async function withHosts<T>(
  use: (run: ReturnType<typeof dayRunOf>) => Promise<T>,
  answer: NodeAnswer = well,
) {
  let calls = 0;
  const counted = (call: Call) => {
    calls += 1;
    return answer(call);
  };
  using hosts = serveAnswers([counted, counted]);
  const run = dayRunOf(hosts, { ...summedBlock(sampleBlocks, 9, 'a'), hosts: [] }, table());
  return { result: await use(run), calls };
}
const connect = (figures: DayFigures, answer?: NodeAnswer) =>
  withHosts(async (run) => connectDay(run, figures, await readParentHash(run.source, figures)), answer);
const conflict = (reason: RegExp) => ({
  kind: 'conflict',
  day: expect.any(String),
  reason: expect.stringMatching(reason),
});
const parentOf = async (day: UtcDay) => (await getDay(store(), day))?.parentHash;

describe('connectDay', () => {
  test('stores the parent hash of the first block where the hosts support that block, and the day after continues the day', async () => {
    const day = unconnected(NEXT, 5, 7);
    await put(day);
    await put({ ...unconnected(EMPTY, undefined, 7), parentHash: ref(7).hash });
    // Two votes on the first block, its header, and that of the last block.
    expect(await connect(day)).toEqual({ result: { kind: 'connected' }, calls: 4 });
    expect(await parentOf(NEXT)).toBe(ref(4).hash);
  });

  test('lets two hosts vote on the block before a day without blocks, and on the last block of the last day', async () => {
    const day = unconnected(EMPTY, undefined, 7);
    await put(day);
    expect(await connect(day)).toMatchObject({ result: { kind: 'connected' }, calls: 5 });
    expect(await parentOf(EMPTY)).toBe(ref(7).hash);
  });

  test.each<[string, string | undefined]>([
    ['the day after', hashOf('elsewhere')],
    ['a day after that is not connected either', undefined],
  ])('is a conflict when %s begins after another block', async (_, parentHash) => {
    const day = { ...unconnected(DAY, 1, 4), last: { number: 4, hash: hashOf('fork 4') } };
    await put(day);
    await put({ ...unconnected(NEXT, 5, 7), parentHash });
    expect((await connect(day)).result).toEqual(
      conflict(
        /^ETHEREUM 2026-11-18 ends with block 4 \(0x.*\), but 2026-11-19 begins after block 4 \(0x.*\)\. Verify both days/,
      ),
    );
    expect(await parentOf(DAY)).toBeUndefined();
  });

  test('is a conflict when the hosts report another last block of the last day', async () => {
    const day = { ...unconnected(NEXT, 5, 7), last: { number: 7, hash: hashOf('fork 7') } };
    await put(day);
    expect((await connect(day)).result).toEqual(
      conflict(/^ETHEREUM 2026-11-19 ends with block 7 .*, but the hosts report 0x/),
    );
    expect(await parentOf(NEXT)).toBeUndefined();
  });

  test('is a conflict when the hosts report another first block', async () => {
    const fork = { ...unconnected(NEXT, 5, 7), first: { number: 5, hash: hashOf('fork 5') } };
    await put(fork);
    expect((await connect(fork)).result).toEqual({
      kind: 'conflict',
      day: NEXT,
      reason: `ETHEREUM ${NEXT} begins with block 5 (${hashOf('fork 5').slice(0, 10)}…), but the hosts report ${ref(5).hash}. Restate that day.`,
    });
    expect(await parentOf(NEXT)).toBeUndefined();
  });

  test('is a conflict when the first block is of another day', async () => {
    const early = unconnected(NEXT, 4, 7);
    await put(early);
    expect((await connect(early)).result).toEqual(
      conflict(/ETHEREUM 2026-11-19 begins with block 4 .*, which is of 2026-11-18\. Restate that day/),
    );
    expect(await parentOf(NEXT)).toBeUndefined();
  });

  test('lets the hosts decide about a parent that no hash covers', async () => {
    const day = unconnected(NEXT, 5, 7);
    const forged = hashOf('forged');
    const liar: NodeAnswer = (call) => {
      const answer = well(call);
      if (call.params[0] !== '0x5' || !('result' in answer)) return answer;
      return { result: { ...(answer.result as object), parentHash: forged } };
    };
    const parentAmong = async (answers: readonly NodeAnswer[]) => {
      using hosts = serveAnswers(answers, { evidence: 'checked' });
      return await readParentHash(hosts, day);
    };
    expect(await parentAmong([liar, well, well])).toMatchObject({ kind: 'fetched', value: ref(4).hash });
    expect(await parentAmong([well, well, liar])).toMatchObject({ kind: 'fetched', value: ref(4).hash });
    expect(await parentAmong([liar, well])).toMatchObject({ kind: 'no endpoint' });
  });

  test('fails, without a conflict, while no host gives the block', async () => {
    const day = unconnected(NEXT, 5, 7);
    await put(day);
    expect((await connect(day, () => ({ result: null }))).result).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining('the start of ETHEREUM 2026-11-19. Block 5: no host has it'),
    });
    expect(await parentOf(NEXT)).toBeUndefined();
  });
});

test.each<[string, DayFigures, number]>([
  ['the parent of its first', unconnected(NEXT, 5, 7), 4],
  ['its own last, of a day without blocks', unconnected(NEXT, undefined, 7), 7],
])('the last block before a day is %s', async (_, after, number) => {
  const parentHash = hashOf('parent');
  await put({ ...after, parentHash });
  const { result } = await withHosts((run) => knownEndOf(run, DAY));
  expect(result).toEqual({
    kind: 'known',
    end: { number, hash: parentHash, finality: provenance().finality },
  });
});

test('a final day that only hosts vouch for ends no day where the chain must prove that', async () => {
  await put({ ...unconnected(NEXT, 5, 7), parentHash: ref(4).hash });
  const { result } = await withHosts((run) =>
    knownEndOf({ ...run, source: { ...run.source, isProofRequired: true } }, DAY),
  );
  expect(result).toEqual({ kind: 'known', end: undefined });
});

describe('connectOlderDays', () => {
  const refresh = () => refreshCoverage(store(), DAY);
  const run = (answer?: NodeAnswer) => withHosts(connectOlderDays, answer);
  const UP_TO_DATE = { kind: 'up to date' };

  test('connects each day once, and lists them as changed in the coverage', async () => {
    await put(unconnected(DAY, 1, 4));
    await put(unconnected(NEXT, 5, 7));
    await refresh();
    // Two headers and two votes each, and two votes on the last block.
    expect(await run()).toEqual({ result: UP_TO_DATE, calls: 10 });
    expect(await getCoverage(store())).toMatchObject({
      changes: [{ day: NEXT }, { day: DAY }],
      summary: { unconnectedDays: 0 },
    });
    expect(await run()).toEqual({ result: UP_TO_DATE, calls: 0 });
  });

  test('connects the other days when it cannot connect one, whose reason it returns', async () => {
    await put(unconnected(DAY, 1, 4));
    await put(unconnected(NEXT, 5, 7));
    await refresh();
    const pruned = (call: Call) => (call.params[0] === '0x1' ? { result: null } : well(call));
    expect((await run(pruned)).result).toMatchObject({ kind: 'no endpoint' });
    expect(await listUnconnectedDays(store())).toEqual([DAY]);
  });

  test('connects at most 50 days a run, the latest first', async () => {
    const blocks = sampleChain(Array.from({ length: 52 }, (_, index) => at(index, 0)));
    for (const index of blocks.keys()) await put(unconnected(addDays(DAY, index), index, index, blocks));
    await refresh();
    expect((await run(answerFrom(blocks))).calls).toBe(50 * 4 + 2);
    expect(await listUnconnectedDays(store())).toEqual([DAY, NEXT]);
  });

  test('counts the days again where the coverage is of an earlier version, and makes no call without days', async () => {
    expect(await run()).toEqual({ result: UP_TO_DATE, calls: 0 });
    await put({ ...unconnected(DAY, 1, 4), parentHash: ref(0).hash });
    await refresh();
    const key = { chain: 'ETHEREUM', date: 'coverage' };
    const { summary, ...item } = (await table().getItem(key)) ?? {};
    const { unconnected_days: _, ...earlier } = summary as Record<string, unknown>;
    await table().putIf({ ...item, summary: earlier });
    expect(await run()).toEqual({ result: UP_TO_DATE, calls: 0 });
    expect(await getCoverage(store())).toMatchObject({ revision: 2, summary: { unconnectedDays: 0 } });
    await run();
    expect(await getCoverage(store())).toMatchObject({ revision: 2 });
  });
});
