import { chainOf } from '#core/chains/chains.ts';
import type { RequestContext } from '#core/rpc/deadline.ts';
import { decodeQuantity } from '#core/rpc/http/decode.ts';
import { CoolingDownError, recordedRpc } from '#core/rpc/paced-call.ts';
import type { Upstream } from '#core/rpc/upstream.ts';
import { steppedClock } from '#test/support/clock.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf } from '#test/support/nodes/source.ts';

/* Proves when an endpoint is called. failover.test.ts proves what follows from its answers. */

/** Makes three calls, one after the other, to an endpoint that allows 16 a second. */
async function callThrice(given: Partial<RequestContext> = {}) {
  const clock = steppedClock();
  await using node = await startJsonRpcServer(() => ({ result: '0x1' }));
  const upstreams = upstreamsOf(chainOf('BSC'), [{ url: `${node.url}#16/s` }]);
  const rpc = recordedRpc(requestContextWith({ clock, ...given }), upstreams[0] as Upstream);
  const errors: unknown[] = [];
  for (let made = 0; made < 3; made++)
    await rpc('eth_test', [], decodeQuantity).catch((error) => errors.push(error));
  return { slept: clock.slept, calls: node.calls.length, errors };
}

test('calls are a sixteenth of a second apart where 16 a second are allowed', async () => {
  expect(await callThrice()).toEqual({ slept: [62.5, 62.5], calls: 3, errors: [] });
});

test('a run that may not wait makes no call before its turn', async () => {
  const { slept, calls, errors } = await callThrice({ mayWait: () => false });
  expect([slept, calls]).toEqual([[], 1]);
  expect(errors).toEqual([expect.any(CoolingDownError), expect.any(CoolingDownError)]);
});
