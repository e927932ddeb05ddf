import { isDeepStrictEqual } from 'node:util';
import { gasPricesSchema, headerSchema, receiptsSchema } from '../../lambda/rpc/decode.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import type { Call, NodeResponse } from './json-rpc-server.ts';
import { misbehavingNode } from './misbehaving-node.ts';
import { randomFrom } from './random.ts';
import type { Json } from './random-block.ts';
import { type Family, randomChain } from './random-chain.ts';

const families: readonly Family[] = ['ethereum', 'bsc', 'polygon', 'op-stack', 'arbitrum'];
const worlds = families.map((family) =>
  randomChain(family, randomFrom(1, family), { firstDay: '2027-01-01', days: 8 }),
);
const final = 20;

const nodeOf = (world = worlds[0], rateOf: (kind: FaultKind) => number = () => 0, name = 'node-1') => {
  if (!world) throw new Error('no world');
  return misbehavingNode({ world, seed: 7, name, rateOf, finalizedAt: () => final, now: () => 0 });
};

const call = (method: string, ...params: unknown[]): Call => ({ id: 1, method, params });
const resultOf = (answer: NodeResponse) => ('result' in answer ? answer.result : undefined);

/** All calls of a node, block by block. */
const questions = [
  call('eth_chainId'),
  call('eth_blockNumber'),
  ...Array.from({ length: final }, (_, number) => `0x${number.toString(16)}`).flatMap((number) => [
    call('eth_getBlockByNumber', number, false),
    call('eth_getBlockByNumber', number, true),
    call('eth_getBlockReceipts', number),
  ]),
  ...['finalized', 'latest'].map((tag) => call('eth_getBlockByNumber', tag, false)),
];

test('a node without faults returns the chain up to its newest block', () => {
  for (const world of worlds) {
    const { answer, exposed } = nodeOf(world);
    const ask = (method: string, ...params: unknown[]) => resultOf(answer(call(method, ...params)));
    for (const [number, block] of world.blocks.slice(0, final).entries()) {
      const at = `0x${number.toString(16)}`;
      expect(ask('eth_getBlockByNumber', at, false)).toEqual(block.header);
      expect(headerSchema.parse(ask('eth_getBlockByNumber', at, false)).hash).toBe(block.header.hash);
      expect(receiptsSchema.parse(ask('eth_getBlockReceipts', at))).toHaveLength(block.receipts.length);
      const { transactions } = gasPricesSchema.parse(ask('eth_getBlockByNumber', at, true));
      expect(transactions.map(({ hash }) => hash)).toEqual(block.header.transactions);
    }
    expect(ask('eth_getBlockByNumber', 'finalized', false)).toEqual(world.blocks[final]?.header);
    expect(ask('eth_getBlockByNumber', 'latest', false)).toEqual(world.blocks[final + 2]?.header);
    expect(ask('eth_getBlockByNumber', '0x17', false)).toBeNull();
    expect(ask('eth_blockNumber')).toBe('0x16');
    expect(ask('eth_chainId')).toBe(`0x${world.chain.id.toString(16)}`);
    expect(exposed.size).toBe(0);
  }
});

test('the same call with the same seed has the same response, whatever the calls in between', () => {
  const [one, other] = [nodeOf(worlds[2], () => 0.15), nodeOf(worlds[2], () => 0.15)];
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
  'other-block': /hash .*number parentHash/,
  'receipts-shifted': /^no receipts$|^[+-]\d|blockHash blockNumber/,
  orphan: /^no receipts$|^[+-]\d|(^| )blockHash |hash .*receiptsRoot stateRoot/,
  'finalized-orphan': /hash .*receiptsRoot stateRoot/,
  'finalized-stale': /hash .*number parentHash/,
  'header-field-missing': /^(number|hash|parentHash|timestamp|transactions)$/,
  'wrong-number': /^number$/,
  'wrong-parent': /^parentHash$/,
  'wrong-timestamp': /^timestamp$/,
  'miner-missing': /^miner$/,
  'body-emptied': /^transactions$/,
  'body-hash-missing': /^transactions$/,
  'body-null': /^transactions$/,
  'transaction-price-missing': /^transactions$/,
  spelling: /timeboosted|^another value$/,
  'state-sync-receipt': /^[+-]1$|^no receipts$/,
  'last-dropped': /^-1$|^no receipts$/,
  'first-dropped': /^-1$|^no receipts$/,
  swapped: /transactionHash transactionIndex/,
  duplicated: /^\+1$/,
  'null-inside': /^null inside$/,
  'receipt-field-missing':
    /^(transactionHash|transactionIndex|blockHash|blockNumber|type|from|cumulativeGasUsed)$/,
  'gas-used-null': /^gasUsed$/,
  'wrong-block-hash': /^blockHash$/,
  'wrong-block-number': /^blockNumber$/,
  'wrong-index': /^transactionIndex$/,
  'broken-cumulative': /^cumulativeGasUsed$/,
  'price-missing': /^effectiveGasPrice$/,
  'paid-price-missing': /^effectiveGasPrice$/,
  'price-in-transaction': /^effectiveGasPrice$/,
  'l1-fee-missing': /^l1Fee$/,
  'operator-fee-halved': /^operatorFee(Scalar|Constant)$/,
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
    return `status ${wrong.status}${isJson(wrong.body) ? '' : ', not JSON'}${wait ? `, retry-after ${wait}` : ''}`;
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
    const wrong = nodeOf(world, (one) => (one === kind ? 1 : 0));
    const right = nodeOf(world);
    const changed = questions.flatMap((question) => {
      const [told, good] = [wrong.answer(question), right.answer(question)];
      return isDeepStrictEqual(told, good) ? [] : [difference(resultOf(good), told)];
    });
    for (const found of changed) expect(found).toMatch(looks[kind]);
    expect(wrong.exposed.get(kind) ?? 0).toBe(changed.length);
    count += changed.length;
  }
  expect(count).toBeGreaterThan(0);
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
    return headerSchema.parse(resultOf(answer(call('eth_getBlockByNumber', '0x5', false)))).timestamp;
  });
  expect(new Set(told).size).toBe(names.length);
  expect(told).not.toContain(Number(worlds[0]?.blocks[5]?.header.timestamp));
});
