import { hostsOf, upstreamsFor } from '#core/anchor/network.ts';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf } from '#core/rpc/endpoint.ts';
import { createUpstream } from '#core/rpc/upstream.ts';
import { steppedClock } from '#test/support/clock.ts';
import { header } from '#test/support/generators/blocks/builders.ts';
import { requestContextWith } from '#test/support/nodes/source.ts';

const ethereum = chainOf('ETHEREUM');
const NOW = Date.parse('2026-11-20T00:00:00Z');
const open = (url: string) => createUpstream(endpointOf(ethereum, url));
const headAt = (number: number, timestamp = NOW / 1_000) => header({ number, timestamp });

describe('hostsOf', () => {
  const group = (...reachable: readonly (readonly [string, ReturnType<typeof headAt>])[]) =>
    hostsOf(
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

describe('upstreamsFor', () => {
  const orderOf = (...urls: readonly string[]) => {
    const hosts = hostsOf(
      urls.map((url) => ({ upstream: open(url), head: headAt(1) })),
      NOW,
    );
    const context = requestContextWith({ clock: steppedClock() });
    return upstreamsFor({ hosts, context }).map(({ endpoint }) => endpoint.host);
  };

  test('begins with one endpoint of each provider, and leaves out those for the anchor alone', () => {
    expect(
      orderOf(
        'https://1.a.example',
        'https://2.a.example',
        'https://3.a.example',
        'https://1.b.example#anchor',
        'https://2.b.example',
        'https://1.c.example#reserve',
        'https://2.c.example',
      ),
    ).toEqual(['1.a.example', '2.b.example', '2.a.example', '2.c.example', '3.a.example', '1.c.example']);
  });
});
