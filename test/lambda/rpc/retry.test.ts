import * as z from 'zod/mini';
import { BlockError } from '../../../lambda/chains/block-error.ts';
import { chainOf } from '../../../lambda/chains/chains.ts';
import { systemClock } from '../../../lambda/clock.ts';
import { NEW_HEALTH } from '../../../lambda/rpc/circuit-breaker.ts';
import type { Rpc } from '../../../lambda/rpc/json-rpc.ts';
import { NoEndpointError, type RequestContext, requestWithRetry } from '../../../lambda/rpc/retry.ts';
import { setHealth, type Upstream } from '../../../lambda/rpc/upstream.ts';
import { steppedClock, turns } from '../../support/clock.ts';
import { type Answer, startJsonRpcServer } from '../../support/json-rpc-server.ts';
import { askingWith, upstreamsOf } from '../../support/source.ts';

const ethereum = chainOf('ETHEREUM');

const startNamed = (name: string) => startJsonRpcServer(() => ({ result: name }));
const startFailing = (status: number, headers = {}) =>
  startJsonRpcServer(() => ({ status, body: '', headers }));

const getName = (rpc: Rpc, ...params: unknown[]) => rpc('get_name', params, z.string());

/** Asks for a name, and takes it or not. */
const askForName = (
  upstreams: readonly Upstream[],
  given: Partial<RequestContext> = {},
  accept: (name: string) => boolean = () => true,
) =>
  requestWithRetry(askingWith({ clock: steppedClock(), ...given }), upstreams, 'the name', async (rpc) => {
    const name = await getName(rpc);
    if (!accept(name)) throw new BlockError({ chain: 'ETHEREUM', block: 7 }, `is named ${name}`);
    return name;
  });

const reasonsOf = (asked: Promise<unknown>): Promise<readonly string[]> =>
  asked.then(
    () => [],
    (error) => {
      if (error instanceof NoEndpointError) return error.reasons;
      throw error;
    },
  );

describe('of several endpoints', () => {
  test('the first that is accepted answers, and those after it are left alone', async () => {
    await using a = await startNamed('a');
    await using b = await startNamed('b');
    await using c = await startNamed('c');
    const clock = steppedClock();
    expect(await askForName(upstreamsOf(ethereum, [a, b, c]), { clock }, (name) => name !== 'a')).toBe('b');
    expect(c.calls).toEqual([]);
    expect(clock.slept).toEqual([]);
  });

  test('the question is told which host answers it', async () => {
    await using a = await startFailing(500);
    await using b = await startNamed('b');
    const context = askingWith({ clock: steppedClock() });
    const host = await requestWithRetry(
      context,
      upstreamsOf(ethereum, [a, b]),
      'the host',
      async (rpc, host) => {
        await getName(rpc);
        return host;
      },
    );
    expect(host).toBe(b.host);
  });

  test('when none is accepted, the reason of each is given', async () => {
    await using a = await startNamed('a');
    await using b = await startFailing(500);
    await expect(askForName(upstreamsOf(ethereum, [a, b]), {}, () => false)).rejects.toThrow(
      `no endpoint gave a valid answer for the name. ${a.host}: ETHEREUM block 7: is named a. ${b.host}: get_name: HTTP status 500`,
    );
  });

  test('all are asked three times, with a growing pause in between', async () => {
    await using a = await startFailing(500);
    await using b = await startFailing(500);
    const clock = steppedClock();
    expect(await reasonsOf(askForName(upstreamsOf(ethereum, [a, b]), { clock }))).toHaveLength(2);
    expect([a.calls.length, b.calls.length]).toEqual([3, 3]);
    expect(clock.slept).toEqual([1_000, 4_000]);
  });

  test('an answer that comes only when all are asked again is taken', async () => {
    let asked = 0;
    const answer = (): Answer => (++asked < 3 ? { status: 503, body: '' } : { result: 'late' });
    await using node = await startJsonRpcServer(answer);
    const clock = steppedClock();
    expect(await askForName(upstreamsOf(ethereum, [node]), { clock })).toBe('late');
    expect(clock.slept).toEqual([1_000, 4_000]);
  });

  test('a mistake of our own is not taken for a refusal', async () => {
    await using a = await startNamed('a');
    const upstreams = upstreamsOf(ethereum, [a, a]);
    const onFault = jest.fn();
    const mistake = requestWithRetry(askingWith({ onFault }), upstreams, 'it', () =>
      Promise.reject(new RangeError('ours')),
    );
    await expect(mistake).rejects.toThrow(RangeError);
    expect(onFault).not.toHaveBeenCalled();
    expect(upstreams[0]?.health).toEqual(NEW_HEALTH);
    expect(upstreams[0]?.fault).toBeUndefined();
  });
});

