import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import type { Health } from '#core/rpc/health.ts';
import { byPreference, createUpstream, nextUpstream, type Upstream, working } from '#core/rpc/upstream.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const open = (...options: readonly string[]) =>
  options.map((option, index) =>
    createUpstream(endpointOf(chainOf('BSC'), `https://${'abcd'[index]}.example/#${option}`)),
  );
const hostsOf = (upstreams: readonly (Upstream | undefined)[]) =>
  upstreams.map((upstream) => upstream?.endpoint.host.replace('.example', ''));
const withHealth = (upstream: Upstream | undefined, health: Partial<Health>) => {
  if (upstream) upstream.health = { ...upstream.health, ...health };
};

test('endpoints are asked later for a time, suspects last, and those in reserve after all', () => {
  const upstreams = open('', '', '', 'reserve');
  const order = (now: number) => hostsOf(byPreference(upstreams.toReversed(), now));
  expect(order(NOW)).toEqual(['c', 'b', 'a', 'd']);
  withHealth(upstreams[2], { lastUntil: NOW + 1 });
  withHealth(upstreams[1], { laterUntil: NOW + 2 });
  expect(order(NOW)).toEqual(['a', 'b', 'c', 'd']);
  expect(order(NOW + 1)).toEqual(['c', 'a', 'b', 'd']);
  expect(order(NOW + 2)).toEqual(['c', 'b', 'a', 'd']);
});

const next = (upstreams: readonly Upstream[], now = NOW) =>
  hostsOf([nextUpstream(upstreams, 'fastest', now)])[0];

test('the endpoint that is expected to answer first takes the next block', () => {
  const upstreams = open('', '', '');
  expect(next(upstreams)).toBe('a');
  withHealth(upstreams[0], { latency: 300 });
  withHealth(upstreams[1], { latency: 200 });
  withHealth(upstreams[2], { latency: 100, rate: 5 });
  // Two calls at five a second take 400 ms.
  expect(next(upstreams)).toBe('b');
  // A short wait is worth it.
  withHealth(upstreams[1], { coolingDownUntil: NOW + 99 });
  expect(next(upstreams)).toBe('b');
  withHealth(upstreams[1], { coolingDownUntil: NOW + 101 });
  expect(next(upstreams)).toBe('a');
});

test('one in reserve works only while all others pause for more than five seconds, or have failed', () => {
  const [a, b, reserve] = open('', '', 'reserve') as [Upstream, Upstream, Upstream];
  withHealth(a, { coolingDownUntil: NOW + 60_000 });
  withHealth(b, { coolingDownUntil: NOW + 5_000 });
  expect(next([reserve, a, b])).toBe('b');
  expect(next([reserve, a])).toBe('c');
  withHealth(b, { coolingDownUntil: NOW + 5_001 });
  expect(next([reserve, a, b])).toBe('c');
  expect(next([reserve])).toBe('c');
  expect(next([reserve, a, b], NOW + 5_001)).toBe('b');
});

test('those in reserve are usable from the millisecond on in which all others pause for longer', () => {
  const [a, reserve] = open('', 'reserve') as [Upstream, Upstream];
  withHealth(a, { coolingDownUntil: NOW + 5_001 });
  expect(hostsOf(working([reserve, a], NOW))).toEqual(['b', 'a']);
  expect(hostsOf(working([reserve, a], NOW + 1))).toEqual(['a']);
});

test.each<[string, Partial<Health>, number]>([
  ['has not answered yet counts as 50 ms', {}, 50],
  ['takes 100 ms for a call', { latency: 100 }, 100],
  ['makes five calls a second needs 400 ms for the two of a block', { latency: 100, rate: 5 }, 500],
])('an endpoint that %s', (_, health, ms) => {
  for (const [other, expected] of [
    [ms + 0.2, 'a'],
    [ms - 0.2, 'b'],
  ] as const) {
    const [a, b] = open('', '') as [Upstream, Upstream];
    withHealth(a, health);
    withHealth(b, { latency: other });
    expect(next([a, b])).toBe(expected);
  }
});

test('the calls of open requests, two for each, take their turns before those of the next block', () => {
  const [a, b] = open('', '') as [Upstream, Upstream];
  withHealth(a, { latency: 100, concurrency: 8 });
  a.requests = 8;
  // 16 calls, eight at once, take twice 100 ms.
  withHealth(b, { latency: 300.1 });
  expect(next([a, b])).toBe('a');
  withHealth(b, { latency: 299.9 });
  expect(next([a, b])).toBe('b');
});

describe('in the configured order', () => {
  const first = (upstreams: readonly Upstream[]) => hostsOf([nextUpstream(upstreams, 'configured', NOW)])[0];

  test('the first one that does not cool down is asked, however slow it is', () => {
    const [a, b, c] = open('', '', '') as [Upstream, Upstream, Upstream];
    withHealth(a, { coolingDownUntil: NOW + 1, latency: 1 });
    withHealth(b, { coolingDownUntil: NOW, latency: 300 });
    withHealth(c, { latency: 100 });
    expect(first([a, b, c])).toBe('b');
    expect(first([a, b])).toBe('b');
  });

  test('the one whose cooldown ends first is next when all cool down', () => {
    const [a, b] = open('', '') as [Upstream, Upstream];
    withHealth(a, { coolingDownUntil: NOW + 60_000 });
    withHealth(b, { coolingDownUntil: NOW + 30_000 });
    expect(first([a, b])).toBe('b');
    expect(first([])).toBeUndefined();
  });
});
