import { measureLatency, measureLimits, percentile, shownRate } from '../../../cli/doctor/speed.ts';

test('a percentile is one of the values, that so many do not exceed', () => {
  const values = [50, 10, 40, 20, 30];
  expect([0, 0.5, 0.8, 0.81, 1].map((share) => percentile(values, share))).toEqual([10, 30, 40, 50, 50]);
});

test('latency is measured one call at a time, each with an index of its own', async () => {
  const asked: number[] = [];
  let under = 0;
  const { median_ms, p95_ms } = await measureLatency(5, async (index) => {
    asked.push(index);
    under += 1;
    expect(under).toBe(1);
    await Promise.resolve();
    under -= 1;
  });
  expect(asked).toEqual([0, 1, 2, 3, 4]);
  expect(p95_ms).toBeGreaterThanOrEqual(median_ms);
});

/** An endpoint that takes a turn of the event loop to answer, and refuses the first call above so many at once. */
function endpoint(mostAtOnce: number) {
  let under = 0;
  let most = 0;
  let calls = 0;
  let hasRefused = false;
  const ask = async () => {
    calls += 1;
    under += 1;
    most = Math.max(most, under);
    const isRefused = under > mostAtOnce && !hasRefused;
    hasRefused ||= isRefused;
    await new Promise(setImmediate);
    under -= 1;
    if (isRefused) throw new Error('too many');
  };
  return { ask, told: () => ({ most, calls }) };
}
const reasonOf = (error: unknown) => String(error);

test('calls at once are raised to 32, and no level is held for more than 16 rounds', async () => {
  const { ask, told } = endpoint(32);
  const limits = await measureLimits(ask, reasonOf);
  expect(limits).not.toHaveProperty('refused');
  expect(limits.calls_per_second).toBeGreaterThan(0);
  expect(told().most).toBe(32);
  expect(told().calls).toBeLessThanOrEqual(63 * 17);
});

test('it stops at the first refusal, tells of it, and gives the best rate before', async () => {
  const { ask, told } = endpoint(5);
  const { refused, calls_at_once, calls_per_second } = await measureLimits(ask, reasonOf);
  expect(refused).toEqual({ calls_at_once: 8, reason: 'Error: too many' });
  expect([1, 2, 4]).toContain(calls_at_once);
  expect(calls_per_second).toBeGreaterThan(0);
  expect(told().most).toBe(8);
  // Those that were not refused call no more: 16, 32 and 64 calls before, and eight.
  expect(told().calls).toBeLessThan(140);
});

test('one that refuses the first call gives no rate', async () => {
  expect(await measureLimits(endpoint(0).ask, reasonOf)).toEqual({
    ...{ calls_at_once: 0, calls_per_second: 0 },
    refused: { calls_at_once: 1, reason: 'Error: too many' },
  });
});

test('an error that is none of the endpoint’s is thrown', async () => {
  const rethrow = (error: unknown) => {
    throw error;
  };
  await expect(measureLimits(endpoint(0).ask, rethrow)).rejects.toThrow('too many');
});

test('rates have as many digits as matter', () => {
  expect([0.1666, 4.08, 41.6, 4084.7].map(shownRate)).toEqual(['0.17', '4.1', '42', '4,085']);
});
