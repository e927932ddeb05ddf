import { chainOf } from '#core/chains/chains.ts';
import { systemClock } from '#core/clock.ts';
import type { RequestContext } from '#core/rpc/deadline.ts';
import { EndpointError, type FaultKind } from '#core/rpc/endpoint.ts';
import { absolve, noEndpoint, noneOf, requestWithFailover } from '#core/rpc/failover.ts';
import { isCoolingDown, NEW_HEALTH } from '#core/rpc/health.ts';
import { type Decode, DecodeError } from '#core/rpc/http/decode.ts';
import type { Rpc } from '#core/rpc/json-rpc.ts';
import { recordFault } from '#core/rpc/paced-call.ts';
import { type RequestOrder, setHealth, type Upstream } from '#core/rpc/upstream.ts';
import { steppedClock, turns } from '#test/support/clock.ts';
import { type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { requestContextWith, upstreamsOf, valueIn } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');

const LIMITED =
  'HTTP status 429 (rate limit: it is called less often; a larger plan or one more endpoint is faster)';
const DOWN = 'HTTP status 500 (down: it is asked again later; if this persists, add an endpoint)';

const startNamed = (name: string) => startJsonRpcServer(() => ({ result: name }));
const startFailing = (status: number, headers = {}) =>
  startJsonRpcServer(() => ({ status, body: '', headers }));

const text: Decode<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new DecodeError('expected a string');
};
const getName = (rpc: Rpc, ...params: unknown[]) => rpc('get_name', params, text);

/** Requests a name, and accepts or refuses it. */
const askForName = (
  upstreams: readonly Upstream[],
  given: Partial<RequestContext> = {},
  accept: (name: string) => boolean = () => true,
  order: RequestOrder = 'configured',
) =>
  requestWithFailover(
    requestContextWith({ clock: steppedClock(), ...given }),
    upstreams,
    'the name',
    async (rpc) => {
      const name = await getName(rpc);
      return accept(name) ? { value: name } : { refused: `ETHEREUM block 7: is named ${name}` };
    },
    order,
  );
const nameFrom = async (...request: Parameters<typeof askForName>) => valueIn(await askForName(...request));

const reasonsOf = async (...request: Parameters<typeof askForName>): Promise<readonly string[]> => {
  const result = await askForName(...request);
  return result.kind === 'no endpoint' ? result.reasons : [];
};

describe('of several endpoints', () => {
  test('without a valid response, the reason of each is named', async () => {
    await using a = await startNamed('a');
    await using b = await startFailing(500);
    const reasons = [`${a.host}: ETHEREUM block 7: is named a`, `${b.host}: get_name: ${DOWN}`];
    expect(await askForName(upstreamsOf(ethereum, [a, b]), {}, () => false)).toEqual({
      kind: 'no endpoint',
      isUnavailable: false,
      isRuleChange: false,
      isRefused: false,
      reasons,
      reason: `No endpoint gave a valid response for the name. ${reasons.join('. ')}`,
    });
  });

  test.each([1, 2])('all of %i are asked three times, with exponential backoff', async (count) => {
    await using down = await startFailing(500);
    const clock = steppedClock();
    const upstreams = upstreamsOf(ethereum, Array(count).fill(down));
    expect(await reasonsOf(upstreams, { clock })).toHaveLength(count);
    expect(down.calls).toHaveLength(3 * count);
    expect(clock.slept).toEqual([1_000, 4_000]);
  });

  test('a bug is thrown and not retried', async () => {
    await using a = await startNamed('a');
    const upstreams = upstreamsOf(ethereum, [a, a]);
    const onFault = jest.fn();
    const mistake = requestWithFailover(requestContextWith({ onFault }), upstreams, 'it', () =>
      Promise.reject(new RangeError('ours')),
    );
    await expect(mistake).rejects.toThrow(RangeError);
    expect(onFault).not.toHaveBeenCalled();
    expect(upstreams[0]?.health).toEqual(NEW_HEALTH);
    expect(upstreams[0]?.fault).toBeUndefined();
  });
});

