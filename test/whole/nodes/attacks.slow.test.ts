import { addDays } from '#core/figures/calendar.ts';
import { getCoverage } from '#core/store/chain/coverage.ts';
import { listSuspects } from '#core/store/chain/suspects.ts';
import { chainStore } from '#core/store/table/table.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { at, DAY } from '#test/support/generators/chains/sample-days.ts';
import {
  blocks,
  clockAt,
  days,
  forkFrom,
  HEAD,
  honest,
  ingestFrom as ingest,
  isHeader,
  isNumbered,
  publishedIn,
  trueDays,
} from '#test/support/nodes/attacked-chain.ts';
import type { Answer, Call } from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { type GivenRun, runIngest } from '#test/support/processes/run-ingest.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/*
 * Attacks that made earlier versions publish days of another chain as proven, or stopped a chain although most endpoints were honest.
 * Every forged block is valid and hashes to its hash. The liars of the simulation forge headers and final blocks of the future.
 */

const table = useMemoryTable();
const ingestFrom = (answers: readonly Answer[], given?: GivenRun) => ingest(table(), answers, given);
const published = () => publishedIn(table());

describe('older days of another chain, below a true head', () => {
  const fork = answerFrom(forkFrom(2));
  const forgedBelow =
    (number: number): Answer =>
    (call) =>
      isNumbered(call) && Number(call.params[0]) < number ? fork(call) : honest(call);

  test.each([
    ['and the newest day has no true parent', 7, []],
    ['and the newest day has a true parent', 6, days.slice(-1)],
  ])('are not published from a single endpoint %s', async (_, number, final) => {
    expect(await ingestFrom([forgedBelow(number)])).toMatchObject({ outcome: 'failed' });
    expect(await published()).toEqual(trueDays(final));
  });

  test('are read again after a backfill, where each day comes from another endpoint', async () => {
    await ingestFrom([fork], { day: DAY });
    await ingestFrom([honest], { day: addDays(DAY, 1) });
    await ingestFrom([honest], { day: addDays(DAY, 2) });
    for (let runs = 0; runs < 3; runs++) await ingestFrom([honest]);
    expect(await published()).toEqual(trueDays());
  });

  test('are read again even before the first day, after an endpoint that changed its mind in a backfill', async () => {
    const from = addDays(DAY, 2);
    let isLying = true;
    const liar: Answer = (call) =>
      (isLying && isNumbered(call) && Number(call.params[0]) < 10 ? fork : honest)(call);
    await ingestFrom([liar, honest], { day: DAY, from });
    isLying = false;
    await ingestFrom([liar, honest], { day: addDays(DAY, 1), from });
    const closing = () => ingestFrom([liar, honest], { isClosing: true, from });
    expect(await closing()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining(`${DAY}: a block was contradicted after it was read`),
    });
    expect(await closing()).toMatchObject({ outcome: 'failed' });
    await ingestFrom([liar, honest], { from });
    expect(await published()).toEqual(trueDays());
    expect(await closing()).toMatchObject({ outcome: 'up to date' });
  });

  test('make no suspect of the honest endpoint when only the block after them was forged', async () => {
    const forked = answerFrom(forkFrom(4));
    let isVoting = true;
    const liar: Answer = (call) => {
      if (!isNumbered(call) || Number(call.params[0]) === 10) return honest(call);
      return !isHeader(call) && Number(call.params[0]) < 4 ? { result: null } : forked(call);
    };
    // Otherwise a fast one of them may give the true block instead.
    const failing: Answer = (call) =>
      isVoting && isNumbered(call) && Number(call.params[0]) === 4 ? { result: null } : honest(call);
    await using started = await startNodes([liar, failing, failing]);
    const { nodes } = started;
    expect(await runIngest(table(), nodes, { day: DAY })).toMatchObject({ waiting: true });
    isVoting = false;
    await runIngest(table(), nodes, { isClosing: true });
    const suspects = await listSuspects(chainStore(table(), 'ETHEREUM'));
    expect(suspects.map(({ host }) => host)).toEqual([nodes[0]?.host]);
    await runIngest(table(), nodes);
    expect(await published()).toEqual(trueDays());
  });
});

const failingFirst = (isFailing: (call: Call) => boolean): Answer => {
  let failures = 0;
  return (call) => {
    if (failures === 40 || !isFailing(call)) return honest(call);
    failures += 1;
    return { hangUp: true };
  };
};

test.each([
  ['all calls', () => true],
  ['calls for blocks', isNumbered],
])(
  'a moment in which %s of an honest endpoint fail does not let a liar confirm itself',
  async (_, isFailing) => {
    const liar = answerFrom(forkFrom(2));
    for (const nodes of [
      [liar, failingFirst(isFailing)],
      [failingFirst(isFailing), liar],
    ]) {
      const report = await ingestFrom(nodes);
      expect(await published()).toEqual([]);
      expect(report).toMatchObject({ outcome: 'failed' });
    }
  },
);

test('one liar with a true head beside one honest endpoint stops nothing with blocks that it does not continue', async () => {
  const fork = answerFrom(forkFrom(8));
  const given = new Set<string>();
  const liar: Answer = (call) => {
    const isTrue = !isNumbered(call) || Number(call.params[0]) === HEAD;
    if (isTrue || isHeader(call)) return (isTrue ? honest : fork)(call);
    const question = `${call.method} ${call.params[0]}`;
    if (given.has(question)) return { hangUp: true };
    given.add(question);
    return fork(call);
  };
  for (let runs = 0; runs < 3; runs++) await ingestFrom([liar, honest]);
  expect(given.size).toBeGreaterThan(0);
  expect(await published()).toEqual(trueDays());
});

describe('a single endpoint whose final block is true', () => {
  test('does not get another block of that number believed', async () => {
    const fork = answerFrom(forkFrom(2));
    expect(await ingestFrom([(call) => (isNumbered(call) ? fork : honest)(call)])).toMatchObject({
      outcome: 'failed',
    });
    expect(await published()).toEqual([]);
  });

  test('does not make days vanish by a forged genesis', async () => {
    const late = answerFrom(sampleChain(blocks.map((_, number) => at(3, number - 20))));
    const liar: Answer = (call) =>
      isNumbered(call) && Number(call.params[0]) < 9 ? late(call) : honest(call);
    const given = { from: undefined, clock: clockAt(at(3, 500)) };
    expect(await ingestFrom([liar], given)).toMatchObject({ outcome: 'failed' });
    const coverage = await getCoverage(chainStore(table(), 'ETHEREUM'));
    expect(coverage).toMatchObject({ from_day: addDays(DAY, -27) });
  });
});
