import { chainOf } from '#core/chains/chains.ts';
import { type Endpoint, endpointOf, secretEndpoints } from '#core/rpc/endpoint.ts';
import { httpHint } from '#core/rpc/http-hint.ts';

const ethereum = chainOf('ETHEREUM');
const endpoint = endpointOf(ethereum, 'https://node.example/v2/0123456789abcdef');
const [secret] = secretEndpoints(ethereum, ['https://secret-key.provider.example/']) as [Endpoint];

const hintOf = (status: number, headers: Readonly<Record<string, string>>, body = '', of = endpoint) =>
  httpHint(of, { status, header: (name) => headers[name], body: Buffer.from(body) });

test.each([
  [
    'another host, without its key',
    'https://other.example/v2/fedcba9876543210?key=1#x',
    'https://other.example',
  ],
  ['another protocol', 'http://node.example/v2/0123456789abcdef', 'http://node.example'],
  ['another path', '/v3/0123456789abcdef', 'https://node.example'],
  ['a host whose name repeats the key', 'https://0123456789abcdef.example/', 'https://***.example'],
  ['a user with a password', 'https://user:password@other.example/', 'https://other.example'],
])('a redirect to %s names the host alone', (_, location, host) => {
  const hint = hintOf(307, { location });
  expect(hint).toBe(
    `: it redirects to ${host}. Name the URL that answers itself, since redirects are not followed`,
  );
});

test('a redirect within a host whose name is secret does not show it', () => {
  expect(hintOf(301, { location: '/' }, '', secret)).toContain(
    ': it redirects to https://***.provider.example. ',
  );
});

test.each(['', 'https://', 'http://a b'])(
  'a redirect to "%s" gives no hint, or none that fails',
  (location) => {
    expect(() => hintOf(302, { location })).not.toThrow();
  },
);
