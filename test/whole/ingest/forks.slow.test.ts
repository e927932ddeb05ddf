import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import { isFailed } from '#core/days/outcomes.ts';
import { addDays, dayOf, type UtcDay } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { recordLag } from '#core/ingest/freshness.ts';
import type { IngestReport } from '#core/ingest/report.ts';
import { getLag } from '#core/store/chain/coverage.ts';
import { listEvidence, queryDays } from '#core/store/days/days.ts';
import { chainStore } from '#core/store/table/table.ts';
import type { RawBlock } from '#test/support/generators/blocks/seal.ts';
import {
  FORK,
  type ForkScene,
  forkScenes,
  newHeaderField,
  newSchedule,
  UNSEEN_FORK,
  unseenFork,
} from '#test/support/generators/chains/fork-scenes.ts';
import { NO_CONSTRAINTS } from '#test/support/generators/chains/nitro.ts';
import { answerFrom } from '#test/support/generators/chains/sample-chain.ts';
import { DAY } from '#test/support/generators/chains/sample-days.ts';
import { type Call, type JsonRpcServer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { answerRaw } from '#test/support/nodes/raw-answers.ts';
import { type GivenRun, runIngest } from '#test/support/processes/run-ingest.ts';
import { useMemoryTable } from '#test/support/tables/table.ts';

/* A fork of each family, met by a version that does not know it, and by one that does. Everything but the fork is real. */

const table = useMemoryTable();
const LAST = addDays(DAY, 2);
/** Runs while nobody updates. */
const RUNS = 2;

type Ingest = (nodes: readonly JsonRpcServer[], given: GivenRun) => Promise<IngestReport>;

const current: Ingest = (nodes, given) => runIngest(table(), nodes, given);

/** Returns the ingest with other modules, as the version before the fork had them. */
async function versionWith(modules: ForkScene['modules']): Promise<Ingest> {
  if (Object.keys(modules).length === 0) return current;
  jest.resetModules();
  for (const [path, change] of Object.entries(modules)) {
    jest.doMock(path, () => {
      const actual = jest.requireActual(path);
      return { ...actual, ...change(actual) };
    });
  }
  const loaded: { runIngest: typeof runIngest } = await import('#test/support/processes/run-ingest.ts');
  for (const path of Object.keys(modules)) jest.dontMock(path);
  return (nodes, given) => loaded.runIngest(table(), nodes, given);
}

/** Sums what receipts state, without the code under test. */
function statedFigures(blocks: readonly RawBlock[], day: UtcDay) {
  const ofDay = blocks.filter(({ header }) => dayOf(Number(header.timestamp)) === day);
  const amount = (value: unknown) => BigInt(`${value ?? 0}`);
  const paid = ofDay
    .flatMap(({ receipts }) => receipts)
    .filter(({ type }) => type !== '0x7e')
    .map(
      (one) =>
        amount(one.gasUsed) * amount(one.effectiveGasPrice) +
        amount(one.l1Fee) +
        amount(one.blobGasUsed) * amount(one.blobGasPrice),
    );
  return {
    day,
    transactions: ofDay.flatMap(({ transactions }) => transactions).length,
    fees: paid.reduce((sum, fee) => sum + fee, 0n),
  };
}

async function storedFigures(chain: Chain) {
  const days = await queryDays(chainStore(table(), chain), DAY, LAST);
  return days.map(({ day, totals }) => ({
    day,
    transactions: totals.transactions,
    fees: totalFees(totals.fees),
  }));
}

describe.each(forkScenes())('$name', ({ chain, rulesBefore, blocks, modules, problem }) => {
  /** As nodes tell them that state no price of blobs, which would show a new schedule too. */
  const told = blocks.map((block) => ({
    ...block,
    receipts: block.receipts.map(({ blobGasPrice, ...receipt }) => receipt),
  }));
  const expected = [0, 1, 2].map((days) => statedFigures(blocks, addDays(DAY, days)));

  test('is passed by an operator who lets receipts be believed from its first block on', async () => {
    const answer = answerFrom(blocks, { chainId: chain.id });
    const respond = (call: Call) => (call.method === 'eth_call' ? { result: NO_CONSTRAINTS } : answer(call));
    await using node = await startJsonRpcServer(respond);
    await using other = await startJsonRpcServer(respond);
    const old = await versionWith(modules);
    const given = { chain: { ...chain, rules: rulesBefore }, evidence: `checked from ${FORK}` } as const;
    expect(await old([node, other], given)).toMatchObject({ outcome: 'up to date' });
    expect(await storedFigures(chain)).toEqual(expected);
    const evidence = await listEvidence(chainStore(table(), chain));
    expect(evidence.map((one) => one.evidence)).toEqual(['proven', 'checked', 'checked']);
  });

  test.each([
    ['JSON', false],
    ['RLP', true],
  ])(
    'is noticed in its first block, stops its day, and is followed after an update, with %s',
    async (_, isRaw) => {
      let head = FORK - 1;
      const respond = (call: Call) => {
        if (call.method === 'eth_call') return { result: NO_CONSTRAINTS };
        const answer = answerFrom(told, { chainId: chain.id, finalized: head });
        return isRaw ? answerRaw(chain, told, answer)(call) : answer(call);
      };
      await using one = await startJsonRpcServer(respond);
      await using two = await startJsonRpcServer(respond);
      const nodes = [one, two];
      const before = { ...chain, rules: rulesBefore };
      const old = await versionWith(modules);
      expect(await old(nodes, { chain: before })).toMatchObject({ outcome: 'up to date' });
      expect(await storedFigures(chain)).toEqual(expected.slice(0, 1));

      head = FORK;
      for (let run = 0; run < RUNS; run++) {
        const report = await old(nodes, { chain: before });
        expect(report.reason).toMatch(problem);
        if (run === 0) expect(report.reason).toContain(`block ${FORK}`);
        // The alarm counts failed runs.
        expect(isFailed(report)).toBe(true);
        head += 2;
      }
      head = blocks.length - 1;
      expect(isFailed(await old(nodes, { chain: before }))).toBe(true);
      expect(await storedFigures(chain)).toEqual(expected.slice(0, 1));

      expect(await current(nodes, { chain })).toMatchObject({ outcome: 'up to date' });
      expect(await storedFigures(chain)).toEqual(expected);
    },
  );
});

describe('a new service whose head is after the fork', () => {
  test.each(forkScenes())(
    'publishes the days before $name',
    async ({ chain, rulesBefore, blocks, modules }) => {
      const answer = answerFrom(blocks, { chainId: chain.id });
      const respond = (call: Call) =>
        call.method === 'eth_call' ? { result: NO_CONSTRAINTS } : answer(call);
      await using one = await startJsonRpcServer(respond);
      await using two = await startJsonRpcServer(respond);
      const old = await versionWith(modules);
      const report = await old([one, two], { chain: { ...chain, rules: rulesBefore } });
      expect(report).toMatchObject({ days: [DAY], refusedBlock: FORK });
      expect(isFailed(report)).toBe(true);
      expect(await storedFigures(chain)).toEqual([statedFigures(blocks, DAY)]);
      // The newest complete day and the running one are tried in each run, but not the day of the fork.
      // Blocks that the first run read ahead may still arrive, although it has aborted them.
      await sleep(1_000);
      const asked = one.calls.length;
      const again = await old([one, two], { chain: { ...chain, rules: rulesBefore } });
      expect(again).toMatchObject({ outcome: report.outcome, reason: report.reason, refusedBlock: FORK });
      const calls = one.calls.slice(asked).filter(({ method }) => method === 'eth_getBlockReceipts');
      expect(calls.some(({ params }) => params[0] === `0x${FORK.toString(16)}`)).toBe(false);
    },
  );

  const blocks = newHeaderField();
  const before = { days: [DAY], head: FORK - 1, refusedBlock: FORK };

  test.each([1, 2, 3])('publishes the days before a new member of headers, with %i hosts', async (count) => {
    const nodes = await Promise.all(
      Array.from({ length: count }, () => startJsonRpcServer(answerFrom(blocks))),
    );
    await using _ = new AsyncDisposableStack();
    for (const node of nodes) _.use(node);
    const report = await current(nodes, {});
    expect(report).toMatchObject({ outcome: 'rule changed', head: FORK - 1, refusedBlock: FORK });
    expect(report.reason).toContain(`ETHEREUM block ${FORK}. `);
    expect(report.reason).toContain('the header does not hash');
    // The distance to the head is not known.
    expect(report).not.toHaveProperty('lagSeconds');
    // A single host confirms no end of a day before its final block is of a later day: that one follows by hash.
    expect(report.days).toEqual(before.days);
    expect(await storedFigures(chainOf('ETHEREUM'))).toEqual([statedFigures(blocks, DAY)]);
    expect(await current(nodes, {})).toMatchObject({ outcome: 'rule changed', days: [] });
  });
});

test('sums of a rule that no header shows are not in the day after an update', async () => {
  const { chain, rulesBefore, blocks } = unseenFork();
  let head = UNSEEN_FORK + 20;
  const respond = (call: Call) =>
    answerRaw(chain, blocks, answerFrom(blocks, { chainId: chain.id, finalized: head }))(call);
  await using one = await startJsonRpcServer(respond);
  await using two = await startJsonRpcServer(respond);
  const before = { ...chain, rules: rulesBefore };
  // RLP states no price, so these blocks are summed with the old one.
  expect(await current([one, two], { chain: before })).toMatchObject({ outcome: 'up to date' });
  head = blocks.length - 1;
  expect(await current([one, two], { chain: before })).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('block 192: receipts[1].blobGasPrice'),
  });
  expect(await current([one, two], { chain })).toMatchObject({ outcome: 'up to date' });
  expect(await storedFigures(chain)).toEqual(
    [0, 1, 2].map((days) => statedFigures(blocks, addDays(DAY, days))),
  );
});

