import { systemClock } from '../../lambda/clock.ts';

const never = new AbortController().signal;
const reason = new Error('out of time');

test('now is the time of this machine', () => {
  const before = Date.now();
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test('a sleep ends by itself, at once where the time is over already', async () => {
  await systemClock.sleep(1, never);
  await systemClock.sleep(-1_000, never);
});

test('a sleep rejects with the reason of its signal, as it is, when that aborts', async () => {
  const end = new AbortController();
  const slept = systemClock.sleep(3_600_000, end.signal);
  end.abort(reason);
  await expect(slept).rejects.toBe(reason);
});

test('a sleep rejects at once when its signal has aborted before', async () => {
  await expect(systemClock.sleep(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('a sleep that is longer than a timer can be does not end at once', async () => {
  const end = new AbortController();
  const slept = systemClock.sleep(Number.MAX_SAFE_INTEGER, end.signal);
  await systemClock.sleep(5, never);
  end.abort(reason);
  await expect(slept).rejects.toBe(reason);
});

test('jitter leaves between half of a time and all of it', () => {
  const times = Array.from({ length: 1_000 }, () => systemClock.jitter(1_000));
  expect(Math.min(...times)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...times)).toBeLessThanOrEqual(1_000);
  expect(new Set(times).size).toBeGreaterThan(100);
});
