import { isDeepStrictEqual } from 'node:util';
import { validateBlock } from '#core/blocks/nodes/validate-block.ts';
import { addTotals, NO_TOTALS } from '#core/figures/totals.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import { lieKinds } from '#test/support/generators/lies/lies.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import { type Family, type RandomChain, randomChain } from '#test/support/generators/random/random-chain.ts';
import { hasProvableL1Fee, isProvable } from './fault-scene.ts';
import { derivableKinds, type FaultKind, faultKinds, harmlessKinds } from './faults.ts';
import type { Call, NodeResponse } from './json-rpc-server.ts';
import { type MisbehavingNode, misbehavingNode } from './misbehaving-node.ts';

const families: readonly Family[] = ['ethereum', 'bsc', 'polygon', 'op-stack', 'arbitrum'];
let worlds: readonly RandomChain[] = [];
beforeAll(async () => {
  worlds = await Promise.all(
    families.map((family) =>
      randomChain(family, randomFrom(1, family), { firstDay: '2027-01-01', days: 12 }),
    ),
  );
});
const final = 28;

type RateOf = (kind: FaultKind) => number;
const always =
  (kind: FaultKind): RateOf =>
  (one) =>
    one === kind ? 1 : 0;

function nodeOf(world = worlds[0], rateOf: RateOf = () => 0, name = 'node-1'): MisbehavingNode {
  if (!world) throw new Error('no world');
  return misbehavingNode({ world, seed: 7, name, rateOf, finalizedAt: () => final, now: () => 0 });
}

const call = (method: string, ...params: unknown[]): Call => ({ id: 1, method, params });
const resultOf = (answer: NodeResponse) => ('result' in answer ? answer.result : undefined);
const at = (number: number) => `0x${number.toString(16)}`;
const lastIndexOf = (block: RandomBlock) => at(Math.max(0, block.transactions.length - 1));

/** The calls for one block. */
const callsFor = (block: RandomBlock, number: number): readonly Call[] => [
  call('eth_getBlockByNumber', at(number), false),
  call('eth_getBlockByNumber', at(number), true),
  call('eth_getBlockReceipts', at(number)),
  call('eth_getRawTransactionByBlockNumberAndIndex', at(number), lastIndexOf(block)),
  call('eth_call', { data: '0xbbfc0a72' }, at(number)),
];

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Reads a block from a node as the ingest does, and says what becomes of it. */
function outcomeOf(
  { chain }: RandomChain,
  node: MisbehavingNode,
  block: RandomBlock,
  number: number,
): string {
  const [, full, receipts, raw] = callsFor(block, number).map((one) => resultOf(node.answer(one)));
  // Decoders write into what they decode.
  const copy = structuredClone({ full: withRaw(full, raw), receipts });
  const valid = validateBlock({ chain, evidence: 'proven' }, number, copy.full, copy.receipts);
  if ('refused' in valid) return valid.fault ?? 'refused';
  if (valid.value.hash !== block.header.hash) return 'another block';
  return isDeepStrictEqual(valid.value.totals, honestTotals(chain, block)) ? 'right' : 'wrong';
}

function withRaw(full: unknown, raw: unknown): unknown {
  if (!isObject(full) || typeof raw !== 'string') return full;
  const { transactions } = full;
  if (!Array.isArray(transactions) || transactions.length === 0) return full;
  return { ...full, transactions: transactions.with(-1, { ...transactions.at(-1), raw }) };
}

function honestTotals(chain: RandomChain['chain'], { header, transactions, receipts }: RandomBlock) {
  const copy = structuredClone({ block: { ...header, transactions }, receipts });
  const valid = validateBlock(
    { chain, evidence: 'proven' },
    Number(header.number),
    copy.block,
    copy.receipts,
  );
  if ('refused' in valid) throw new Error(valid.refused);
  return addTotals(NO_TOTALS, valid.value.totals);
}

/** Outcomes of the blocks about which a node tells something else in one of the calls of the ingest. */
function outcomesOf(kind: FaultKind): { readonly outcome: string; readonly isDerivable: boolean }[] {
  return worlds.flatMap((world) => {
    const [node, honest] = [nodeOf(world, always(kind)), nodeOf(world)];
    return world.blocks.slice(0, final).flatMap((block, number) => {
      const calls = callsFor(block, number).slice(1, world.chain.rules.family === 'polygon' ? 4 : 3);
      const isTold = calls.some((one) => !isDeepStrictEqual(node.answer(one), honest.answer(one)));
      if (!isTold) return [];
      const isDerivable =
        isProvable(world.chain, block) && (kind !== 'l1-fee-missing' || hasProvableL1Fee(world.chain, block));
      return [{ outcome: outcomeOf(world, nodeOf(world, always(kind)), block, number), isDerivable }];
    });
  });
}

test.each(lieKinds)('no block with the lie %s is proven', (kind) => {
  const outcomes = outcomesOf(kind).map(({ outcome }) => outcome);
  expect(outcomes.length).toBeGreaterThan(0);
  // A lie about a type may name one that no rule covers.
  const refusals = new Set(kind === 'type-changed' ? ['not proven', 'unknown rule'] : ['not proven']);
  expect(outcomes.filter((outcome) => !refusals.has(outcome))).toEqual([]);
});

test.each([...harmlessKinds].filter((kind) => kind !== 'genesis-receipts'))('%s is accepted', (kind) => {
  const outcomes = outcomesOf(kind).map(({ outcome }) => outcome);
  expect(outcomes.length).toBeGreaterThan(0);
  expect(new Set(outcomes)).toEqual(new Set(['right']));
});

test.each([...derivableKinds])('%s is accepted where the block is proven, and refused elsewhere', (kind) => {
  const outcomes = outcomesOf(kind);
  expect(outcomes.some(({ isDerivable }) => isDerivable)).toBe(true);
  for (const { outcome, isDerivable } of outcomes) {
    expect(isDerivable ? outcome : 'not right').toBe(outcome === 'right' ? 'right' : 'not right');
  }
});

test('no fault makes a block count wrongly', () => {
  const kinds = faultKinds.filter((kind) => !harmlessKinds.has(kind) && !derivableKinds.has(kind));
  for (const kind of kinds) expect(outcomesOf(kind).map(({ outcome }) => outcome)).not.toContain('wrong');
});
