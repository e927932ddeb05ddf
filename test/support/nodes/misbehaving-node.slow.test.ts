import { isDeepStrictEqual } from 'node:util';
import { validateBlock } from '#core/blocks/nodes/validate-block.ts';
import { addTotals, NO_TOTALS } from '#core/figures/totals.ts';
import { lieKinds } from '#test/support/generators/lies.ts';
import { randomFrom } from '#test/support/generators/random.ts';
import type { RandomBlock } from '#test/support/generators/random-block.ts';
import { type Family, type RandomChain, randomChain } from '#test/support/generators/random-chain.ts';
import { blockResponse, type Json } from '#test/support/generators/seal.ts';
import { hasProvableL1Fee, isProvable } from './fault-scene.ts';
import { consistentKinds, derivableKinds, type FaultKind, faultKinds, harmlessKinds } from './faults.ts';
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

/** All calls of a node, block by block. */
const questionsOf = ({ blocks }: RandomChain): readonly Call[] => [
  call('eth_chainId'),
  call('eth_blockNumber'),
  ...blocks.slice(0, final).flatMap(callsFor),
  ...['finalized', 'latest'].map((tag) => call('eth_getBlockByNumber', tag, false)),
];

test('a node without faults returns the chain up to its newest block', () => {
  for (const world of worlds) {
    const { answer, exposed } = nodeOf(world);
    const ask = (method: string, ...params: unknown[]) => resultOf(answer(call(method, ...params)));
    for (const [number, block] of world.blocks.slice(0, final).entries()) {
      const full = blockResponse(block, true);
      expect(ask('eth_getBlockByNumber', at(number), true)).toEqual(full);
      expect(ask('eth_getBlockByNumber', at(number), false)).toEqual({
        ...full,
        transactions: block.transactions.map(({ hash }) => hash),
      });
      expect(ask('eth_getBlockReceipts', at(number))).toEqual(block.receipts);
    }
    const headerAt = (number: number) => blockResponse(world.blocks[number] as RandomBlock, false);
    expect(ask('eth_getBlockByNumber', 'finalized', false)).toEqual(headerAt(final));
    expect(ask('eth_getBlockByNumber', 'latest', false)).toEqual(headerAt(final + 2));
    expect(ask('eth_getBlockByNumber', at(final + 3), false)).toBeNull();
    expect(ask('eth_blockNumber')).toBe(at(final + 2));
    expect(ask('eth_chainId')).toBe(`0x${world.chain.id.toString(16)}`);
    expect(exposed.size).toBe(0);
  }
});

test('the same call with the same seed has the same response, whatever the calls in between', () => {
  const [, , polygon] = worlds;
  if (!polygon) throw new Error('no world');
  const questions = questionsOf(polygon);
  const [one, other] = [nodeOf(polygon, () => 0.05), nodeOf(polygon, () => 0.05)];
  const answers = questions.map(one.answer);
  expect(questions.toReversed().map(other.answer).toReversed()).toEqual(answers);
  expect(questions.map(one.answer)).not.toEqual(answers);
});

