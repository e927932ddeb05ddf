import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { endpointOf, optionProblem, quote, secretEndpoints, splitUrls } from '#core/rpc/endpoint.ts';
import { decodeQuantity } from '#core/rpc/http/decode.ts';
import { call } from '#core/rpc/json-rpc.ts';
import { startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';

const ethereum = chainOf('ETHEREUM');

test('messages contain no secret of the URL, even if the node repeats it', async () => {
  await using node = await startJsonRpcServer(() => ({
    error: { code: 1, message: 'bad key path-token, query-token' },
  }));
  const endpoint = endpointOf(ethereum, `${node.url}/v2/path-token?key=query-token`);
  await expect(call(endpoint, 'eth_test', [], decodeQuantity)).rejects.toThrow('error 1, bad key ***, ***');
});

test('messages contain no user part of the URL, in any encoding', async () => {
  await using node = await startJsonRpcServer(() => ({
    error: { code: 1, message: `not for you:p@ss, ${Buffer.from('you:p@ss').toString('base64')}` },
  }));
  const endpoint = endpointOf(ethereum, node.url.replace('//', '//you:p%40ss@'));
  await expect(call(endpoint, 'eth_test', [], decodeQuantity)).rejects.toThrow(
    'error 1, not for ***:***, ***',
  );
});

test('sends the user and password of a URL as basic authentication', async () => {
  await using node = await startJsonRpcServer(() => ({ result: '0x1' }));
  const endpoint = endpointOf(ethereum, node.url.replace('//', '//user:p%40ss@'));
  expect(endpoint.host).toBe(node.host);
  await call(endpoint, 'eth_test', [], decodeQuantity);
  expect(node.headers.at(-1)?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

test('the name of an endpoint is its host', () => {
  expect(endpointOf(ethereum, 'https://eth.drpc.org/').host).toBe('eth.drpc.org');
});

test('URLs of one provider have its registered domain and port, whatever their names', () => {
  const providers = [
    'https://eth.drpc.org/',
    'https://base.drpc.org/key#json',
    'https://a.b.example.co.uk',
    'https://EXAMPLE.co.uk./',
    'http://127.0.0.1:8545',
    'http://127.0.0.1:8546',
  ].map((url) => endpointOf(ethereum, url, 'name').provider);
  const [drpc, uk] = ['drpc.org', 'example.co.uk'];
  expect(providers).toEqual([drpc, drpc, uk, uk, '127.0.0.1:8545', '127.0.0.1:8546']);
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

  test('is not repeated where it may be part of a key', () => {
    expect(optionProblem(new URL('https://a.example/key#1234567890a'))).toMatch(
      /^has the unknown option after/,
    );
  });
});

describe('splitUrls', () => {
  test.each([
    ['a comma', ','],
    ['a comma and a space', ', '],
    ['a space', ' '],
    ['new lines', '\r\n\n'],
    ['a comma before a new line', ',\n'],
    ['several commas', ', ,,'],
  ])('splits at %s, but not inside a fragment', (_, separator) => {
    const urls = [
      'https://a.example/key#json,20/s,reserve',
      'http://b.example?x=1,2',
      'https://c.example#3/s',
    ];
    expect(splitUrls(urls.join(separator))).toEqual(urls);
    expect(splitUrls(`${separator}${urls.join(separator)}${separator}`)).toEqual(urls);
  });

  test('splits before a URL of another protocol, which is then refused', () => {
    expect(splitUrls('https://a.example/key,ftp://b.example,"https://c.example"')).toEqual([
      'https://a.example/key',
      'ftp://b.example',
      '"https://c.example"',
    ]);
  });
});

describe('secretEndpoints', () => {
  const endpoints = secretEndpoints(ethereum, [
    'https://my-secret.ethereum-mainnet.quiknode.pro/key-one',
    'https://eth-mainnet.g.alchemy.com/v2/key-two',
    'https://other-secret.ethereum-mainnet.quiknode.pro/key-three',
    'http://10.0.0.1:8545',
    'https://third-secret.quiknode.pro/key-four',
  ]);

  test('have the registered domain as name, with a number when it repeats', () => {
    expect(endpoints.map(({ host }) => host)).toEqual([
      'quiknode.pro',
      'alchemy.com',
      'quiknode.pro#2',
      '10.0.0.1:8545',
      'quiknode.pro#3',
    ]);
  });

  test('keep their full URL', () => {
    expect(endpoints[2]?.url).toBe('https://other-secret.ethereum-mainnet.quiknode.pro/key-three');
  });

  test('redact the secret in their host', () => {
    const words = 'not found: other-secret.ethereum-mainnet.quiknode.pro';
    expect(endpoints.map((endpoint) => quote(endpoint, words))[2]).toBe('not found: ***.***.quiknode.pro');
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

test('messages contain no control characters', () => {
  const words = 'invalid\u001b[31m key\u0007\r\nand \u009b2Jmore é';
  expect(quote(endpointOf(ethereum, 'https://a.example/'), words)).toBe('invalid [31m key and  2Jmore é');
});

test('our own text is not redacted', async () => {
  await using node = await startJsonRpcServer(() => ({ status: 502, body: '' }));
  const url = node.url.replace('//', '//x:0@');
  const endpoint = endpointOf(ethereum, `${url}/eth_test/status/?key=0x251c5e`);
  await expect(call(endpoint, 'eth_test', ['0x251c5e'], decodeQuantity)).rejects.toThrow(
    `${node.host}: eth_test 0x251c5e: HTTP status 502`,
  );
});
