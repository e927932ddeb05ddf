import { formatCallRate, measureLatency, measureLimits } from '#cli/doctor/speed.ts';

test('measures latency one call at a time, with a new index for each', async () => {
  const indexes: number[] = [];
  let active = 0;
  const latency = await measureLatency(5, async (index) => {
    indexes.push(index);
    active += 1;
    expect(active).toBe(1);
    await Promise.resolve();
    active -= 1;
  });
  expect(indexes).toEqual([0, 1, 2, 3, 4]);
  expect(latency).toBeGreaterThanOrEqual(0);
});

/** Simulates an endpoint that fails the first call above a number of concurrent calls. */
function endpoint(mostAtOnce: number) {
  let active = 0;
  let most = 0;
  let calls = 0;
  let hasRefused = false;
  const call = async () => {
    calls += 1;
    active += 1;
    most = Math.max(most, active);
    const isRefused = active > mostAtOnce && !hasRefused;
    hasRefused ||= isRefused;
    await new Promise(setImmediate);
    active -= 1;
    if (isRefused) throw new Error('too many');
  };
  return { call, counts: () => ({ most, calls }) };
}
const reasonOf = (error: unknown) => String(error);

test('raises the concurrency to 64, with at most 16 rounds per level', async () => {
  const { call, counts } = endpoint(64);
  const limits = await measureLimits(call, reasonOf);
  expect(limits).not.toHaveProperty('refused');
  expect(limits.calls_per_second).toBeGreaterThan(0);
  expect(counts().most).toBe(64);
  expect(counts().calls).toBeLessThanOrEqual(127 * 17);
});

test('stops at the first failure and reports the best rate before it', async () => {
  const { call, counts } = endpoint(5);
  const { refused, calls_at_once, calls_per_second } = await measureLimits(call, reasonOf);
  expect(refused).toEqual({ calls_at_once: 8, reason: 'Error: too many' });
  expect([1, 2, 4]).toContain(calls_at_once);
  expect(calls_per_second).toBeGreaterThan(0);
  expect(counts().most).toBe(8);
  // 16 + 32 + 64 calls at the lower levels, then 8: no calls follow the failure.
  expect(counts().calls).toBeLessThan(140);
});

test('reports no rate when the first call fails', async () => {
  expect(await measureLimits(endpoint(0).call, reasonOf)).toEqual({
    calls_at_once: 0,
    calls_per_second: 0,
    refused: { calls_at_once: 1, reason: 'Error: too many' },
  });
});

test('throws errors that the endpoint did not cause', async () => {
  const rethrow = (error: unknown) => {
    throw error;
  };
  await expect(measureLimits(endpoint(0).call, rethrow)).rejects.toThrow('too many');
});

test('formats rates below 10 with two significant digits', () => {
  expect([0.1666, 4.08, 41.6, 4084.7].map(formatCallRate)).toEqual(['0.17', '4.1', '42', '4,085']);
});
