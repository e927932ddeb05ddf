import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { byPreference, createUpstream, LATER_FOR_MS, type Upstream } from '#core/rpc/upstream.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const open = () =>
  ['a', 'b', 'c'].map((name) => createUpstream(endpointOf(chainOf('BSC'), `https://${name}.example`))) as [
    Upstream,
    Upstream,
    Upstream,
  ];

test('endpoints are asked later for ten minutes, and suspects last', () => {
  const [a, b, c] = open();
  const order = (now: number) => byPreference([a, b, c], now);
  expect(order(NOW)).toEqual([a, b, c]);
  a.lastUntil = NOW + 1;
  b.laterUntil = NOW + LATER_FOR_MS;
  expect(order(NOW)).toEqual([c, b, a]);
  expect(order(NOW + 1)).toEqual([a, c, b]);
  expect(order(NOW + 599_999)).toEqual([a, c, b]);
  expect(order(NOW + 600_000)).toEqual([a, b, c]);
});
