import { chainOf } from '../../../../core/chains/chains.ts';
import { endpointOf } from '../../../../core/rpc/endpoint.ts';
import { callContract, getHeader, getRawTransaction } from '../../../../core/rpc/methods.ts';
import { blockAt, refAt, sampleChain } from '../../../support/generators/sample-chain.ts';
import { blockResponse, type Json } from '../../../support/generators/seal.ts';
import { type Call, type NodeResponse, startJsonRpcServer } from '../../../support/nodes/json-rpc-server.ts';
import { rpcTo } from '../../../support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const blocks = sampleChain([0, 10, 20]);
const header = blockResponse(blockAt(blocks, 2), false);
const PROVEN = { chain: ethereum, evidence: 'proven' } as const;
const CHECKED = { chain: ethereum, evidence: 'checked' } as const;

/** Reads block 2 from a node that answers with this header. */
async function headerFrom(given: Json, rules: Parameters<typeof getHeader>[1] = PROVEN, at = 2) {
  await using node = await startJsonRpcServer(() => ({ result: given }));
  return await getHeader(rpcTo(endpointOf(ethereum, node.url)), rules, at);
}

const value = { ...refAt(blocks, 2), parentHash: refAt(blocks, 1).hash, timestamp: 20 };

test('getHeader decodes a header that hashes to its hash', async () => {
  expect(await headerFrom(header)).toEqual({ value });
});

test('getHeader accepts upper-case digits and numbers', async () => {
  const hash = `0x${String(header.hash).slice(2).toUpperCase()}`;
  expect(await headerFrom({ ...header, hash, number: 2, timestamp: 20 })).toEqual({ value });
});

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

test('getHeader refuses another block than the requested one', async () => {
  expect(await headerFrom(header, PROVEN, 1)).toEqual({
    refused: 'ETHEREUM block 1: the node answered with block 2',
  });
});

test('getHeader accepts a header of Arbitrum before Nitro, which does not hash to its hash', async () => {
  const rules = { ...PROVEN, chain: chainOf('ARBITRUM') };
  expect(await headerFrom({ ...header, timestamp: '0x15' }, rules)).toEqual({
    value: { ...value, timestamp: 21 },
  });
});

test.each<[string, Parameters<typeof callContract>[2], string]>([
  ['a number', 255, '0xff'],
  ['a tag', 'finalized', 'finalized'],
])('callContract asks at %s', async (_, at, tag) => {
  await using node = await startJsonRpcServer(() => ({ result: '0x01' }));
  const contract = { to: '0x6c', data: '0xbb' };
  expect(await callContract(rpcTo(endpointOf(ethereum, node.url)), contract, at)).toBe('0x01');
  expect(node.calls).toMatchObject([{ method: 'eth_call', params: [contract, tag] }]);
});

test('getRawTransaction returns hex, and refuses anything else', async () => {
  const read = async (answer: (call: Call) => NodeResponse) => {
    await using node = await startJsonRpcServer(answer);
    return await getRawTransaction(rpcTo(endpointOf(ethereum, node.url)), 16, 3);
  };
  expect(await read(({ params }) => ({ result: params.join() }))).toBe('0x10,0x3');
  await expect(read(() => ({ result: null }))).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(read(() => ({ result: { raw: '0x' } }))).rejects.toMatchObject({ kind: 'invalid response' });
});