/** The expected `difference` of each kind of fault. */
const looks: Record<FaultKind, RegExp> = {
  hang: /^hang$/,
  'hang-up': /^hangUp$/,
  'cut-off': /^cutOff$/,
  'truncated-json': /^status 200, not JSON$/,
  html: /^status 200, not JSON$/,
  'http-500': /^status 50[0-4]/,
  'http-429': /^status 429.*, retry-after (\d+|Thu, 01 Jan 1970 00:0\d:\d\d GMT)$/,
  'http-413': /^status 413/,
  'rate-limited': /^error (-32005|-32029|-32011|-32000 .*limit exceeded)/,
  'too-large': /^error (-32003|-32008)/,
  pruned: /^error 4444/,
  'unknown-block': /^(null|error -3200[01] )/,
  'wrong-id': /^id 2$/,
  'missing-result': /^undefined$/,
  'finalized-unknown': /^error -39001 finalized/,
  'finalized-null': /^null$/,
  'receipts-null': /^null$/,
  'receipts-empty': /^no receipts$/,
  'genesis-receipts': /^error -32000 genesis/,
  'wrong-chain-id': /^another value$/,
  'other-block': /hash .*number|receiptsRoot/,
  'receipts-shifted': /^no receipts$|^[+-]\d|blockHash blockNumber/,
  orphan: /^no receipts$|^[+-]\d|(^| )blockHash|hash .*stateRoot|^null$|^another value$/,
  'finalized-orphan': /hash .*stateRoot/,
  'finalized-stale': /hash .*number|receiptsRoot/,
  'header-field-missing': /^(number|hash|parentHash|timestamp|transactions)$/,
  'wrong-number': /^number$/,
  'wrong-parent': /^parentHash$/,
  'wrong-timestamp': /^timestamp$/,
  'root-missing': /^(transactionsRoot|receiptsRoot|stateRoot|miner|gasUsed)$/,
  'body-emptied': /^transactions$/,
  'body-hash-missing': /^transactions$/,
  'body-null': /^transactions$/,
  'transaction-price-missing': /^transactions$/,
  'signature-missing': /^transactions$/,
  'parity-once': /^transactions$/,
  'type-missing': /^transactions$/,
  'sender-changed': /^transactions$/,
  'transaction-cut': /^transactions$|^-1$|^no receipts$|^null$/,
  'last-transaction-cut': /^transactions$|^-1$|^no receipts$|^null$/,
  'transaction-cut-smoothly': /^(gasUsed )?transactions$|^-1$|^null$/,
  'gas-price-raised': /^transactions$|^effectiveGasPrice$/,
  'tip-raised': /^transactions$|^effectiveGasPrice$/,
  'max-fee-raised': /^transactions$|^effectiveGasPrice$/,
  'receipt-price-raised': /^effectiveGasPrice$/,
  'gas-used-raised': /^(cumulativeGasUsed )?gasUsed$/,
  'gas-moved': /^cumulativeGasUsed gasUsed$/,
  'body-resealed': /^transactions$|^(effectiveGasPrice )?transactionHash$/,
  'base-fee-raised': /^baseFeePerGas$|^effectiveGasPrice$/,
  'l1-fee-raised': /^l1Fee$/,
  'l1-attributes-raised': /^transactions$|^l1Fee( operatorFee)*|^operatorFee/,
  'operator-fee-removed': /^transactions$|^operatorFee/,
  'blob-price-raised': /^blobGasPrice$/,
  'excess-blob-gas-raised': /^excessBlobGas$|^blobGasPrice$/,
  'blob-removed': /^transactions$|^blobGasUsed$/,
  'miner-changed': /^miner$/,
  'timestamp-moved': /^timestamp$/,
  'type-changed': /^transactions$|^type$/,
  'deposit-disguised': /^transactions$|^from$/,
  'transaction-changed': /^transactions$/,
  'receipt-changed': /^logs$/,
  'header-changed': /^(sha3Uncles|stateRoot|logsBloom|extraData|mixHash|gasLimit|difficulty|requestsHash)$/,
  'body-emptied-smoothly': /(gasUsed )?receiptsRoot transactions transactionsRoot$|^no receipts$|^null$/,
  'block-fabricated': /stateRoot|^no receipts$|^[+-]\d|blockHash|^null$|^another value$/,
  forged: /(^| )hash |blockHash|^[+-]\d|^no receipts$|^null$|^another value$/,
  'raw-changed': /^another value$/,
  'constraints-garbled': /^another value$/,
  spelling: /timeboosted|^another value$/,
  'state-sync-receipt': /^[+-]1$|^no receipts$/,
  'last-dropped': /^-1$|^no receipts$/,
  'first-dropped': /^-1$|^no receipts$/,
  swapped: /transactionHash transactionIndex/,
  duplicated: /^\+1$/,
  'null-inside': /^null inside$/,
  'receipt-field-missing': /^(transactionHash|cumulativeGasUsed)$/,
  'receipt-logs-missing': /^logs(Bloom)?$/,
  'status-changed': /^status$/,
  'receipt-place-missing': /^(transactionIndex|blockHash|blockNumber|type|from)$/,
  'gas-used-missing': /^gasUsed$/,
  'wrong-block-hash': /^blockHash$/,
  'wrong-block-number': /^blockNumber$/,
  'wrong-index': /^transactionIndex$/,
  'broken-cumulative': /^cumulativeGasUsed$/,
  'price-missing': /^effectiveGasPrice$/,
  'l1-fee-missing': /^l1Fee$/,
  'operator-fee-missing': /^operatorFee/,
  'blob-fee-missing': /^blobGas(Used|Price)$/,
  'unknown-type': /^type$/,
};

