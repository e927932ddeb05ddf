import * as z from 'zod/mini';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { fromAnyEndpoint } from '../../../lambda/rpc/any-endpoint.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { call } from '../../../lambda/rpc/json-rpc.ts';
import {
  type Answer,
  type Call,
  type JsonRpcServer,
  startJsonRpcServer,
} from '../../support/json-rpc-server.ts';

const ethereum = chainOf('ETHEREUM');

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
