import type { AnchoredNetwork } from '#core/anchor/network.ts';
import { readBlock } from '#core/blocks/nodes/read-block.ts';
import { chainOf } from '#core/chains/chains.ts';
import type { Fetched } from '#core/rpc/failover.ts';
import { fullBlockFolders, readFullBlock } from '#test/support/generators/blocks/full-blocks.ts';
import type { Json } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, blockAt, reseal, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { inReserve, sourceOf, valueIn } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20, 30]);
const answerWell = answerFrom(blocks);

/** Returns the result of a reading and the calls of the node after the probes. */
async function reading<T>(answer: NodeAnswer, read: (source: AnchoredNetwork) => Promise<Fetched<T>>) {
  await using node = await startJsonRpcServer(answer);
  const source = await sourceOf(ethereum, [node]);
  const before = node.calls.length;
  const result = await read(source);
  const methods = node.calls.slice(before).map(({ method }) => method);
  return { result, host: node.host, methods: methods.filter((method) => !method.startsWith('debug_getRaw')) };
}

test('derives the price that receipts leave out, without another call', async () => {
  const receipts = blockAt(blocks, 2).receipts.map(({ effectiveGasPrice, ...receipt }) => receipt);
  const answer: NodeAnswer = (call) =>
    call.method === 'eth_getBlockReceipts' ? { result: receipts } : answerWell(call);
  const { result, methods } = await reading(answer, (source) => readBlock(source, 2));
  expect(valueIn(result)).toMatchObject({ isProven: true, totals: { fees: { execution: 84_000n } } });
  expect(methods).toHaveLength(2);
});

test('does not request the receipts of an empty genesis block', async () => {
  const { result, methods } = await reading(answerWell, (source) => readBlock(source, 0));
  expect(valueIn(result).totals).toMatchObject({ blocks: 1, transactions: 0 });
  expect(methods).toEqual(['eth_getBlockByNumber']);
});

test('requests the receipts of a genesis block with a transaction', async () => {
  const [genesis] = reseal(sampleChain([0, 10]).slice(1), 0, (block) => ({
    ...block,
    header: { ...block.header, number: '0x0' },
  }));
  const { result, methods } = await reading(answerFrom(genesis ? [genesis] : []), (source) =>
    readBlock(source, 0),
  );
  expect(valueIn(result).totals).toMatchObject({ blocks: 1, transactions: 1 });
  expect(methods).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts']);
});

const startWithout = (field: string) =>
  startJsonRpcServer((call) => {
    const answer = answerWell(call);
    const isBlock = call.method === 'eth_getBlockByNumber' && call.params[1] === true;
    return isBlock && 'result' in answer
      ? { result: { ...(answer.result as object), [field]: undefined } }
      : answer;
  });

test('an endpoint that leaves out a field that is hashed is passed over for another, and its fault names the field', async () => {
  await using lacking = await startWithout('mixHash');
  await using good = await startJsonRpcServer(answerWell);
  const onFault = jest.fn();
  const source = await sourceOf(ethereum, [lacking, inReserve(good)], { onFault });
  expect(valueIn(await readBlock(source, 2))).toMatchObject({ host: good.host, isProven: true });
  expect(onFault.mock.calls).toEqual([
    [lacking.host, 'not proven', `${lacking.host}: ETHEREUM block 2: mixHash: the node left it out`],
  ]);
});

describe('a block before Bedrock whose L1 fee a node has lost', () => {
  const optimism = chainOf('OPTIMISM');
  const NUMBER = 56_197_908;
  const LOST = 'receipts[0].l1Fee: the node left it out, as a node does that has synced from a snapshot';

  /** Answers as the recorded node did, or with this L1 fee. */
  const answerWith =
    (l1Fee?: string): NodeAnswer =>
    ({ method }) => {
      const { block, receipts } = readFullBlock(fullBlockFolders.incomplete, 'OPTIMISM-56197908.json.gz');
      if (method === 'eth_chainId') return { result: optimism.id };
      if (method !== 'eth_getBlockReceipts') return { result: block };
      return { result: receipts.map((one) => ({ ...(one as Json), ...(l1Fee && { l1Fee }) })) };
    };

  test('comes from another endpoint that has it', async () => {
    await using lost = await startJsonRpcServer(answerWith());
    await using complete = await startJsonRpcServer(answerWith('0x9589b0a1a280'));
    const onFault = jest.fn();
    const source = await sourceOf(optimism, [lost, inReserve(complete)], { onFault });
    const { host, totals } = valueIn(await readBlock(source, NUMBER));
    expect([host, totals.fees.l1Data]).toEqual([complete.host, 0x9589b0a1a280n]);
    expect(onFault.mock.calls).toEqual([[lost.host, 'unavailable', expect.stringContaining(LOST)]]);
  });

  test('is unavailable if no endpoint has it, which makes no endpoint a liar, and is read once one has', async () => {
    let l1Fee: string | undefined;
    await using node = await startJsonRpcServer((call) => answerWith(l1Fee)(call));
    await using other = await startJsonRpcServer(answerWith());
    const source = await sourceOf(optimism, [node, other]);
    const result = await readBlock(source, NUMBER);
    expect(result).toMatchObject({ kind: 'no endpoint', isUnavailable: true, isRuleChange: false });
    expect(result).toHaveProperty('reason', expect.stringContaining(LOST));
    expect(result).toHaveProperty('reason', expect.stringContaining('; add one that keeps the L1 fees'));
    for (const { upstreams } of source.hosts)
      for (const { health } of upstreams)
        expect(health).toMatchObject({ faults: 0, laterUntil: 0, lastUntil: 0 });
    l1Fee = '0x9589b0a1a280';
    expect(valueIn(await readBlock(source, NUMBER)).totals.fees.l1Data).toBe(BigInt(l1Fee));
  });
});
