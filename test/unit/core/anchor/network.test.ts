import { votersOf } from '#core/anchor/network.ts';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { header } from '#test/support/generators/blocks/builders.ts';

const ethereum = chainOf('ETHEREUM');
const NOW = Date.parse('2026-11-20T00:00:00Z');
const open = (url: string) => createUpstream(endpointOf(ethereum, url));
const headAt = (number: number, timestamp = NOW / 1_000) => header({ number, timestamp });

describe('votersOf', () => {
  const group = (...reachable: readonly (readonly [string, ReturnType<typeof headAt>])[]) =>
    votersOf(
      reachable.map(([url, head]) => ({ upstream: open(url), head })),
      NOW,
    ).map(({ name, head, upstreams }) => [name, head?.number, upstreams.length]);

  test('groups endpoints by registered domain and port, whatever name or URL leads there', () => {
    expect(
      group(
        ['https://eth.a.example/one', headAt(5)],
        ['https://b.example', headAt(6)],
        ['https://base.a.example/two', headAt(7)],
        ['https://user:key@A.example.', headAt(4)],
        ['https://a.example:8443', headAt(3)],
      ),
    ).toEqual([
      ['eth.a.example', 7, 3],
      ['b.example', 6, 1],
      ['a.example:8443', 3, 1],
    ]);
  });

  test('ignores a final block more than 15 minutes in the future, though its host may vote', () => {
    const [soon, tooSoon] = [NOW / 1_000 + 900, NOW / 1_000 + 901];
    expect(group(['https://a.example', headAt(5, soon)], ['https://b.example', headAt(9, tooSoon)])).toEqual([
      ['a.example', 5, 1],
      ['b.example', undefined, 1],
    ]);
    expect(
      group(['https://a.example/1', headAt(9, tooSoon)], ['https://a.example/2', headAt(5)]),
    ).toMatchObject([['a.example', 5, 2]]);
  });
});
