import { probeEndpoints } from '#core/anchor/probe-endpoints.ts';
import { readBlock } from '#core/blocks/nodes/read-block.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { SummedBlock } from '#core/figures/block.ts';
import { answerFrom, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import {
  type Call,
  type JsonRpcServer,
  type NodeResponse,
  startJsonRpcServer,
} from '#test/support/nodes/json-rpc-server.ts';
import { answerRaw } from '#test/support/nodes/raw-answers.ts';
import { requestContextWith, sourceOf, upstreamsOf, valueIn } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain(Array.from({ length: 70 }, (_, index) => index * 10));
const answerJson = answerFrom(blocks);
const answerBoth = answerRaw(ethereum, blocks, answerJson);
const isRaw = ({ method }: Call) => method.startsWith('debug_getRaw');

/** Returns the methods of the calls for one block, sorted. */
const methodsFor = ({ calls }: JsonRpcServer, number: number) =>
  calls
    .filter(({ params: [at] }) => at === `0x${number.toString(16)}`)
    .map(({ method }) => method)
    .toSorted();
const RAW = ['debug_getRawBlock', 'debug_getRawReceipts'];
const JSON_METHODS = ['eth_getBlockByNumber', 'eth_getBlockReceipts'];

/** Returns a node's answers with those to one method replaced. */
const withAnswer =
  (method: string, replace: (response: NodeResponse) => NodeResponse) =>
  (call: Call): NodeResponse =>
    call.method === method ? replace(answerBoth(call)) : answerBoth(call);

const figuresOf = ({ host: _, ...figures }: SummedBlock) => figures;

/** Figures of a block, read as JSON. */
async function expected(number: number) {
  await using node = await startJsonRpcServer(answerJson);
  return figuresOf(valueIn(await readBlock(await sourceOf(ethereum, [node]), number)));
}

describe('an endpoint that offers RLP', () => {
  test('is read with two calls per block, after one probe, and gives the figures that JSON gives', async () => {
    await using node = await startJsonRpcServer(answerBoth);
    const source = await sourceOf(ethereum, [node]);
    expect(valueIn(await readBlock(source, 2))).toEqual({ ...(await expected(2)), host: node.host });
    expect(methodsFor(node, 2)).toEqual([...RAW, ...RAW].toSorted());
    await readBlock(source, 3);
    expect(methodsFor(node, 3)).toEqual(RAW);
  });

  test('is read as RLP again where it failed once', async () => {
    let isFailing = false;
    await using node = await startJsonRpcServer((call) => {
      if (!isFailing || !isRaw(call)) return answerBoth(call);
      isFailing = false;
      return { status: 503, body: '' };
    });
    const source = await sourceOf(ethereum, [node]);
    await readBlock(source, 2);
    isFailing = true;
    await readBlock(source, 3);
    expect(methodsFor(node, 3)).toEqual([...RAW, ...RAW].toSorted());
  });

  test('is read as JSON for every 64th block, whose receipts state prices', async () => {
    await using node = await startJsonRpcServer(answerBoth);
    const source = await sourceOf(ethereum, [node]);
    for (const number of [1, 64]) await readBlock(source, number);
    expect(methodsFor(node, 64)).toEqual(JSON_METHODS);
  });
});

describe('an endpoint without RLP is read as JSON and has no fault', () => {
  test.each<[string, NodeResponse, string?]>([
    ['the methods do not exist', { error: { code: -32601, message: 'the method does not exist' } }],
    [
      'the plan excludes them',
      { error: { code: -32000, message: 'debug_getRawBlock is not included in your current plan' } },
    ],
    ['blocks are null', { result: null }],
    ['blocks are empty', { result: '0x' }],
    ['it answers with a page', { status: 200, body: '<html>' }],
    ['its receipts are pruned', { result: [] }, 'debug_getRawReceipts'],
  ])('when %s', async (_, response, method = 'debug_getRawBlock') => {
    await using node = await startJsonRpcServer(withAnswer(method, () => response));
    const onFault = jest.fn();
    const source = await sourceOf(ethereum, [node], { onFault });
    for (const number of [2, 3, 5]) {
      expect(valueIn(await readBlock(source, number))).toMatchObject(await expected(number));
    }
    expect(onFault).not.toHaveBeenCalled();
    expect(node.calls.filter(isRaw)).toHaveLength(2);
  });
});

const lies: readonly [string, string, (response: NodeResponse) => NodeResponse, string][] = [
  [
    'about a transaction',
    'debug_getRawBlock',
    (response) => changed(response, (hex) => hex.replace('825208', '825209')),
    'transactionsRoot',
  ],
  [
    'about the gas used',
    'debug_getRawReceipts',
    (response) => changed(response, (hex) => hex.replace('825208', '825209')),
    'receiptsRoot',
  ],
  [
    'by leaving out a receipt',
    'debug_getRawReceipts',
    (response) => ({ result: 'result' in response ? (response.result as string[]).slice(1) : [] }),
    'receipts',
  ],
];

test.each(lies)(
  'an endpoint that lies in RLP %s has a fault, and is read as JSON from then on',
  async (_, method, lie, field) => {
    await using node = await startJsonRpcServer(withAnswer(method, lie));
    const onFault = jest.fn();
    const source = await sourceOf(ethereum, [node], { onFault });
    for (const number of [2, 5]) {
      expect(valueIn(await readBlock(source, number))).toMatchObject(await expected(number));
    }
    expect(onFault.mock.calls).toEqual([
      [node.host, 'not proven', expect.stringContaining(`${node.host}: ETHEREUM block 2: ${field}: `)],
    ]);
    expect(node.calls.filter(isRaw)).toHaveLength(2);
  },
);

const changed = (response: NodeResponse, change: (hex: string) => string): NodeResponse =>
  'result' in response
    ? {
        result:
          typeof response.result === 'string'
            ? change(response.result)
            : (response.result as string[]).map(change),
      }
    : response;

describe('an endpoint that does not answer the probe', () => {
  test('is read as JSON, and probed again by the next run', async () => {
    let isBusy = true;
    await using node = await startJsonRpcServer((call) =>
      isBusy && isRaw(call) ? { status: 503, body: '' } : answerBoth(call),
    );
    const upstreams = upstreamsOf(ethereum, [node]);
    const run = async (number: number) => {
      const probe = await probeEndpoints(ethereum, requestContextWith(), upstreams);
      if (probe.kind !== 'probed') throw new Error(probe.reason);
      await readBlock(probe.network, number);
    };
    await run(2);
    await run(3);
    expect(methodsFor(node, 3)).toEqual([...RAW, ...JSON_METHODS]);
    isBusy = false;
    await run(5);
    await run(8);
    expect(methodsFor(node, 8)).toEqual(RAW);
  });

  test.each([
    ['no bytes', '0x'],
    ['null', null],
  ])('because it answers %s for a block that it does not have yet is probed again too', async (_, result) => {
    let isBehind = true;
    await using node = await startJsonRpcServer((call) =>
      isBehind && isRaw(call) ? { result } : answerBoth(call),
    );
    const upstreams = upstreamsOf(ethereum, [node]);
    const onFault = jest.fn();
    for (const number of [2, 3, 5]) {
      const probe = await probeEndpoints(ethereum, requestContextWith({ onFault }), upstreams);
      if (probe.kind !== 'probed') throw new Error(probe.reason);
      expect(valueIn(await readBlock(probe.network, number))).toMatchObject(await expected(number));
      isBehind = false;
    }
    expect(methodsFor(node, 5)).toEqual(RAW);
    expect(onFault).not.toHaveBeenCalled();
  });
});
