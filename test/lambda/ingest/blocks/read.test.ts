import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import type { Source } from '../../../lambda/ingest/endpoint-probe.ts';
import { readBlock, readHeader } from '../../../lambda/ingest/read-block.ts';
import { hashOf } from '../../support/builders.ts';
import { type Call, type NodeResponse, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';
import { sourceOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20, 30]);
const answerWell = answerFrom(blocks);

/** Returns the result of a reading and the calls of the node after the probe. */
async function reading<T>(answer: (call: Call) => NodeResponse, read: (source: Source) => Promise<T>) {
  await using node = await startJsonRpcServer(answer);
  const source = await sourceOf(ethereum, [node]);
  const before = node.calls.length;
  const result = await read(source);
  return { result, host: node.host, methods: node.calls.slice(before).map(({ method }) => method) };
}

test('reads a block with two calls and sums it', async () => {
  const { result, methods, host } = await reading(answerWell, (source) => readBlock(source, 2));
  expect(result).toMatchObject({
    host,
    number: 2,
    hash: hashOf('sample 2'),
    parentHash: hashOf('sample 1'),
    timestamp: 20,
    totals: { blocks: 1, transactions: 2, fees: { execution: 84_000n } },
  });
  expect(methods.toSorted()).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts']);
});

test('requests the transactions only when receipts lack the price', async () => {
  const answer = (call: Call): NodeResponse => {
    const { method, params } = call;
    if (method === 'eth_getBlockReceipts') {
      return { result: blocks[2]?.receipts.map(({ effectiveGasPrice, ...receipt }) => receipt) };
    }
    if (params[1] !== true) return answerWell(call);
    return {
      result: { transactions: blocks[2]?.header.transactions.map((hash) => ({ hash, gasPrice: '0x5' })) },
    };
  };
  const { result, methods } = await reading(answer, (source) => readBlock(source, 2));
  expect(result.totals.fees.execution).toBe(2n * 21_000n * 5n);
  expect(methods).toHaveLength(3);
});

test('does not request the receipts of an empty genesis block', async () => {
  const { result, methods } = await reading(answerWell, (source) => readBlock(source, 0));
  expect(result.totals).toMatchObject({ blocks: 1, transactions: 0 });
  expect(methods).toEqual(['eth_getBlockByNumber']);
});

test.each([
  ['a null list', null, 'the node has no receipts of this block'],
  ['a null receipt', [null], 'result[0]: expected a receipt'],
  ['an empty list', [], '2 transactions, but 0 receipts'],
])('refuses %s of receipts', async (_, result, message) => {
  const answer = (call: Call): NodeResponse =>
    call.method === 'eth_getBlockReceipts' ? { result } : answerWell(call);
  await expect(reading(answer, (source) => readBlock(source, 2))).rejects.toThrow(message);
});

test('refuses a null block', async () => {
  const without = (call: Call): NodeResponse =>
    call.params[0] === '0x2' ? { result: null } : answerWell(call);
  await expect(reading(without, (source) => readBlock(source, 2))).rejects.toThrow(
    'no endpoint returned a valid response for ETHEREUM block 2',
  );
});

test('reads a block that is incomplete on one endpoint from the next', async () => {
  await using bad = await startJsonRpcServer((call) =>
    call.method === 'eth_getBlockReceipts' ? { result: [] } : answerWell(call),
  );
  await using good = await startJsonRpcServer(answerWell);
  const source = await sourceOf(ethereum, [bad, good]);
  expect(await readBlock(source, 2)).toMatchObject({ host: good.host, totals: { transactions: 2 } });
});

describe('readHeader', () => {
  const shifted = (call: Call): NodeResponse =>
    call.params[0] === '0x3' ? { result: blocks[2]?.header } : answerWell(call);

  test('returns the header with its host', async () => {
    const { result, methods, host } = await reading(answerWell, (source) => readHeader(source, 3, {}));
    expect(result).toMatchObject({ number: 3, timestamp: 30, host });
    expect(methods).toEqual(['eth_getBlockByNumber']);
  });

  test('refuses another block than the requested one', async () => {
    await expect(reading(shifted, (source) => readHeader(source, 3, {}))).rejects.toThrow(
      'ETHEREUM block 3: the node returned block 2',
    );
  });

  test('asks the next endpoint when the check fails', async () => {
    await using bad = await startJsonRpcServer((call) =>
      call.params[0] === '0x2' ? { result: { ...blocks[2]?.header, timestamp: 5 } } : answerWell(call),
    );
    await using good = await startJsonRpcServer(answerWell);
    const source = await sourceOf(ethereum, [bad, good]);
    const check = ({ timestamp }: { timestamp: number }) => {
      if (timestamp < 10) throw new BlockError({ chain: 'ETHEREUM', block: 2 }, 'is too old');
    };
    expect(await readHeader(source, 2, { check })).toMatchObject({ timestamp: 20, host: good.host });
  });

  test('asks only the given endpoints', async () => {
    await using first = await startJsonRpcServer(answerWell);
    await using second = await startJsonRpcServer(answerWell);
    const source = await sourceOf(ethereum, [first, second]);
    const from = source.present.slice(1).map(({ upstream }) => upstream);
    expect((await readHeader(source, 2, { from })).host).toBe(second.host);
  });
});