describe('two endpoints of a provider that gives wrong answers', () => {
  const endpointsOf = ({ url }: { readonly url: string }, count: number) =>
    Array.from({ length: count }, (_, index) => ({ url: `${url}/${index}` }));
  const isHonest = (name: string) => name === 'honest';

  test.each(['configured', 'fastest'] as const)(
    'the second is not asked before another provider (%s)',
    async (order) => {
      await using liar = await startNamed('liar');
      await using honest = await startNamed('honest');
      const upstreams = upstreamsOf(ethereum, [...endpointsOf(liar, 2), honest]);
      expect(await nameFrom(upstreams, {}, isHonest, order)).toBe('honest');
      expect(liar.calls.length).toBeLessThanOrEqual(1);
    },
  );

  test('the second is not asked while another provider only waits for its turn', async () => {
    const refusals: NodeResponse[] = Array.from({ length: 3 }, () => ({ status: 429, body: '' }));
    await using liar = await startNamed('liar');
    await using honest = await startJsonRpcServer(() => refusals.shift() ?? { result: 'honest' });
    expect(await nameFrom(upstreamsOf(ethereum, [...endpointsOf(liar, 2), honest]), {}, isHonest)).toBe(
      'honest',
    );
    expect(liar.calls).toHaveLength(1);
  });

  test.each([
    [1, 3],
    [2, 3],
    [5, 5],
  ])('share three tries, but each of %i has one: %i calls', async (count, calls) => {
    await using liar = await startNamed('liar');
    expect(await reasonsOf(upstreamsOf(ethereum, endpointsOf(liar, count)), {}, isHonest)).toHaveLength(
      count,
    );
    expect(liar.calls).toHaveLength(calls);
  });

  test('each keep three tries if they only fail', async () => {
    await using down = await startFailing(500);
    const upstreams = upstreamsOf(ethereum, endpointsOf(down, 2));
    expect(await reasonsOf(upstreams)).toHaveLength(2);
    expect(down.calls).toHaveLength(6);
  });
});

describe('an endpoint that is cooling down', () => {
  test('is skipped, and another is asked', async () => {
    await using limited = await startFailing(429, { 'retry-after': '60' });
    await using other = await startNamed('other');
    const upstreams = upstreamsOf(ethereum, [limited, other]);
    const context = requestContextWith({ clock: steppedClock() });
    const requests: string[] = [];
    for (let times = 0; times < 3; times++) {
      await requestWithFailover(context, upstreams, 'the name', async (rpc, { endpoint }) => {
        requests.push(endpoint.host);
        return { value: await getName(rpc) };
      });
    }
    expect(requests).toEqual([limited.host, other.host, other.host, other.host]);
    expect([limited.calls.length, other.calls.length]).toEqual([1, 3]);
  });

  test('is waited for although another one refuses quickly, which still has three tries', async () => {
    const honest = Array.from({ length: 6 }, (): NodeResponse => ({ status: 429, body: '' }));
    await using liar = await startNamed('liar');
    await using limited = await startJsonRpcServer(() => honest.shift() ?? { result: 'honest' });
    for (const order of ['configured', 'fastest'] as const) {
      const clock = steppedClock();
      const upstreams = upstreamsOf(ethereum, [liar, limited]);
      const made = liar.calls.length;
      expect(await nameFrom(upstreams, { clock }, (name) => name === 'honest', order)).toBe('honest');
      expect(liar.calls.length - made).toBeLessThanOrEqual(3);
    }
    expect(limited.calls).toHaveLength(8);
  });

  test.each([
    ['an outage', 503, 30_000],
    ['a rate limit', 429, 120_000],
  ])('is waited for after %s (HTTP %i) of up to %i ms, and no longer', async (_, status, longest) => {
    const answers: NodeResponse[] = [];
    await using node = await startJsonRpcServer(() => answers.shift() ?? { result: 'a' });
    for (const [ms, slept] of [
      [longest, [longest]],
      [longest + 1, []],
    ] as const) {
      answers.push({ status, body: `retry in ${ms}ms` });
      const clock = steppedClock();
      expect((await askForName(upstreamsOf(ethereum, [node]), { clock })).kind).toBe(
        slept.length > 0 ? 'fetched' : 'no endpoint',
      );
      expect(clock.slept).toEqual(slept);
    }
  });

  test('ends the request when a rate limit takes more than two minutes, with its reason', async () => {
    await using node = await startFailing(429, { 'retry-after': '121' });
    const upstreams = upstreamsOf(ethereum, [node]);
    const clock = steppedClock();
    const fault = `${node.host}: get_name: ${LIMITED}`;
    expect(await reasonsOf(upstreams, { clock })).toEqual([fault]);
    expect(await reasonsOf(upstreams, { clock })).toEqual([
      `${node.host}: cooling down until 2026-11-20T00:02:01.000Z, after ${fault}`,
    ]);
    expect(clock.slept).toEqual([]);
    expect(node.calls).toHaveLength(1);
  });
});

test('a rate limit does not lengthen the pause, as other faults do', async () => {
  const refusals: NodeResponse[] = [500, 429, 500].map((status) => ({ status, body: '' }));
  await using node = await startJsonRpcServer(() => refusals.shift() ?? { result: 'a' });
  const clock = steppedClock();
  expect(await nameFrom(upstreamsOf(ethereum, [node]), { clock })).toBe('a');
  // The cooldown after a second fault, a rate limit, is twice 250 ms.
  expect(clock.slept).toEqual([1_000, 500, 4_000]);
});

