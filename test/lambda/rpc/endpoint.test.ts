import * as z from 'zod/mini';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { quantity } from '../../../lambda/rpc/decode.ts';
import { call, endpointOf, fromAnyEndpoint } from '../../../lambda/rpc/endpoint.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';

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

describe('of several endpoints', () => {
  const answers =
    (name: string) =>
    (call: Call): Answer =>
      call.method === 'eth_chainId' ? { result: '0x1' } : { result: name };
  const ask = (nodes: readonly JsonRpcServer[], accept: (name: string) => boolean) =>
    fromAnyEndpoint(
      nodes.map(({ url }) => endpointOf(ethereum, url)),
      'the name',
      async (endpoint) => {
        const name = await call(endpoint, 'get_name', [], z.string());
        if (!accept(name)) throw new BlockError({ chain: 'ETHEREUM', block: 7 }, `is named ${name}`);
        return name;
      },
    );

  test('the first that is accepted answers, and those after it are left alone', async () => {
    await using a = await startJsonRpcServer(answers('a'));
    await using b = await startJsonRpcServer(answers('b'));
    await using c = await startJsonRpcServer(answers('c'));
    expect(await ask([a, b, c], (name) => name !== 'a')).toBe('b');
    expect(c.calls).toEqual([]);
  });

  test('when none is accepted, the reason of each is given', async () => {
    await using a = await startJsonRpcServer(answers('a'));
    await using b = await startJsonRpcServer(() => ({ status: 500, body: '' }));
    await expect(ask([a, b], () => false)).rejects.toThrow(
      `no endpoint gave a valid answer for the name. ${a.host}: ETHEREUM block 7: is named a. ${b.host}: eth_chainId: HTTP status 500`,
    );
  });

  test('each is asked once which chain it is on, and again after it could not say', async () => {
    let ready = false;
    await using node = await startJsonRpcServer((call) =>
      ready ? answers('a')(call) : { status: 503, body: '' },
    );
    const endpoints = [endpointOf(ethereum, node.url)];
    const askForChain = () => fromAnyEndpoint(endpoints, 'it', async () => 'fine');
    await expect(askForChain()).rejects.toThrow('HTTP status 503');
    ready = true;
    await Promise.all([askForChain(), askForChain()]);
    await askForChain();
    expect(node.calls).toHaveLength(2);
  });

  test('a mistake of our own is not taken for a refusal', async () => {
    await using a = await startJsonRpcServer(answers('a'));
    const mistake = () => Promise.reject(new RangeError('ours'));
    await expect(fromAnyEndpoint([endpointOf(ethereum, a.url)], 'it', mistake)).rejects.toThrow(RangeError);
  });
});
