import { retryingRpc, singleTryRpc } from '#cli/doctor/rpc.ts';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { getChainId } from '#core/rpc/methods.ts';
import { steppedClock } from '#test/support/clock.ts';
import { type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';

const never = new AbortController().signal;
const endpointAt = ({ url }: { readonly url: string }) => endpointOf(chainOf('ETHEREUM'), url);

test('times out a call without a response', async () => {
  await using server = await startJsonRpcServer(() => ({ hang: true }));
  await expect(getChainId(singleTryRpc(endpointAt(server), never, 50))).rejects.toMatchObject({
    kind: 'timeout',
    message: `${server.host}: eth_chainId: no response within 0.05 s`,
  });
});

test('aborts a call on Ctrl-C without blaming the endpoint', async () => {
  const interruption = new AbortController();
  await using server = await startJsonRpcServer(() => {
    interruption.abort(new Error('Ctrl-C'));
    return { hang: true };
  });
  await expect(getChainId(singleTryRpc(endpointAt(server), interruption.signal))).rejects.toThrow('Ctrl-C');
});

test('retries a rate limit after a pause', async () => {
  const answers: NodeResponse[] = [{ status: 429, body: '' }, { result: '0x1' }];
  await using server = await startJsonRpcServer(() => answers.shift() ?? { hangUp: true });
  const clock = steppedClock();
  expect(await getChainId(retryingRpc(endpointAt(server), never, clock))).toBe(1n);
  expect(clock.slept).toEqual([500]);
});

test('tries an unreachable endpoint three times, with pauses', async () => {
  const server = await startJsonRpcServer(() => ({ hang: true }));
  await server[Symbol.asyncDispose]();
  const clock = steppedClock();
  await expect(getChainId(retryingRpc(endpointAt(server), never, clock))).rejects.toMatchObject({
    kind: 'unreachable',
  });
  expect(clock.slept).toEqual([500, 2_000]);
});

test('does not retry an RPC error', async () => {
  await using server = await startJsonRpcServer(() => ({
    error: { code: -32000, message: 'pruned history' },
  }));
  await expect(getChainId(retryingRpc(endpointAt(server), never))).rejects.toMatchObject({
    kind: 'unavailable',
  });
  expect(server.calls).toHaveLength(1);
});