// Below the reserve price the excess grows by a third of the blobs under BPO2's numbers and under these.
const market = { excess: 200_000_000, baseFee: 10n ** 11n };
const hidden = { target: 24, max: 36, updateFraction: 30_000_000, hasReservePrice: true };
/** In the last hours of the third day: none of the blocks from here on is one that is read as JSON for its prices. */
const LATE_FORK = 225;
/** RLP does not show which block of that day is the first. */
const FIRST_OF_LATE_DAY = 160;

test.each([
  ['JSON', false],
  ['RLP', true],
])(
  'a schedule that no header shows stops its day where an endpoint states prices, with %s',
  async (_, isRaw) => {
    const { chain, rulesBefore, blocks } = newSchedule(LATE_FORK, hidden, market);
    const answer = answerFrom(blocks, { chainId: chain.id });
    await using one = await startJsonRpcServer(isRaw ? answerRaw(chain, blocks, answer) : answer);
    await using two = await startJsonRpcServer(isRaw ? answerRaw(chain, blocks, answer) : answer);
    // Blocks that are read ahead may have both endpoints pause before they vote on the end of a day, which then waits for a later run.
    for (let run = 0; run < RUNS && (run === 0 || (await storedFigures(chain)).length < 2); run++) {
      const report = await current([one, two], { chain: { ...chain, rules: rulesBefore } });
      expect(report.reason).toMatch(
        /block 2\d\d: receipts\[1\]\.blobGasPrice: .* which follows from the block/,
      );
      await recordLag(chainStore(table(), chain), report);
    }
    expect(await storedFigures(chain)).toEqual(
      [0, 1].map((days) => statedFigures(blocks, addDays(DAY, days))),
    );
    // The operator lets receipts be believed from the block on that doctor prints. The sums of the day follow the old schedule.
    const { refused_block } = (await getLag(chainStore(table(), chain))) ?? {};
    expect(refused_block).toBe(isRaw ? FIRST_OF_LATE_DAY : LATE_FORK);
    const given = { ...chain, rules: rulesBefore };
    const believed = { chain: given, evidence: `checked from ${refused_block ?? 0}` } as const;
    expect(await current([one, two], believed)).toMatchObject({ outcome: 'up to date' });
    expect(await storedFigures(chain)).toEqual(
      [0, 1, 2].map((days) => statedFigures(blocks, addDays(DAY, days))),
    );
  },
);

