import { rpcOnce, slowRpc } from '../../../cli/doctor/slow-rpc.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { endpointOf } from '../../../lambda/rpc/endpoint.ts';
import { getChainId } from '../../../lambda/rpc/methods.ts';
import { steppedClock } from '../../support/clock.ts';
import { type Answer, startJsonRpcServer } from '../../support/json-rpc-server.ts';

const never = new AbortController().signal;
const endpointAt = ({ url }: { readonly url: string }) => endpointOf(chainOf('ETHEREUM'), url);

test('silence is not waited for longer than somebody who looks on would', async () => {
  await using server = await startJsonRpcServer(() => ({ hang: true }));
  await expect(getChainId(rpcOnce(endpointAt(server), never, 50))).rejects.toMatchObject({
    kind: 'timeout',
    message: `${server.host}: eth_chainId: no answer within 0.05 s`,
  });
});

test('Ctrl-C ends a call that is under way, and is no fault of the endpoint', async () => {
  const interruption = new AbortController();
  await using server = await startJsonRpcServer(() => {
    interruption.abort(new Error('Ctrl-C'));
    return { hang: true };
  });
  await expect(getChainId(rpcOnce(endpointAt(server), interruption.signal))).rejects.toThrow('Ctrl-C');
});

test('a hiccup is not taken for how an endpoint is', async () => {
  const answers: Answer[] = [{ status: 429, body: '' }, { result: '0x1' }];
  await using server = await startJsonRpcServer(() => answers.shift() ?? { hangUp: true });
  const clock = steppedClock();
  expect(await getChainId(slowRpc(endpointAt(server), never, clock))).toBe(1n);
  expect(clock.slept).toEqual([500]);
});

test('one that cannot be reached is asked three times, with pauses', async () => {
  const server = await startJsonRpcServer(() => ({ hang: true }));
  await server[Symbol.asyncDispose]();
  const clock = steppedClock();
  await expect(getChainId(slowRpc(endpointAt(server), never, clock))).rejects.toMatchObject({
    kind: 'not reached',
  });
  expect(clock.slept).toEqual([500, 2_000]);
});

test('what an endpoint declines is asked once', async () => {
  await using server = await startJsonRpcServer(() => ({
    error: { code: -32601, message: 'no such method' },
  }));
  await expect(getChainId(slowRpc(endpointAt(server), never))).rejects.toMatchObject({
    kind: 'RPC error',
  });
  expect(server.calls).toHaveLength(1);
});
