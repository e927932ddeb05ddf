import * as z from 'zod/mini';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { quantity } from '../../../lambda/rpc/decode.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { call } from '../../../lambda/rpc/json-rpc.ts';
import { type Answer, startJsonRpcServer } from '../../support/json-rpc-server.ts';

const ethereum = chainOf('ETHEREUM');

async function calling(answer: Answer, schema: z.ZodMiniType = quantity) {
  await using node = await startJsonRpcServer(() => answer);
  return await call(endpointOf(ethereum, node.url), 'eth_test', ['0x1', false], schema);
}

describe('a call', () => {
  test('gives the decoded result', async () => {
    expect(await calling({ result: '0xff' })).toBe(255n);
  });

  test('sends JSON-RPC 2.0 with an id of its own', async () => {
    await using node = await startJsonRpcServer(() => ({ result: '0x1' }));
    const endpoint = endpointOf(ethereum, node.url);
    await Promise.all([call(endpoint, 'eth_a', [1], quantity), call(endpoint, 'eth_b', [], quantity)]);
    const [first, second] = node.calls;
    expect(first).toMatchObject({ jsonrpc: '2.0', method: 'eth_a', params: [1] });
    expect(second?.id).not.toBe(first?.id);
  });

  test.each<[string, Answer, string]>([
    ['an error', { error: { code: -32005, message: 'limit exceeded' } }, 'error -32005, limit exceeded'],
    ['an HTTP error', { status: 503, body: 'busy' }, 'HTTP status 503'],
    [
      'an HTTP error with a JSON-RPC one',
      { status: 429, body: '{"error":{"code":-32029,"message":"slow down"}}' },
      'error -32029, slow down',
    ],
    ['no JSON', { status: 200, body: '<html>' }, 'the answer is not JSON-RPC'],
    [
      'the answer to another question',
      { result: '0x1', id: 'other' },
      'the answer has the id of another question',
    ],
    ['a value that does not decode', { result: 'ten' }, 'result: expected a hex quantity'],
    ['no result at all', { result: undefined }, 'result: expected a hex quantity'],
    ['a broken connection', { hangUp: true }, 'not reached ('],
  ])('that is answered with %s is refused with host, method and parameters', async (_, answer, message) => {
    await expect(calling(answer)).rejects.toThrow(message);
    await expect(calling(answer)).rejects.toThrow(/^127\.0\.0\.1:\d+: eth_test 0x1 false: /);
  });

  test('names where in a result something is wrong', async () => {
    const schema = z.array(z.object({ gasUsed: quantity }));
    await expect(calling({ result: [{ gasUsed: '0x1' }, { gasUsed: null }] }, schema)).rejects.toThrow(
      'result[1][gasUsed]: expected a hex quantity',
    );
  });

  test('to a port where nobody listens says so', async () => {
    const node = await startJsonRpcServer(() => ({ result: null }));
    await node[Symbol.asyncDispose]();
    await expect(call(endpointOf(ethereum, node.url), 'eth_test', [], quantity)).rejects.toThrow(
      'not reached (ECONNREFUSED)',
    );
  });
});
