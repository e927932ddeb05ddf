import { readFileSync } from 'node:fs';
import { readBlockFrom } from '#core/blocks/nodes/read-block.ts';
import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { EvidencePolicy } from '#core/figures/day-figures.ts';
import { EndpointError, endpointOf } from '#core/rpc/endpoint.ts';
import { turns } from '#test/support/clock.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import {
  blockResponse,
  type Json,
  NO_BLOOM,
  type RawBlock,
  sealBlock,
} from '#test/support/generators/blocks/seal.ts';
import { sealedBlock } from '#test/support/generators/blocks/sealed-block.ts';
import {
  type Answer,
  type Call,
  type NodeResponse,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { rpcTo } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const log = { address: `0x${'11'.repeat(20)}`, topics: [hashOf('topic')], data: `0x${'22'.repeat(200)}` };
const logs = Array.from({ length: 60 }, () => log);
const pairs = Array.from({ length: 140 }, () => ({ receipt: { logs } }));

// The rate of a big response is watched by an interval of real time, in which a busy machine may read too little.
jest.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => {}, 0));

/** Receipts of more than 4 MB, which are read as they come. */
const block = sealedBlock(ethereum, pairs, { number: '0x5' });
/** The calls of a block whose receipts come as a list. */
const LISTS = ['eth_getBlockByNumber', 'eth_getBlockReceipts'];
const FEES = 140n * 21_000n * 7n;

const answerFor =
  (given: RawBlock, receipts: Answer): Answer =>
  (call) =>
    call.method === 'eth_getBlockByNumber' ? { result: blockResponse(given, true) } : receipts(call);

async function read(
  given: RawBlock,
  receipts: Answer,
  { chain = ethereum as Chain, evidence = 'proven' as EvidencePolicy } = {},
) {
  await using node = await startJsonRpcServer(answerFor(given, receipts));
  const rpc = rpcTo(endpointOf(chain, node.url));
  const number = Number(given.header.number);
  const attempt = await readBlockFrom({ chain, evidence }, number, rpc, node.host);
  return { attempt, calls: node.calls.map(({ method }) => method) };
}

/** Reads the block, with the kind of an EndpointError as its fault. */
async function readOrFail(receipts: Answer) {
  await using node = await startJsonRpcServer(answerFor(block, receipts));
  const rpc = rpcTo(endpointOf(ethereum, node.url));
  const failed = (error: unknown) => {
    if (error instanceof EndpointError) return { fault: error.kind };
    throw error;
  };
  const attempt = await readBlockFrom({ chain: ethereum, evidence: 'proven' }, 5, rpc, node.host).catch(
    failed,
  );
  return { attempt, calls: node.calls.map(({ method }) => method) };
}
const tell = (receipts: readonly Json[]) => (): NodeResponse => ({ result: receipts });
const changed = (index: number, change: Json) =>
  tell(block.receipts.map((one, at) => (at === index ? { ...one, ...change } : one)));

test('proves a block whose receipts are hashed as they come', async () => {
  const { attempt, calls } = await read(block, tell(block.receipts));
  expect(attempt).toMatchObject({
    value: { isProven: true, totals: { transactions: 140, fees: { execution: FEES } } },
  });
  expect(calls.toSorted()).toEqual(LISTS);
});

test('proves a block of a node that states no type of legacy transactions, as before EIP-2718', async () => {
  const without = (some: readonly Json[]) => some.map(({ type, ...one }) => one);
  const untyped = { ...block, transactions: without(block.transactions), receipts: without(block.receipts) };
  const { attempt } = await read(untyped, tell(untyped.receipts));
  expect(attempt).toMatchObject({ value: { isProven: true, totals: { fees: { execution: FEES } } } });
});

test.each<[string, number, Json, string]>([
  ['another log', 7, { logs: [...logs.slice(1), { ...log, data: '0x' }] }, 'receiptsRoot'],
  ['a log that is left out', 139, { logs: logs.slice(1) }, 'receiptsRoot'],
  ['another status', 0, { status: '0x0' }, 'receiptsRoot'],
  ['other gas', 128, { cumulativeGasUsed: '0x5' }, 'receiptsRoot'],
  ['another price', 3, { effectiveGasPrice: '0x8' }, 'receipts[3].effectiveGasPrice'],
  ['another transaction', 3, { transactionHash: hashOf('other') }, 'receipts[3].transactionHash'],
  [
    'a topic that is not a string',
    127,
    { logs: [{ ...log, topics: [1] }] },
    'receipts[127].logs[0].topics[0]',
  ],
  ['no logs', 2, { logs: undefined }, 'receipts[2].logs'],
])('refuses %s in one of them', async (_, index, change, field) => {
  const { attempt } = await read(block, changed(index, change));
  expect(attempt).toMatchObject({
    refused: expect.stringContaining(`block 5: ${field}`),
    fault: 'not proven',
  });
});

test('refuses one receipt too few, and one too many', async () => {
  const { receipts } = block;
  const withoutSingle = ({ method }: Call) => ({
    result: method === 'eth_getTransactionReceipt' ? null : receipts.slice(1),
  });
  const short = await read(block, withoutSingle);
  expect(short.attempt).toMatchObject({
    refused: expect.stringContaining('139 receipts of 140 transactions'),
  });
  const long = await read(block, tell([...receipts, ...receipts.slice(-1)]));
  expect(long.attempt).toMatchObject({
    refused: expect.stringContaining('141 receipts of 140 transactions'),
  });
});

