import { systemClock } from '#core/clock.ts';

const never = new AbortController().signal;
const reason = new Error('out of time');

test('sleep resolves after its time, and at once for a past time', async () => {
  await systemClock.sleep(1, never);
  await systemClock.sleep(-1_000, never);
});

test('sleep rejects with the reason of its signal when it aborts', async () => {
  const end = new AbortController();
  const slept = systemClock.sleep(3_600_000, end.signal);
  end.abort(reason);
  await expect(slept).rejects.toBe(reason);
});

test('sleep lasts longer than a timer of Node can, which would end at once', async () => {
  const end = new AbortController();
  const slept = systemClock.sleep(2 ** 31, end.signal);
  await systemClock.sleep(5, never);
  end.abort(reason);
  await expect(slept).rejects.toBe(reason);
});

test('jitter returns between half of a time and all of it', () => {
  const times = Array.from({ length: 1_000 }, () => systemClock.jitter(1_000));
  const [least, most] = [Math.min(...times), Math.max(...times)];
  expect(least).toBeGreaterThanOrEqual(500);
  expect(least).toBeLessThan(550);
  expect(most).toBeGreaterThan(950);
  expect(most).toBeLessThanOrEqual(1_000);
  expect(new Set(times).size).toBeGreaterThan(100);
});
