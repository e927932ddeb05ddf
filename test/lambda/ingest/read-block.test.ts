import { chainOf } from '../../../lambda/chains/chains.ts';
import { readBlock, readFinalizedHeader, readHeader } from '../../../lambda/ingest/read-block.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { hashOf } from '../../support/builders.ts';
import { type Answer, type Call, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { answerFrom, sampleChain } from '../../support/sample-chain.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20, 30]);
const answerWell = answerFrom(blocks);

/** What a node that answers so was asked, and what came of it. */
async function reading<T>(
  answer: (call: Call) => Answer,
  read: (endpoints: Parameters<typeof readBlock>[1]) => Promise<T>,
) {
  await using node = await startJsonRpcServer(answer);
  const result = await read([endpointOf(ethereum, node.url)]);
  return { result, methods: node.calls.map(({ method }) => method).slice(1) };
}

test('a block is read with two calls and summed', async () => {
  const { result, methods } = await reading(answerWell, (endpoints) => readBlock(ethereum, endpoints, 2));
  expect(result).toMatchObject({
    number: 2,
    hash: hashOf('sample 2'),
    parentHash: hashOf('sample 1'),
    timestamp: 20,
    totals: { blocks: 1, transactions: 2, fees: { execution: 84_000n } },
  });
  expect(methods.toSorted()).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts']);
});

test('the transactions are asked for only where receipts lack the price', async () => {
  const answer = (call: Call): Answer => {
    const { method, params } = call;
    if (method === 'eth_getBlockReceipts') {
      return { result: blocks[2]?.receipts.map(({ effectiveGasPrice, ...receipt }) => receipt) };
    }
    if (params[1] !== true) return answerWell(call);
    return {
      result: { transactions: blocks[2]?.header.transactions.map((hash) => ({ hash, gasPrice: '0x5' })) },
    };
  };
  const { result, methods } = await reading(answer, (endpoints) => readBlock(ethereum, endpoints, 2));
  expect(result.totals.fees.execution).toBe(2n * 21_000n * 5n);
  expect(methods).toHaveLength(3);
});

test('an empty genesis is not asked for its receipts, which some nodes refuse', async () => {
  const { result, methods } = await reading(answerWell, (endpoints) => readBlock(ethereum, endpoints, 0));
  expect(result.totals).toMatchObject({ blocks: 1, transactions: 0 });
  expect(methods).toEqual(['eth_getBlockByNumber']);
});

test.each([
  ['no receipts', null, 'the node has no receipts of this block'],
  ['a hole among the receipts', [null], 'result[0]: expected a receipt'],
  ['an empty list of receipts', [], '2 transactions, but 0 receipts'],
])('%s are no block', async (_, result, message) => {
  const answer = (call: Call): Answer =>
    call.method === 'eth_getBlockReceipts' ? { result } : answerWell(call);
  await expect(reading(answer, (endpoints) => readBlock(ethereum, endpoints, 2))).rejects.toThrow(message);
});

test('a block that the node does not have is no block', async () => {
  await expect(reading(answerWell, (endpoints) => readBlock(ethereum, endpoints, 4))).rejects.toThrow(
    'no endpoint gave a valid answer for ETHEREUM block 4',
  );
});

test('a header is read alone, and must be the one that was asked for', async () => {
  const { result } = await reading(answerWell, (endpoints) => readHeader(ethereum, endpoints, 3));
  expect(result).toMatchObject({ number: 3, timestamp: 30 });
  const shifted = (call: Call): Answer =>
    call.params[0] === '0x3' ? { result: blocks[2]?.header } : answerWell(call);
  await expect(reading(shifted, (endpoints) => readHeader(ethereum, endpoints, 3))).rejects.toThrow(
    'ETHEREUM block 3: the node answered with block 2',
  );
});

test('the finalized header is asked for by its tag', async () => {
  const { result } = await reading(answerFrom(blocks, { finalized: 1 }), (endpoints) =>
    readFinalizedHeader(ethereum, endpoints),
  );
  expect(result.number).toBe(1);
});