test('checks a block alone where the policy allows it, whatever is hashed', async () => {
  const lacking = block.receipts.map(({ status, ...one }) => one);
  expect((await read(block, tell(lacking), { evidence: 'checked' })).attempt).toMatchObject({
    value: { isProven: false, totals: { fees: { execution: FEES } } },
  });
  expect((await read(block, tell(lacking))).attempt).toMatchObject({ fault: 'not proven' });
});

describe('an endpoint that refuses the whole list', () => {
  const refusing =
    (refusal: NodeResponse) =>
    ({ method, params: [hash] }: Call): NodeResponse =>
      method === 'eth_getTransactionReceipt'
        ? { result: block.receipts.find(({ transactionHash }) => transactionHash === hash) ?? null }
        : refusal;

  test.each<[string, NodeResponse]>([
    ['with status 413', { status: 413, body: '' }],
    ['with an error', { error: { code: -32008, message: 'response is too big' } }],
    ['because it has no lists', { error: { code: -32601, message: 'the method does not exist' } }],
    ['as ganache does', readJson('test/fixtures/real-nodes/ganache-7.9.2-no-block-receipts.json')],
    ['with an internal error', { error: { code: -32603, message: 'Internal error' } }],
    ['with null', { result: null }],
    ['with an empty list', { result: [] }],
    ['with a list that is one short', { result: block.receipts.slice(1) }],
  ])('%s gives each receipt separately', async (_, refusal) => {
    const { attempt, calls } = await read(block, refusing(refusal));
    expect(attempt).toMatchObject({ value: { isProven: true, totals: { fees: { execution: FEES } } } });
    expect(calls.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(140);
  });

  test.each<[string, NodeResponse]>([
    ['null', { result: null }],
    ['an empty list', { result: [] }],
  ])(
    'gets a request for one receipt alone where it has pruned them and answers with %s',
    async (_, refusal) => {
      const pruned = async ({ method }: Call) => {
        if (method !== 'eth_getTransactionReceipt') return refusal;
        // Until a second request would have come.
        await turns(200);
        return { result: null };
      };
      const { attempt, calls } = await readOrFail(pruned);
      expect(attempt).toMatchObject({ fault: expect.stringMatching(/^(unavailable|not proven)$/) });
      expect(calls.toSorted()).toEqual([...LISTS, 'eth_getTransactionReceipt']);
    },
  );

  test('gets no request for a receipt once it says that history is pruned', async () => {
    const { attempt, calls } = await readOrFail(
      refusing({ error: { code: 4444, message: 'pruned history unavailable' } }),
    );
    expect(attempt).toMatchObject({ fault: 'pruned' });
    expect(calls.toSorted()).toEqual(LISTS);
  });

  test.each<[string, NodeResponse]>([
    ['is empty', { result: [] }],
    ['is null', { result: null }],
    ['is an unknown method', { error: { code: -32601, message: 'the method does not exist' } }],
  ])('gets no request for receipts of a block without transactions, whose list %s', async (_, list) => {
    const empty = sealedBlock(ethereum, [], { number: '0x5' });
    const { attempt, calls } = await read(empty, () => list);
    expect(attempt).toMatchObject({ value: { isProven: true, totals: { transactions: 0 } } });
    expect(calls.toSorted()).toEqual(LISTS);
  });

  test.each(['type', 'hash'])('is at fault for a %s that throws when it is made text', async (member) => {
    const hostile = { [member]: { toString: 1, valueOf: 1 } };
    const told = { ...block, transactions: block.transactions.map((one) => ({ ...one, ...hostile })) };
    const { attempt } = await read(told, refusing({ status: 413, body: '' })).catch((error) => ({
      attempt: error,
    }));
    expect(attempt instanceof EndpointError || 'refused' in attempt).toBe(true);
  });
});

test("Polygon's synthetic state-sync is left out of the hashes of receipts that come one by one", async () => {
  const polygon = chainOf('POLYGON');
  const zero = `0x${'0'.repeat(40)}`;
  const stateSync = { from: zero, to: zero, type: '0x0', gas: '0x0', gasPrice: '0x0' };
  const { header, transactions, receipts } = sealedBlock(polygon, pairs, { number: '0x40' });
  const sealed = sealBlock(polygon, {
    header,
    transactions: [...transactions, { ...transactions[0], ...stateSync }],
    receipts: [
      ...receipts,
      {
        ...stateSync,
        gasUsed: '0x0',
        cumulativeGasUsed: '0x0',
        status: '0x1',
        logs: [],
        logsBloom: NO_BLOOM,
      },
    ],
  });
  for (const listed of [sealed.receipts, sealed.receipts.slice(0, -1)]) {
    const { attempt } = await read(sealed, tell(listed), { chain: polygon });
    expect(attempt).toMatchObject({
      value: { isProven: true, totals: { transactions: 141, protocolTransactions: 1 } },
    });
  }
});