test('an endpoint has as many requests as are open', async () => {
  await using node = await startNamed('a');
  const upstreams = upstreamsOf(ethereum, [node]);
  const [upstream] = upstreams as [Upstream];
  const open = Promise.withResolvers<{ value: string }>();
  const request = () => requestWithFailover(requestContextWith(), upstreams, 'it', () => open.promise);
  const requests = [request(), request()];
  expect(upstream.requests).toBe(2);
  open.resolve({ value: 'a' });
  await Promise.all(requests);
  expect(upstream.requests).toBe(0);
});

test('30 requests at once in the configured order all go to the first of two endpoints', async () => {
  await using a = await startNamed('a');
  await using b = await startNamed('b');
  const upstreams = upstreamsOf(ethereum, [a, b]);
  const clock = steppedClock();
  await Promise.all(Array.from({ length: 30 }, () => nameFrom(upstreams, { clock })));
  expect([a.calls.length, b.calls.length]).toEqual([30, 0]);
});

async function answered(answers: readonly NodeResponse[]) {
  const left = [...answers];
  await using node = await startJsonRpcServer(() => left.shift() ?? { result: 'a' });
  return await askForName(upstreamsOf(ethereum, [node]));
}
const unknown: NodeResponse = { result: null };
const pruned: NodeResponse = { error: { code: 4444, message: 'pruned history unavailable' } };

test.each<[string, NodeResponse]>([
  ['broken', { status: 500, body: '' }],
  ['wrong', { result: 5 }],
])('an endpoint without the data may have it after %s once', async (_, once) => {
  expect(await answered([unknown, once, pruned])).toMatchObject({ isUnavailable: false });
});

test('asks an endpoint that has pruned the data once, and one that answers null three times', async () => {
  const callsFor = async (answer: NodeResponse) => {
    await using node = await startJsonRpcServer(() => answer);
    const failure = await askForName(upstreamsOf(ethereum, [node]));
    return [node.calls.length, failure];
  };
  expect(await callsFor(pruned)).toEqual([1, expect.objectContaining({ isUnavailable: true })]);
  expect(await callsFor(unknown)).toEqual([3, expect.objectContaining({ isUnavailable: true })]);
});

describe('a failure of two endpoints', () => {
  const failureWith = async (kinds: readonly FaultKind[], coolingDownUntil = 0) => {
    await using node = await startNamed('a');
    const upstreams = upstreamsOf(ethereum, [{ url: `${node.url}/0` }, { url: `${node.url}/1` }]);
    const [first] = upstreams as [Upstream];
    setHealth(first, { ...first.health, coolingDownUntil });
    const clock = steppedClock();
    return requestWithFailover(requestContextWith({ clock }), upstreams, 'it', async (_, upstream) => ({
      refused: 'it is not right',
      fault: kinds[upstreams.indexOf(upstream)] as FaultKind,
    }));
  };
  const none = { isUnavailable: false, isRuleChange: false, isRefused: false };

  test.each<[FaultKind, FaultKind, object]>([
    ['unknown rule', 'unknown rule', { isRuleChange: true, isRefused: true }],
    ['unknown rule', 'not proven', { isRefused: true }],
    ['unknown rule', 'unavailable', { isRefused: true }],
    ['unknown rule', 'invalid block', {}],
    ['unavailable', 'not yet', { isUnavailable: true }],
    ['unavailable', 'invalid block', {}],
  ])('of which one reports "%s" and one "%s" is %j', async (one, other, expected) => {
    for (const kinds of [
      [one, other],
      [other, one],
    ])
      expect(await failureWith(kinds)).toMatchObject({ ...none, ...expected });
  });

  test('is none of them while one endpoint was not asked', async () => {
    for (const kind of ['unknown rule', 'unavailable'] as const)
      expect(await failureWith([kind, kind], Date.parse('2026-11-21T00:00:00Z'))).toMatchObject(none);
  });
});

test('the merged failures of several requests say nothing about what their endpoints have', () => {
  const failures = ['a', 'b'].map((host) =>
    noEndpoint('it', [`${host}: down`], { isUnavailable: true, isRuleChange: true, isRefused: true }),
  );
  expect(noneOf('the name', failures)).toEqual({
    kind: 'no endpoint',
    isUnavailable: false,
    isRuleChange: false,
    isRefused: false,
    reasons: ['a: down', 'b: down'],
    reason: 'No endpoint gave a valid response for the name. a: down. b: down',
  });
});

