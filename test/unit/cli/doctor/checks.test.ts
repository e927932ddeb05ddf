import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { findOldest, measureLimits } from '#cli/doctor/checks.ts';
import { chainOf } from '#core/chains/chains.ts';
import { EndpointError, endpointOf, type FaultKind } from '#core/rpc/endpoint.ts';

const endpoint = endpointOf(chainOf('ETHEREUM'), 'https://a.example');
const fault = (kind: FaultKind) => new EndpointError(endpoint, kind, kind);

test('finds the oldest available block by binary search, though genesis is available', async () => {
  const heads = fc.integer({ min: 1, max: 400_000_000 });
  await fc.assert(
    fc.asyncProperty(heads, heads, async (a, b) => {
      const [first, head] = [Math.min(a, b), Math.max(a, b)];
      let requests = 0;
      const { oldest, reason } = await findOldest({ number: head }, async (number) => {
        requests += 1;
        if (number > 0 && number < first) throw fault('unavailable');
        return { number };
      });
      expect(oldest.number).toBe(first);
      expect(reason).toBe(first > 1 ? 'a.example: unavailable' : undefined);
      expect(requests).toBeLessThanOrEqual(Math.ceil(Math.log2(head + 1)) + 1);
    }),
  );
});

test('does not take a timeout for a missing block', async () => {
  const read = () => Promise.reject(fault('timeout'));
  await expect(findOldest({ number: 9 }, read)).rejects.toThrow('a.example: timeout');
});

/** Simulates an endpoint that refuses each call above a number of concurrent calls. */
function node(mostAtOnce: number, error: Error = fault('rate limit')) {
  let [active, most] = [0, 0];
  const call = async () => {
    active += 1;
    most = Math.max(most, active);
    const isRefused = active > mostAtOnce;
    await sleep(1);
    active -= 1;
    if (isRefused) throw error;
  };
  return { call, most: () => most };
}

test('raises the concurrency to 64', async () => {
  const { call, most } = node(64);
  const limits = await measureLimits(call);
  expect(limits.calls_per_second).toBeGreaterThan(0);
  expect(most()).toBe(64);
});

test('stops at the rate that the URL of the endpoint allows', async () => {
  const { call, most } = node(64);
  expect(await measureLimits(call, 10)).toEqual({ calls_at_once: 1, calls_per_second: 10 });
  expect(most()).toBe(1);
});

test('stops at the first refusal and reports the best rate before it', async () => {
  const { call, most } = node(5);
  const { calls_at_once, calls_per_second } = await measureLimits(call);
  expect([1, 2, 4]).toContain(calls_at_once);
  expect(calls_per_second).toBeGreaterThan(0);
  expect(most()).toBe(8);
});

test('throws when the first call fails, and errors that the endpoint did not cause', async () => {
  await expect(measureLimits(node(0).call)).rejects.toThrow('a.example: rate limit');
  await expect(measureLimits(node(0, new Error('a bug')).call)).rejects.toThrow('a bug');
});
