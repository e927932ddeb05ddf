import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf, optionProblem, quote, secretEndpoints, splitUrls } from '#core/rpc/endpoint.ts';
import { decodeQuantity } from '#core/rpc/http/decode.ts';
import { call } from '#core/rpc/json-rpc.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';

const ethereum = chainOf('ETHEREUM');

test('sends the user and password of a URL as basic authentication', async () => {
  await using node = await startJsonRpcServer(() => ({ result: '0x1' }));
  const endpoint = endpointOf(ethereum, node.url.replace('//', '//user:p%40ss@'));
  expect(endpoint.host).toBe(node.host);
  await call(endpoint, 'eth_test', [], decodeQuantity);
  expect(node.headers.at(-1)?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

test.each([
  ['user', 'user:'],
  [':secret', ':secret'],
])('a URL with %s alone is not anonymous', (credentials, sent) => {
  const { headers, secrets } = endpointOf(ethereum, `https://${credentials}@a.example`);
  const basic = Buffer.from(sent).toString('base64');
  expect(headers).toHaveProperty('authorization', `Basic ${basic}`);
  expect(secrets).toContain(basic);
});

describe('the fragment of a URL', () => {
  const usual = { isJsonOnly: false, isAnchorOnly: false, isReserve: false, callsPerSecond: Infinity };
  const rate = fc.integer({ min: 1, max: 999_999 });
  const options = fc.record(
    {
      json: fc.constant({ isJsonOnly: true }),
      anchor: fc.constant({ isAnchorOnly: true }),
      reserve: fc.constant({ isReserve: true }),
      rate: rate.map((callsPerSecond) => ({ callsPerSecond })),
    },
    { requiredKeys: [] },
  );

  test('says how an endpoint is used, in any combination and order, and is not sent', () => {
    const shuffled = options.chain((chosen) =>
      fc.tuple(
        fc.constant(chosen),
        fc.shuffledSubarray(Object.keys(chosen), { minLength: Object.keys(chosen).length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([chosen, names]) => {
        const fragment = names.map((name) => (name === 'rate' ? `${chosen.rate?.callsPerSecond}/s` : name));
        const url = `https://a.example/key#${fragment.join(',')}`;
        expect(endpointOf(ethereum, url)).toMatchObject({
          ...Object.assign({ ...usual }, ...Object.values(chosen)),
          url: 'https://a.example/key',
        });
        expect(optionProblem(new URL(url))).toBeUndefined();
      }),
    );
  });

  test.each(['other', 'JSON', '0/s', '20/m', '-1/s', '1.5/s', '1000000/s', 'reserved'])(
    'has no option %s, which is named beside the known ones',
    (option) => {
      expect(optionProblem(new URL(`https://a.example/#json,${option}`))).toBe(
        `has the unknown option ${option} after its #. Known are json, anchor, reserve and a rate such as 20/s`,
      );
    },
  );

  test('is not repeated where it may be part of a key, as it is longer than ten characters', () => {
    expect(optionProblem(new URL('https://a.example/#1234567890'))).toContain('unknown option 1234567890 ');
    expect(optionProblem(new URL('https://a.example/key#1234567890a'))).toMatch(
      /^has the unknown option after/,
    );
  });
});

test.each([
  ['a comma', ','],
  ['a comma and a space', ', '],
  ['a space', ' '],
  ['new lines', '\r\n\n'],
  ['a comma before a new line', ',\n'],
  ['several commas', ', ,,'],
])('splitUrls splits at %s, but not inside a fragment', (_, separator) => {
  const urls = ['https://a.example/key#json,20/s,reserve', 'http://b.example?x=1,2', 'https://c.example#3/s'];
  expect(splitUrls(urls.join(separator))).toEqual(urls);
  expect(splitUrls(`${separator}${urls.join(separator)}${separator}`)).toEqual(urls);
});

describe('secretEndpoints', () => {
  const endpoints = secretEndpoints(ethereum, [
    'https://my-secret.ethereum-mainnet.quiknode.pro/key-one',
    'https://eth-mainnet.g.alchemy.com/v2/key-two',
    'https://other-secret.ethereum-mainnet.quiknode.pro/key-three',
    'http://10.0.0.1:8545',
    'https://third-secret.quiknode.pro/key-four',
    'https://fourth-secret.nodes.co.uk/key-five',
  ]);

  test('have the registered domain as name, with a number when it repeats', () => {
    expect(endpoints.map(({ host }) => host)).toEqual([
      'quiknode.pro',
      'alchemy.com',
      'quiknode.pro#2',
      '10.0.0.1:8545',
      'quiknode.pro#3',
      'nodes.co.uk',
    ]);
  });

  test('are one per URL, with the user of the first', () => {
    const same = secretEndpoints(ethereum, [
      'https://a.quiknode.pro/key',
      'https://b.quiknode.pro/key',
      'https://A.quiknode.pro:443/key#fragment',
      'https://a.quiknode.pro./key?',
      'https://user:password@a.quiknode.pro/key',
      'https://c.quiknode.pro./key',
      'https://a.quiknode.pro/KEY',
    ]);
    expect(same.map(({ host, url }) => [host, url])).toEqual([
      ['quiknode.pro', 'https://a.quiknode.pro/key'],
      ['quiknode.pro#2', 'https://b.quiknode.pro/key'],
      ['quiknode.pro#3', 'https://c.quiknode.pro/key'],
      ['quiknode.pro#4', 'https://a.quiknode.pro/KEY'],
    ]);
    expect(same[0]?.headers.authorization).toBeUndefined();
  });
});

test('messages quote 300 characters of a node', () => {
  expect(quote(endpointOf(ethereum, 'https://a.example/'), 'x'.repeat(301))).toBe('x'.repeat(300));
});

test('messages contain no control characters', () => {
  const words = 'invalid\u001b[31m key\u0007\r\nand \u009b2Jmore é';
  expect(quote(endpointOf(ethereum, 'https://a.example/'), words)).toBe('invalid [31m key and  2Jmore é');
});
