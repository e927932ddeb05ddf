import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { callContract, getRawTransaction } from '#core/rpc/methods.ts';
import { type Call, type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { rpcTo } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');

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