describe('an endpoint that wants to be left alone', () => {
  test('is not asked, and another is', async () => {
    await using limited = await startFailing(429, { 'retry-after': '60' });
    await using other = await startNamed('other');
    const upstreams = upstreamsOf(ethereum, [limited, other]);
    const context = askingWith({ clock: steppedClock() });
    const asked: string[] = [];
    for (let times = 0; times < 3; times++) {
      await requestWithRetry(context, upstreams, 'the name', (rpc, host) => {
        asked.push(host);
        return getName(rpc);
      });
    }
    expect(asked).toEqual([limited.host, other.host, other.host, other.host]);
    expect([limited.calls.length, other.calls.length]).toEqual([1, 3]);
  });

  test('is waited for and asked again, where no other answers', async () => {
    let isFirst = true;
    await using node = await startJsonRpcServer(() => {
      if (!isFirst) return { result: 'a' };
      isFirst = false;
      return { status: 429, body: '', headers: { 'retry-after': '25' } };
    });
    const clock = steppedClock();
    expect(await askForName(upstreamsOf(ethereum, [node]), { clock })).toBe('a');
    expect(clock.slept).toEqual([25_000]);
  });

  test('is waited for as often as it asks for that: only being refused counts', async () => {
    await using node = await startNamed('a');
    const [upstream] = upstreamsOf(ethereum, [node]);
    if (!upstream) throw new Error('there is one');
    const stepped = steppedClock();
    const pause = () => setHealth(upstream, { ...upstream.health, coolingDownUntil: stepped.now() + 20_000 });
    const clock = {
      ...stepped,
      sleep: async (ms: number, signal: AbortSignal) => {
        await stepped.sleep(ms, signal);
        if (stepped.slept.length < 10) pause();
      },
    };
    pause();
    expect(await askForName([upstream], { clock })).toBe('a');
    expect(stepped.slept).toEqual(Array.from({ length: 10 }, () => 20_000));
  });

  test('is not waited for when that takes longer than two minutes, and its reason is given, then and later', async () => {
    await using node = await startFailing(429, { 'retry-after': '121' });
    const upstreams = upstreamsOf(ethereum, [node]);
    const clock = steppedClock();
    const fault = `${node.host}: get_name: HTTP status 429`;
    expect(await reasonsOf(askForName(upstreams, { clock }))).toEqual([fault]);
    expect(await reasonsOf(askForName(upstreams, { clock }))).toEqual([
      `${node.host}: left alone until 2026-11-20T00:02:01.000Z, after ${fault}`,
    ]);
    expect(clock.slept).toEqual([]);
    expect(node.calls).toHaveLength(1);
  });

  test('is not waited for as long when it is for faults, or limits whatever is tried', async () => {
    await using broken = await startFailing(500);
    await using limited = await startFailing(429);
    const clock = steppedClock();
    for (const node of [broken, limited]) {
      const upstreams = upstreamsOf(ethereum, [node]);
      for (let times = 0; times < 9; times++) await reasonsOf(askForName(upstreams, { clock }));
    }
    expect(Math.max(...clock.slept)).toBeLessThanOrEqual(30_000);
  });

  test('has its reason beside those of the others', async () => {
    await using limited = await startFailing(429, { 'retry-after': '300' });
    await using failing = await startFailing(500);
    const upstreams = upstreamsOf(ethereum, [limited, failing]);
    const clock = steppedClock();
    await reasonsOf(askForName(upstreams.slice(0, 1), { clock }));
    expect(await reasonsOf(askForName(upstreams, { clock }))).toEqual([
      `${limited.host}: left alone until 2026-11-20T00:05:00.000Z, after ${limited.host}: get_name: HTTP status 429`,
      `${failing.host}: get_name: HTTP status 500`,
    ]);
    expect([limited.calls.length, failing.calls.length]).toEqual([1, 3]);
  });

  test('is spared also the calls that wait for their turn, which go to another', async () => {
    const answered = Promise.withResolvers<Answer>();
    await using limited = await startJsonRpcServer(() => answered.promise);
    await using other = await startNamed('other');
    const upstreams = upstreamsOf(ethereum, [limited, other]);
    for (const upstream of upstreams.slice(0, 1)) setHealth(upstream, { ...upstream.health, concurrency: 1 });
    const clock = steppedClock();
    const asked = Array.from({ length: 10 }, () => askForName(upstreams, { clock }));
    answered.resolve({ status: 429, body: '' });
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['other']));
    expect(limited.calls).toHaveLength(1);
  });
});

test('many questions to the only endpoint are all answered, however few calls it allows in a second', async () => {
  const clock = steppedClock();
  const allowed = new Map<number, number>();
  await using node = await startJsonRpcServer(() => {
    const second = Math.floor(clock.now() / 1_000);
    const left = allowed.get(second) ?? 3;
    allowed.set(second, left - 1);
    return left > 0 ? { result: 'a' } : { status: 429, body: '', headers: { 'retry-after': '1' } };
  });
  const upstreams = upstreamsOf(ethereum, [node]);
  const asked = Array.from({ length: 32 }, () => askForName(upstreams, { clock }));
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 32 }, () => 'a'));
});