function difference(right: unknown, wrong: NodeResponse): string {
  if ('hang' in wrong) return 'hang';
  if ('hangUp' in wrong) return 'hangUp';
  if ('cutOff' in wrong) return 'cutOff';
  if ('error' in wrong) return `error ${wrong.error.code} ${wrong.error.message}`;
  if ('status' in wrong) {
    const wait = wrong.headers?.['retry-after'];
    return `status ${wrong.status}${isJson(String(wrong.body)) ? '' : ', not JSON'}${wait ? `, retry-after ${wait}` : ''}`;
  }
  if ('id' in wrong) return `id ${wrong.id}`;
  const { result } = wrong;
  if (Array.isArray(right) && Array.isArray(result)) return receiptsDifference(right, result);
  if (isObject(right) && isObject(result)) return changedFields(right, result).join(' ');
  return result === null || result === undefined ? `${result}` : 'another value';
}

function receiptsDifference(right: readonly unknown[], wrong: readonly unknown[]): string {
  if (wrong.length === 0) return 'no receipts';
  if (wrong.includes(null)) return 'null inside';
  const more = wrong.length - right.length;
  if (more !== 0) return more > 0 ? `+${more}` : `${more}`;
  const fields = right.flatMap((receipt, index) => changedFields(receipt, wrong[index]));
  return [...new Set(fields)].toSorted().join(' ');
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function changedFields(right: unknown, wrong: unknown): string[] {
  if (!isObject(right) || !isObject(wrong)) return ['not an object'];
  const fields = [...new Set([...Object.keys(right), ...Object.keys(wrong)])];
  return fields.filter((field) => !isDeepStrictEqual(right[field], wrong[field])).toSorted();
}

function isJson(text: string): boolean {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
}

test.each(faultKinds)('%s changes the response as its name says, and is counted', (kind) => {
  let count = 0;
  for (const world of worlds) {
    const wrong = nodeOf(world, always(kind));
    const right = nodeOf(world);
    const changed = questionsOf(world).flatMap((question) => {
      const [told, good] = [wrong.answer(question), right.answer(question)];
      return isDeepStrictEqual(told, good) ? [] : [difference(resultOf(good), told)];
    });
    for (const found of changed) expect(found).toMatch(looks[kind]);
    expect(wrong.exposed.get(kind) ?? 0).toBe(changed.length);
    count += changed.length;
  }
  expect(count).toBeGreaterThan(0);
});

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

test('a forged block is valid, but another one', () => {
  const outcomes = new Set(outcomesOf('forged').map(({ outcome }) => outcome));
  expect(outcomes).toContain('another block');
  expect(outcomes).not.toContain('right');
  expect(outcomes).not.toContain('wrong');
});

test('no fault makes a block count wrongly', () => {
  const kinds = faultKinds.filter((kind) => !harmlessKinds.has(kind) && !derivableKinds.has(kind));
  for (const kind of kinds) expect(outcomesOf(kind).map(({ outcome }) => outcome)).not.toContain('wrong');
});

test('a node repeats its lies about a block', () => {
  const lying = nodeOf(worlds[0], (kind) => (consistentKinds.has(kind) ? 0.05 : 0));
  const questions = questionsOf(worlds[0] as RandomChain);
  expect(questions.map(lying.answer)).toEqual(questions.map(lying.answer));
  expect(lying.exposed.size).toBeGreaterThan(2);
});

test('each kind occurs at its rate, independently of the others', () => {
  const { answer, exposed } = nodeOf(worlds[0], (kind) =>
    kind === 'wrong-parent' || kind === 'wrong-timestamp' ? 0.15 : 0,
  );
  const asked = 2_000;
  for (let times = 0; times < asked; times++) answer(call('eth_getBlockByNumber', '0x5', false));
  for (const kind of ['wrong-parent', 'wrong-timestamp'] as const) {
    expect((exposed.get(kind) ?? 0) / asked).toBeCloseTo(0.15, 1);
  }
});

test('no two nodes return the same wrong timestamp', () => {
  const names = Array.from({ length: 20 }, (_, index) => `node-${index}`);
  const told = names.map((name) => {
    const { answer } = nodeOf(worlds[0], (kind) => (kind === 'wrong-timestamp' ? 1 : 0), name);
    return (resultOf(answer(call('eth_getBlockByNumber', '0x5', false))) as Json).timestamp;
  });
  expect(new Set(told).size).toBe(names.length);
  expect(told).not.toContain(worlds[0]?.blocks[5]?.header.timestamp);
});
