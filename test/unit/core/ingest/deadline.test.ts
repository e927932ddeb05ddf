import { OutOfTimeError, withDeadline } from '../../../../core/ingest/deadline.ts';
import { fastClock } from '../../../support/clock.ts';

const AN_HOUR = 3_600_000;
const never = new Promise<never>(() => {});

test('returns the result of work that ends in time', async () => {
  const clock = fastClock();
  expect(await withDeadline({ stopAt: clock.now() + AN_HOUR }, clock, async () => 5)).toBe(5);
});

test('rejects with the error of the work', async () => {
  const clock = fastClock();
  const work = () => Promise.reject(new TypeError('a bug'));
  await expect(withDeadline({ stopAt: clock.now() + AN_HOUR }, clock, work)).rejects.toThrow('a bug');
});

test('aborts the work when its time is over, and lets it save', async () => {
  const clock = fastClock();
  const stopAt = clock.now() + 60_000;
  const saved = withDeadline({ stopAt }, clock, async (signal) => {
    await expect(clock.sleep(AN_HOUR, signal)).rejects.toThrow(OutOfTimeError);
    await clock.sleep(5_000, new AbortController().signal);
    return 'saved';
  });
  expect(await saved).toBe('saved');
});

test('abandons work that takes too long to save', async () => {
  const clock = fastClock();
  await expect(withDeadline({ stopAt: clock.now() + 60_000 }, clock, () => never)).rejects.toThrow(
    OutOfTimeError,
  );
});

test.each([
  ['is aborted during the work', (end: AbortController) => void setImmediate(() => end.abort())],
  ['was aborted before', (end: AbortController) => end.abort()],
])('ends like its time when its signal %s', async (_, abort) => {
  const clock = fastClock();
  const end = new AbortController();
  abort(end);
  const work = (signal: AbortSignal) => clock.sleep(AN_HOUR, signal);
  const done = withDeadline({ stopAt: clock.now() + AN_HOUR, signal: end.signal }, clock, work);
  await expect(done).rejects.toThrow(OutOfTimeError);
});

test('aborts what the work left running', async () => {
  const clock = fastClock();
  let left: Promise<unknown> = never;
  await withDeadline({ stopAt: clock.now() + AN_HOUR }, clock, async (signal) => {
    left = clock.sleep(AN_HOUR, signal).catch((error: unknown) => error);
  });
  expect(await left).toEqual(new Error('The run is over'));
});