test('the health of an endpoint reports each refusal once, by host and kind', async () => {
  const answers: NodeResponse[] = [
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
  await reasonsOf(upstreams, { onFault }, accept);
  expect(await nameFrom(upstreams, { onFault }, accept)).toBe('right');
  expect(onFault.mock.calls).toEqual([
    [node.host, 'rate limit', `${node.host}: get_name: ${LIMITED}`],
    [node.host, 'unavailable', expect.stringContaining(`${node.host}: get_name: error -32000, pruned (`)],
    [node.host, 'invalid response', `${node.host}: get_name: result: expected a string`],
    [node.host, 'invalid block', `${node.host}: ETHEREUM block 7: is named wrong`],
  ]);
});

test.each([
  ['eight', 8],
  ['limited by its health', 3.9],
  ['at least one', 1],
])('concurrent calls to one endpoint are %s, and increase with successes', async (_, concurrency) => {
  const begin = Promise.withResolvers<void>();
  let [underWay, most] = [0, 0];
  await using node = await startJsonRpcServer(async () => {
    underWay += 1;
    await begin.promise;
    expect(underWay).toBeLessThanOrEqual(Math.floor(upstream?.health.concurrency ?? 0));
    most = Math.max(most, underWay);
    // Until as many calls are open as may be, or all are made.
    while (underWay < Math.floor(upstream?.health.concurrency ?? 0) && node.calls.length < 100)
      await turns(1);
    underWay -= 1;
    return { result: 'a' };
  });
  const upstreams = upstreamsOf(ethereum, [node]);
  const [upstream] = upstreams;
  if (upstream) setHealth(upstream, { ...upstream.health, concurrency });
  const requests = Array.from({ length: 50 }, () =>
    requestWithFailover(requestContextWith(), upstreams, 'two names', async (rpc) => ({
      value: await Promise.all([getName(rpc, 1), getName(rpc, 2)]),
    })),
  );
  await turns(200);
  expect(node.calls).toHaveLength(Math.floor(concurrency));
  begin.resolve();
  await Promise.all(requests);
  expect(node.calls).toHaveLength(100);
  expect(most).toBeGreaterThan(concurrency);
});

describe('when the run ends', () => {
  const reason = new Error('out of time');

  test('waiting rejects with its reason', async () => {
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

  test('a running call rejects with its reason, and queued calls are not made', async () => {
    const end = new AbortController();
    await using node = await startJsonRpcServer(() => {
      end.abort(reason);
      return { hang: true };
    });
    const upstreams = upstreamsOf(ethereum, [node]);
    for (const upstream of upstreams) setHealth(upstream, { ...upstream.health, concurrency: 1 });
    const onFault = jest.fn();
    const requests = Array.from({ length: 5 }, () => askForName(upstreams, { signal: end.signal, onFault }));
    for (const one of await Promise.allSettled(requests)) expect(one).toEqual({ status: 'rejected', reason });
    expect(node.calls).toHaveLength(1);
    expect(onFault).not.toHaveBeenCalled();
  });
});

test('an endpoint that is absolved is asked again, also if a call that began before fails after it', async () => {
  await using node = await startNamed('a');
  const [upstream] = upstreamsOf(ethereum, [node]) as [Upstream];
  const context = requestContextWith({ clock: steppedClock() });
  const faultOf = (kind: FaultKind) => new EndpointError(upstream.endpoint, kind, kind);
  const fail = (kind: FaultKind, startedAt: number) =>
    recordFault(context, upstream, faultOf(kind), startedAt);
  // Each call begins after the fault before it.
  for (let fault = 0; fault < 6; fault++) fail('unknown rule', context.clock.now() + 1);
  fail('no method', context.clock.now());
  expect(isCoolingDown(upstream.health, context.clock.now())).toBe(true);
  const underWay = context.clock.now();
  absolve(upstream, underWay);
  for (let fault = 0; fault < 6; fault++) fail('unknown rule', underWay);
  expect(upstream.health.faults).toBe(0);
  expect(isCoolingDown(upstream.health, underWay)).toBe(false);
});

test('an endpoint that fails in another way is not absolved', async () => {
  await using node = await startNamed('a');
  const [upstream] = upstreamsOf(ethereum, [node]) as [Upstream];
  const context = requestContextWith({ clock: steppedClock() });
  const now = context.clock.now();
  absolve(upstream, now);
  expect(upstream.health).toEqual(NEW_HEALTH);
  recordFault(context, upstream, new EndpointError(upstream.endpoint, 'down', 'down'), now);
  absolve(upstream, now);
  expect(isCoolingDown(upstream.health, now)).toBe(true);
});
