import { chainOf } from '../../../lambda/chains/chains.ts';
import { quantity } from '../../../lambda/rpc/decode.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { call } from '../../../lambda/rpc/json-rpc.ts';
import { startJsonRpcServer } from '../../support/json-rpc-server.ts';

const ethereum = chainOf('ETHEREUM');

test('no message repeats a secret of the URL, even where the node does', async () => {
  await using node = await startJsonRpcServer(() => ({
    error: { code: 1, message: 'bad key path-token, query-token' },
  }));
  const endpoint = endpointOf(ethereum, `${node.url}/v2/path-token?key=query-token`);
  await expect(call(endpoint, 'eth_test', [], quantity)).rejects.toThrow('error 1, bad key ***, ***');
});

test('the user and password of a URL are sent as basic authentication, and are not part of the host', async () => {
  await using node = await startJsonRpcServer(() => ({ result: '0x1' }));
  const endpoint = endpointOf(ethereum, node.url.replace('//', '//user:p%40ss@'));
  expect(endpoint.host).toBe(node.host);
  await call(endpoint, 'eth_test', [], quantity);
  expect(node.headers.at(-1)?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});
