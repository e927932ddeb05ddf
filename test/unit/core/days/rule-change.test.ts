import { chainOf } from '#core/chains/chains.ts';
import { ruleChange } from '#core/days/rule-change.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { MULTI_GAS_PROBLEM } from '#core/proof/fields/tripwires.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import { sealedChain } from '#test/support/generators/blocks/sealed-block.ts';
import { CANCUN, dynamic, LONDON } from '#test/support/generators/chains/fork-scenes.ts';
import { NO_CONSTRAINTS, nitro, ONE_CONSTRAINT, ofArbos } from '#test/support/generators/chains/nitro.ts';
import { answerFrom, refAt } from '#test/support/generators/chains/sample-chain.ts';
import type { NodeResponse } from '#test/support/nodes/json-rpc-server.ts';
import { startNodes } from '#test/support/nodes/several-nodes.ts';
import { sourceOf } from '#test/support/nodes/source.ts';

const NONE: NodeResponse = { result: NO_CONSTRAINTS };
const SOME: NodeResponse = { result: ONE_CONSTRAINT };
const PRUNED: NodeResponse = { error: { code: -32000, message: 'missing trie node' } };

type Told = (params: readonly unknown[]) => NodeResponse;

/** Asks for the rule change at block 1 of a chain of three, the last of the day. @param header members of that block */
async function changeOn(
  told: Told | readonly Told[],
  { header = {}, hash }: { header?: Json; hash?: string } = {},
) {
  const blocks = sealedChain(
    nitro,
    [{}, header, {}].map((given) => ({ header: { ...ofArbos(61), ...given } })),
  );
  const answer = answerFrom(blocks, { chainId: nitro.id });
  await using hosts = await startNodes(
    [told]
      .flat()
      .map((call) => (request) => (request.method === 'eth_call' ? call(request.params) : answer(request))),
  );
  const last = { ...refAt(blocks, 1), ...(hash && { hash }) };
  const end = await ruleChange(await sourceOf(nitro, hosts.nodes), startDayProgress('2026-11-18', last));
  const change = 'kind' in end ? end : undefined;
  const tags = hosts.calls().flatMap(({ method, params: [, tag] }) => (method === 'eth_call' ? [tag] : []));
  return { change, tags };
}

const RULE_CHANGED = { kind: 'rule changed', reason: MULTI_GAS_PROBLEM };

test('constraints after the last block of the day are a rule change', async () => {
  expect(await changeOn(() => SOME)).toEqual({ change: RULE_CHANGED, tags: ['0x1'] });
});

test.each([
  ['ran ArbOS 59, which lacks the method', ofArbos(59)],
  [
    'is one of a development chain, whose mixHash is random',
    { difficulty: '0x0', mixHash: hashOf('random') },
  ],
])('asks nothing when the block %s', async (_, header) => {
  expect(await changeOn(() => PRUNED, { header })).toEqual({ change: undefined, tags: [] });
});

describe('a node that has pruned the state of the block', () => {
  const prunedBut = (answer: NodeResponse) => (params: readonly unknown[]) =>
    params[1] === 'finalized' ? answer : PRUNED;

  test('gives the state of its finalized block instead', async () => {
    expect(await changeOn(prunedBut(NONE))).toEqual({ change: undefined, tags: ['0x1', 'finalized'] });
    expect(await changeOn(prunedBut(SOME))).toEqual({ change: RULE_CHANGED, tags: ['0x1', 'finalized'] });
  });

  test('and of that block too decides nothing', async () => {
    expect((await changeOn(() => PRUNED)).change).toMatchObject({
      kind: 'no endpoint',
      reason: expect.stringContaining('the gas pricing of ARBITRUM block 1'),
    });
  });
});

test('an endpoint that has another block than the one counted decides nothing', async () => {
  expect(await changeOn(() => NONE, { hash: hashOf('fork') })).toEqual({
    change: expect.objectContaining({ kind: 'no endpoint', reason: expect.stringContaining(hashOf('fork')) }),
    tags: [],
  });
});

test.each<[string, readonly NodeResponse[], unknown]>([
  ['one that reports constraints alone stops nothing', [SOME, NONE, NONE], undefined],
  ['one that reports no constraints alone hides nothing', [NONE, SOME, SOME], RULE_CHANGED],
  ['a single report of constraints stops, since nobody denies them', [SOME, PRUNED], RULE_CHANGED],
  ['one that lacks the state does not count against two that have it', [PRUNED, NONE, NONE], undefined],
  [
    'one that reports no constraints alone settles nothing',
    [PRUNED, NONE],
    expect.objectContaining({
      kind: 'no endpoint',
      reason: expect.stringMatching(
        /^Fewer than 2 hosts report the gas pricing of .* reports no constraints\b/,
      ),
    }),
  ],
  [
    'one against one is a dispute, with both answers',
    [NONE, SOME],
    {
      kind: 'disputed',
      reason: expect.stringMatching(
        /^Endpoints disagree on the gas pricing of ARBITRUM block 1: constraints at \S+, none at \S+\. If/,
      ),
    },
  ],
])('of several hosts, %s', async (_, votes, change) => {
  expect((await changeOn(votes.map((vote) => () => vote))).change).toEqual(change);
});

const TIME = 1_790_000_000;

const ethereum = chainOf('ETHEREUM');
const blobs = { maxFeePerBlobGas: '0x100', blobVersionedHashes: [hashOf('blob')] };
const ofBlob = dynamic('0x3', blobs);
/** Three blocks, the second with a blob at the price 1, of which the receipts state this. */
const blocksThatState = (receipt: Json) =>
  sealedChain(
    ethereum,
    [0, 1, 2].map((number) => ({
      header: { ...LONDON, ...CANCUN, timestamp: hex(TIME + 12 * number) },
      pairs:
        number === 1
          ? [{ ...ofBlob, receipt: { ...ofBlob.receipt, blobGasUsed: hex(131_072), ...receipt } }]
          : [],
    })),
  );

const OURS = { blobGasPrice: '0x1' };
const OTHER = { blobGasPrice: '0x6c' };
const NOT_STATED = {};

/** Compares the price of block 1 with what nodes state, each of which has the same chain. */
async function compare(stated: readonly Json[]) {
  await using hosts = await startNodes(stated.map((one) => answerFrom(blocksThatState(one))));
  const progress = { ...startDayProgress('2026-09-21', undefined), priceToCompare: 1 };
  return await ruleChange(await sourceOf(ethereum, hosts.nodes), progress);
}

test.each([
  ['an endpoint states the same price', [OURS], undefined],
  ['no endpoint states a price', [NOT_STATED, NOT_STATED], 1],
  ['one endpoint states another price, and one the same', [OTHER, OURS], undefined],
])('publishes a day where %s', async (_, stated, priceToCompare) => {
  expect(await compare(stated)).toEqual({ ...startDayProgress('2026-09-21', undefined), priceToCompare });
});

test.each([
  ['the only endpoint states another price', [OTHER]],
  ['one endpoint states another price, and one no price', [NOT_STATED, OTHER]],
])('stops a day where %s', async (_, stated) => {
  expect(await compare(stated)).toMatchObject({
    kind: 'no endpoint',
    isRuleChange: true,
    reason: expect.stringContaining(
      'receipts[0].blobGasPrice: 108 is not 1, which follows from the block; if every endpoint reports it, this chain has forked',
    ),
  });
});