describe('an endpoint that does not have what it is asked for', () => {
  const errorOf = (answers: readonly Answer[]) =>
    answered(answers).then(
      () => undefined,
      (error: NoEndpointError) => error,
    );
  async function answered(answers: readonly Answer[]) {
    const left = [...answers];
    await using node = await startJsonRpcServer(() => left.shift() ?? { result: 'a' });
    return await askForName(upstreamsOf(ethereum, [node]));
  }
  const unknown: Answer = { result: null };
  const pruned: Answer = { error: { code: 4444, message: 'pruned history unavailable' } };

  test('is known to decline when it says so each time', async () => {
    expect(await errorOf([unknown, pruned, unknown])).toMatchObject({ isUnavailable: true });
  });

  test.each<[string, Answer]>([
    ['broken', { status: 500, body: '' }],
    ['wrong', { result: 5 }],
  ])('may have it when it is %s once', async (_, once) => {
    expect(await errorOf([unknown, once, pruned])).toMatchObject({ isUnavailable: false });
  });

  test('may have it when it was left alone', async () => {
    const paused: Answer = { status: 429, body: '', headers: { 'retry-after': '300' } };
    expect(await errorOf([paused])).toMatchObject({ isUnavailable: false });
  });
});

describe('what is learned of an endpoint', () => {
  test('is kept: each fault, and that it answers again', async () => {
    let isWell = false;
    await using node = await startJsonRpcServer(() => (isWell ? { result: 'a' } : { status: 500, body: '' }));
    const [upstream] = upstreamsOf(ethereum, [node]);
    if (!upstream) throw new Error('there is one');
    await reasonsOf(askForName([upstream]));
    expect(upstream).toMatchObject({
      health: { faults: 3 },
      fault: { message: `${node.host}: get_name: HTTP status 500` },
    });
    isWell = true;
    await askForName([upstream]);
    expect(upstream.health.faults).toBe(0);
  });

  test('is told by host and kind, once for each refusal', async () => {
    const answers: Answer[] = [
      { status: 429, body: '' },
      { error: { code: -32000, message: 'pruned' } },
      { result: 5 },
      { result: 'wrong' },
      { result: 'right' },
    ];
    await using node = await startJsonRpcServer(() => answers.shift() ?? { hangUp: true });
    const onFault = jest.fn();
    const upstreams = upstreamsOf(ethereum, [node]);
    const accept = (name: string) => name === 'right';
    await reasonsOf(askForName(upstreams, { onFault }, accept));
    expect(await askForName(upstreams, { onFault }, accept)).toBe('right');
    expect(onFault.mock.calls).toEqual([
      [node.host, 'rate limit'],
      [node.host, 'RPC error'],
      [node.host, 'bad answer'],
      [node.host, 'bad block'],
    ]);
  });
});

describe('calls at once', () => {
  test.each([
    ['eight', 8],
    ['what its health allows', 3.9],
    ['one, where nothing else is allowed', 1],
  ])('to one endpoint are %s, and more when its answers are good', async (_, concurrency) => {
    const begin = Promise.withResolvers<void>();
    let [underWay, most] = [0, 0];
    await using node = await startJsonRpcServer(async () => {
      underWay += 1;
      await begin.promise;
      expect(underWay).toBeLessThanOrEqual(Math.floor(upstream?.health.concurrency ?? 0));
      most = Math.max(most, underWay);
      await turns(5);
      underWay -= 1;
      return { result: 'a' };
    });
    const upstreams = upstreamsOf(ethereum, [node]);
    const [upstream] = upstreams;
    if (upstream) setHealth(upstream, { ...upstream.health, concurrency });
    const asked = Array.from({ length: 50 }, () =>
      requestWithRetry(askingWith(), upstreams, 'two names', (rpc) =>
        Promise.all([getName(rpc, 1), getName(rpc, 2)]),
      ),
    );
    await turns(200);
    expect(node.calls).toHaveLength(Math.floor(concurrency));
    begin.resolve();
    await Promise.all(asked);
    expect(node.calls).toHaveLength(100);
    expect(most).toBeGreaterThan(concurrency);
  });
});

describe('when the run ends', () => {
  const reason = new Error('out of time');

  test('waiting ends with its reason', async () => {
    await using node = await startFailing(500);
    const end = new AbortController();
    const clock = {
      ...steppedClock(),
      sleep: (_: number, signal: AbortSignal) => {
        end.abort(reason);
        return systemClock.sleep(3_600_000, signal);
      },
    };
    await expect(askForName(upstreamsOf(ethereum, [node]), { clock, signal: end.signal })).rejects.toBe(
      reason,
    );
    expect(node.calls).toHaveLength(1);
  });

  test('a call that is under way ends with its reason, and those that wait for their turn are not made', async () => {
    const end = new AbortController();
    await using node = await startJsonRpcServer(() => {
      end.abort(reason);
      return { hang: true };
    });
    const upstreams = upstreamsOf(ethereum, [node]);
    for (const upstream of upstreams) setHealth(upstream, { ...upstream.health, concurrency: 1 });
    const onFault = jest.fn();
    const asked = Array.from({ length: 5 }, () => askForName(upstreams, { signal: end.signal, onFault }));
    for (const one of await Promise.allSettled(asked)) expect(one).toEqual({ status: 'rejected', reason });
    expect(node.calls).toHaveLength(1);
    expect(onFault).not.toHaveBeenCalled();
  });
});
