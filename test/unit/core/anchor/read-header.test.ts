import { type AnchoredNetwork, upstreamsFor } from '#core/anchor/network.ts';
import { getHeader, readHeader } from '#core/anchor/read-header.ts';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { blockResponse, type Json } from '#test/support/generators/blocks/seal.ts';
import { answerFrom, blockAt, refAt, sampleChain } from '#test/support/generators/chains/sample-chain.ts';
import { type NodeAnswer, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { rpcTo, sourceOf, valueIn } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20, 30]);
const answerWell = answerFrom(blocks);

const header = blockResponse(blockAt(blocks, 2), false);
const PROVEN = { chain: ethereum, evidence: 'proven' } as const;
const CHECKED = { chain: ethereum, evidence: 'checked' } as const;

/** Reads block 2 from a node that answers with this header. */
async function headerFrom(given: Json, rules: Parameters<typeof getHeader>[1] = PROVEN) {
  await using node = await startJsonRpcServer(() => ({ result: given }));
  return await getHeader(rpcTo(endpointOf(ethereum, node.url)), rules, 2);
}

test.each<[string, Json, string]>([
  ['another timestamp', { timestamp: '0x15' }, 'hash: the header does not hash to its hash'],
  ['another parent', { parentHash: refAt(blocks, 2).hash }, 'hash: the header does not hash to its hash'],
  ['no logsBloom', { logsBloom: undefined }, 'logsBloom: the node left it out'],
])(
  'getHeader refuses %s as not proven, and accepts it with the policy checked',
  async (_, given, problem) => {
    expect(await headerFrom({ ...header, ...given })).toEqual({
      refused: expect.stringContaining(`ETHEREUM block 2: ${problem}`),
      fault: 'not proven',
    });
    expect(await headerFrom({ ...header, ...given }, CHECKED)).toHaveProperty('value');
  },
);

test('getHeader refuses a value that does not decode as an invalid response', async () => {
  expect(await headerFrom({ ...header, timestamp: 'noon' })).toEqual({
    refused: 'ETHEREUM block 2: timestamp: it is not a hex quantity',
    fault: 'invalid response',
  });
});

describe('readHeader', () => {
  const shifted: NodeAnswer = (call) =>
    call.params[0] === '0x1' ? { result: blockResponse(blockAt(blocks, 2), false) } : answerWell(call);
  /** The header of block 2 under another hash. */
  const lying: NodeAnswer = (call) =>
    call.params[0] === '0x2'
      ? { result: { ...blockResponse(blockAt(blocks, 2), false), hash: refAt(blocks, 3).hash } }
      : answerWell(call);

  const read = (source: AnchoredNetwork, number: number) => readHeader(source, number, upstreamsFor(source));

  test('refuses another block than the requested one', async () => {
    await using node = await startJsonRpcServer(shifted);
    expect(await read(await sourceOf(ethereum, [node]), 1)).toMatchObject({
      reason: expect.stringContaining('ETHEREUM block 1: the node answered with block 2'),
    });
  });

  test('asks the next of the given endpoints when the header has another hash than the known one', async () => {
    await using bad = await startJsonRpcServer(lying);
    await using good = await startJsonRpcServer(answerWell);
    const source = await sourceOf(ethereum, [bad, good], {}, { evidence: 'checked' });
    const upstreams = upstreamsFor(source);
    const { hash } = refAt(blocks, 2);
    expect(valueIn(await readHeader(source, 2, upstreams, hash)).timestamp).toBe(20);
    expect(await readHeader(source, 2, upstreams.slice(0, 1), hash)).toMatchObject({
      reasons: [expect.stringContaining(`it is ${refAt(blocks, 3).hash}, not ${hash}`)],
    });
  });
});
