import { systemClock } from '#core/clock.ts';
import { inTime, OutOfTimeError, type RequestContext, withDeadline, within } from '#core/rpc/deadline.ts';
import { fastClock, steppedClock, turns } from '#test/support/clock.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';

const AN_HOUR = 3_600_000;
const never = new Promise<never>(() => {});

describe('withDeadline', () => {
  test('aborts the work when its time is over, and lets it save', async () => {
    const clock = fastClock();
    const stopAt = clock.now() + 60_000;
    const saved = withDeadline({ stopAt }, clock, async (signal) => {
      const reason = await clock.sleep(AN_HOUR, signal).catch((error: unknown) => error);
      await turns(1);
      return reason;
    });
    expect(await saved).toBeInstanceOf(OutOfTimeError);
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

  test('gives the work ten seconds to save, and then abandons it', async () => {
    const clock = steppedClock();
    const done = withDeadline({ stopAt: clock.now() + 60_000 }, clock, () => never);
    await expect(done).rejects.toThrow(OutOfTimeError);
    expect(clock.slept).toEqual([60_000, 10_000]);
  });

  test('aborts what the work left running', async () => {
    const clock = fastClock();
    let left: Promise<unknown> = never;
    await withDeadline({ stopAt: clock.now() + AN_HOUR }, clock, async (signal) => {
      left = clock.sleep(AN_HOUR, signal).catch((error: unknown) => error);
    });
    expect(await left).toEqual(new Error('The run is over'));
  });
});

/** Answers after some turns of the event loop. */
const answering = (count: number, answer: string) => turns(count).then(() => answer);
/** Reads a good answer: a host, and what it says. */
function read(answer: string) {
  const [host = '', says] = answer.split(' ');
  return says === undefined ? undefined : { host, says };
}

/** A clock whose sleeps take ten turns of the event loop. */
function slowClock() {
  const clock = steppedClock();
  const sleep = async (ms: number, signal: AbortSignal) => {
    await clock.sleep(ms, signal);
    await turns(10, signal);
  };
  return { ...clock, sleep };
}
const wait = (requests: readonly Promise<string>[], enough: number, clock = slowClock()) =>
  inTime(requestContextWith({ clock }), requests, read, enough);

describe('inTime', () => {
  test('waits three seconds for the others once enough hosts agree', async () => {
    const clock = slowClock();
    const requests = [
      answering(1, 'a 1'),
      never,
      answering(2, 'b 1'),
      answering(7, 'c 2'),
      answering(50, 'd 1'),
    ];
    expect(await wait(requests, 2, clock)).toEqual(['a 1', undefined, 'b 1', 'c 2', undefined]);
    expect(clock.slept).toEqual([3_000]);
  });

  test.each([
    ['an answer that is not good', [answering(1, 'a 1'), answering(2, 'no'), answering(90, 'b 1')]],
    ['two answers of one host', [answering(1, 'a 1'), answering(2, 'a 1'), answering(90, 'b 1')]],
    ['a host that contradicts another', [answering(1, 'a 1'), answering(2, 'c 2'), answering(90, 'b 1')]],
  ])('does not count %s', async (_, requests) => {
    expect((await wait(requests, 2)).at(-1)).toBe('b 1');
  });

  test('returns answers that do not change when later ones come', async () => {
    const late = answering(50, 'c 1');
    const answers = await wait([answering(1, 'a 1'), answering(2, 'b 1'), late], 2);
    await late;
    expect(answers).toEqual(['a 1', 'b 1', undefined]);
  });

  test('rejects with the reason of its signal while it waits for the others', async () => {
    const end = new AbortController();
    const context = requestContextWith({ clock: slowClock(), signal: end.signal });
    const waiting = inTime(context, [answering(1, 'a 1'), never], read, 1);
    await turns(5);
    end.abort(new Error('out of time'));
    await expect(waiting).rejects.toThrow('out of time');
  });
});

describe('within', () => {
  /** A run that works until it is aborted, with a clock that does not move. */
  function openRun() {
    const end = new AbortController();
    const limit = Promise.withResolvers<void>();
    const clock = { ...steppedClock(), sleep: () => limit.promise };
    const context = requestContextWith({ clock, signal: end.signal });
    const sleep = ({ signal }: RequestContext) => systemClock.sleep(AN_HOUR, signal);
    const work = (task = sleep) => within(context, 60_000, task);
    const endRun = () => end.abort(new Error('the run is over'));
    return { work, endRun, endLimit: limit.resolve };
  }

  test('returns undefined when its own time is over, also after the end of the run', async () => {
    const during = openRun();
    const limited = during.work();
    during.endLimit();
    expect(await limited).toBeUndefined();
    const after = openRun();
    after.endRun();
    const saved = after.work();
    after.endLimit();
    expect(await saved).toBeUndefined();
  });

  test('rejects with the reason of a run that ends, even if its own time is over too', async () => {
    const { work, endRun, endLimit } = openRun();
    const [one, both] = [work(), work()];
    endRun();
    await expect(one).rejects.toThrow('the run is over');
    endLimit();
    await expect(both).rejects.toThrow('the run is over');
  });

  test('rejects with an error of the work', async () => {
    const failed = openRun().work(() => Promise.reject(new RangeError('ours')));
    await expect(failed).rejects.toThrow(RangeError);
  });
});
