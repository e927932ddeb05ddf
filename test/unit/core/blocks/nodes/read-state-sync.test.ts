import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import { withRawStateSync } from '#core/blocks/nodes/read-state-sync.ts';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { blockResponse, hex, type RawBlock } from '#test/support/generators/blocks/seal.ts';
import { sealedBlock } from '#test/support/generators/blocks/sealed-block.ts';
import {
  type NodeAnswer,
  type NodeResponse,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { rpcTo } from '#test/support/nodes/source.ts';

const polygon = chainOf('POLYGON');
const NUMBER = 80_084_800;
const RAW_METHOD = 'eth_getRawTransactionByBlockNumberAndIndex';
const stateSync = {
  transaction: { type: '0x7f', raw: '0x7fc3010203', gas: '0x0', gasPrice: '0x0' },
  receipt: { gasUsed: '0x0' },
};
const block = sealedBlock(polygon, [{}, stateSync], { number: hex(NUMBER) });

const answerFor =
  ({ header, ...given }: RawBlock): NodeAnswer =>
  ({ method, params: [, index] }) => {
    if (method === 'eth_getBlockByNumber') return { result: blockResponse({ header, ...given }, true) };
    if (method === 'eth_getBlockReceipts') return { result: given.receipts };
    return { result: given.transactions[Number(index)]?.raw ?? null };
  };

async function read(answer: NodeAnswer) {
  await using node = await startJsonRpcServer(answer);
  const rpc = rpcTo(endpointOf(polygon, node.url));
  const attempt = await readBlockFrom({ chain: polygon, evidence: 'proven' }, NUMBER, rpc, node.host);
  return { attempt, calls: node.calls };
}

test('proves a block with a state-sync transaction, with a third call for its bytes', async () => {
  const { attempt, calls } = await read(answerFor(block));
  expect(attempt).toMatchObject({
    value: {
      hash: block.header.hash,
      isProven: true,
      totals: { transactions: 2, protocolTransactions: 1, fees: { execution: 147_000n } },
    },
  });
  expect(calls).toHaveLength(3);
  expect(calls.find(({ method }) => method === RAW_METHOD)?.params).toEqual([hex(NUMBER), '0x1']);
});

test('needs two calls for an endpoint that gives the bytes in the block', async () => {
  const { attempt, calls } = await read((call) =>
    call.method === 'eth_getBlockByNumber'
      ? { result: { ...block.header, transactions: block.transactions } }
      : answerFor(block)(call),
  );
  expect(attempt).toMatchObject({ value: { isProven: true } });
  expect(calls).toHaveLength(2);
});

test.each<[string, NodeResponse]>([
  ['lacks the method', { error: { code: -32601, message: 'the method does not exist' } }],
  ['does not have the bytes', { result: null }],
])('refuses an endpoint that %s, and says so', async (_, answer) => {
  const { attempt } = await read((call) => (call.method === RAW_METHOD ? answer : answerFor(block)(call)));
  expect(attempt).toEqual({
    refused:
      'POLYGON block 80084800: transactions[1].raw: the endpoint gives no raw bytes of this state-sync transaction, ' +
      `which need ${RAW_METHOD}`,
    fault: 'not proven',
  });
});

test('refuses other bytes', async () => {
  const { attempt } = await read((call) =>
    call.method === RAW_METHOD ? { result: '0x7fc3010204' } : answerFor(block)(call),
  );
  expect(attempt).toMatchObject({
    fault: 'not proven',
    refused: expect.stringContaining('transactionsRoot'),
  });
});

test('refuses a paying transaction that passes for a state-sync, which pays nothing', async () => {
  const [first, second] = block.transactions;
  const lying = { ...block, transactions: [{ ...first, type: '0x7f', raw: '0x01' }, second] };
  const { attempt } = await read((call) =>
    call.method === 'eth_getBlockByNumber'
      ? { result: { ...block.header, transactions: lying.transactions } }
      : answerFor(block)(call),
  );
  expect(attempt).toMatchObject({
    fault: 'not proven',
    refused: expect.stringContaining('transactions[0].raw: 0x01 is not a state-sync transaction'),
  });
});

test('throws other faults of the third call, so that it is tried again', async () => {
  const busy: NodeAnswer = (call) =>
    call.method === RAW_METHOD ? { status: 429, body: '' } : answerFor(block)(call);
  await expect(read(busy)).rejects.toThrow('HTTP status 429');
});

test('asks nothing more for other blocks: those before the type existed, and those that end with another type', async () => {
  const rpc = () => Promise.reject(new Error('asked'));
  const before = { transactions: [{ type: '0x7f' }] };
  // https://github.com/0xPolygon/bor: the Madhugiri hard fork.
  expect(await withRawStateSync(polygon, rpc, NUMBER - 1, before)).toBe(before);
  expect(await withRawStateSync(chainOf('ETHEREUM'), rpc, NUMBER, before)).toBe(before);
  const other = { transactions: [{ type: '0x7f' }, { type: '0x2' }] };
  expect(await withRawStateSync(polygon, rpc, NUMBER, other)).toBe(other);
});