test.each([
  ['proven where a node states its price of blobs, with JSON', true, false, 'proven'],
  ['proven where a node states its price of blobs, with RLP', true, true, 'proven'],
  ['checked where no node states it, with JSON', false, false, 'checked'],
  ['checked where no node states it, with RLP', false, true, 'checked'],
])('a day after the last one whose forks are all known is %s', async (_, isStated, isRaw, evidence) => {
  const { chain, rulesBefore, blocks } = newSchedule(LATE_FORK, hidden, market);
  const told = blocks.map((block) => ({
    ...block,
    receipts: block.receipts.map(({ blobGasPrice, ...receipt }) =>
      isStated ? { ...receipt, blobGasPrice } : receipt,
    ),
  }));
  const answer = answerFrom(told, { chainId: chain.id, finalized: LATE_FORK - 1 });
  await using one = await startJsonRpcServer(isRaw ? answerRaw(chain, told, answer) : answer);
  await using two = await startJsonRpcServer(isRaw ? answerRaw(chain, told, answer) : answer);
  const run = await versionWith({ '#core/chains/fork-times.ts': () => ({ RULES_KNOWN_UNTIL: DAY }) });
  const report = await run([one, two], { chain: { ...chain, rules: rulesBefore } });
  expect(report.outcome).toBe('up to date');
  const listed = await listEvidence(chainStore(table(), chain));
  expect(listed.map((day) => day.evidence)).toEqual(['proven', evidence]);
  const why = `ETHEREUM ${addDays(DAY, 1)}: no node states its price of blobs or of L1 data`;
  const reasons = evidence === 'checked' ? [expect.stringContaining(why)] : undefined;
  expect(report.notProven).toEqual(reasons);
});
