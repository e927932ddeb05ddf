import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { chainOf } from '#core/chains/chains.ts';
import {
  type Endpoint,
  EndpointError,
  endpointOf,
  type FaultKind,
  secretEndpoints,
} from '#core/rpc/endpoint.ts';
import { bytes, decodeQuantity } from '#core/rpc/http/decode.ts';
import { call, jsonIn } from '#core/rpc/json-rpc.ts';
import { turns } from '#test/support/clock.ts';
import { type NodeResponse, startJsonRpcServer } from '#test/support/nodes/json-rpc-server.ts';
import { dispatchBy, dispatchFrom } from '#test/support/servers/in-process-dispatch.ts';

const ethereum = chainOf('ETHEREUM');

async function calling(answer: NodeResponse) {
  await using node = await startJsonRpcServer(() => answer);
  return await call(endpointOf(ethereum, node.url), 'eth_test', ['0x1', false], decodeQuantity);
}

/** Returns the error of a call. */
const refusalOf = (called: Promise<unknown>): Promise<EndpointError> =>
  called.then(
    () => {
      throw new Error('the call was not refused');
    },
    (error) => {
      if (error instanceof EndpointError) return error;
      throw error;
    },
  );

describe('a call', () => {
  test('sends JSON-RPC 2.0 with a unique id', async () => {
    await using node = await startJsonRpcServer(() => ({ result: '0x1' }));
    const endpoint = endpointOf(ethereum, node.url);
    await Promise.all([
      call(endpoint, 'eth_a', [1], decodeQuantity),
      call(endpoint, 'eth_b', [], decodeQuantity),
    ]);
    const [first, second] = node.calls;
    expect(first).toMatchObject({ jsonrpc: '2.0', method: 'eth_a', params: [1] });
    expect(second?.id).not.toBe(first?.id);
  });

  test.each<[string, NodeResponse, FaultKind, string]>([
    [
      'an error',
      { error: { code: -32000, message: 'pruned history' } },
      'unavailable',
      'error -32000, pruned history (unavailable: the node does not have it; another may, such as an archive node)',
    ],
    ['null', { result: null }, 'unavailable', 'null (unavailable: the node does not have it'],
    [
      'an HTTP error',
      { status: 503, body: 'busy' },
      'down',
      'HTTP status 503 (down: it is asked again later; if this persists, add an endpoint)',
    ],
    [
      'a redirect',
      { status: 307, body: '', headers: { location: 'https://node.example/key' } },
      'misconfigured',
      'HTTP status 307 (misconfigured: it redirects to https://node.example. Name the URL',
    ],
    ...(['br', 'deflate'] as const).map((encoding): [string, NodeResponse, FaultKind, string] => [
      `the encoding ${encoding}`,
      {
        status: 200,
        body: (encoding === 'br' ? brotliCompressSync : deflateSync)('{"id":1,"result":"0x1"}'),
        headers: { 'content-encoding': encoding },
      },
      'down',
      `the response is not a JSON object: it is encoded as ${encoding}, although only gzip was accepted`,
    ]),
    [
      'an HTTP error with a JSON-RPC one',
      { status: 400, body: '{"error":{"code":-32601,"message":"no such method"}}' },
      'no method',
      'HTTP status 400, error -32601, no such method (no method: enable the method, or add',
    ],
    [
      'a response over the size limit',
      { status: 200, body: '{', headers: { 'content-length': String(2 ** 30) } },
      'too large',
      'the response is larger than 48 MB',
    ],
    ['the page of a proxy', { status: 200, body: '<html>' }, 'down', 'the response is not a JSON object'],
    ['an empty body', { status: 200, body: '' }, 'down', 'the response is not a JSON object'],
    [
      'damaged JSON',
      { status: 200, body: '{"id":' },
      'invalid response',
      'the response is not a JSON object',
    ],
    [
      'the id of another request',
      { result: '0x1', id: 'other' },
      'invalid response',
      'the response has the id of another request',
    ],
    [
      'a value that does not decode',
      { result: 'ten' },
      'invalid response',
      'result: expected a hex quantity',
    ],
    ['no result at all', { result: undefined }, 'invalid response', 'the response has no result'],
    ['a broken connection', { hangUp: true }, 'unreachable', 'unreachable ('],
    ['half a response', { cutOff: '{"jsonrpc":' }, 'unreachable', 'unreachable ('],
  ])('with the response %s fails with host, method and parameters', async (_, answer, kind, message) => {
    const refused = await refusalOf(calling(answer));
    expect(refused.message).toContain(message);
    expect(refused.message).toMatch(/^127\.0\.0\.1:\d+: eth_test 0x1 false: /);
    expect(refused.kind).toBe(kind);
  });

  describe('with fake timers', () => {
    beforeEach(() => {
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date', 'performance'],
      });
    });
    afterEach(() => jest.useRealTimers());

    test('without a response times out after 30 s', async () => {
      const requests = Promise.withResolvers<void>();
      await using node = await startJsonRpcServer(() => {
        requests.resolve();
        return { hang: true };
      });
      const givenUp = jest.fn();
      const refusal = refusalOf(
        call(endpointOf(ethereum, node.url), 'eth_test', ['0x1', false], decodeQuantity),
      );
      void refusal.then(givenUp);
      await requests.promise;
      jest.advanceTimersByTime(29_999);
      await turns(100);
      expect(givenUp).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect(await refusal).toMatchObject({
        message: `${node.host}: eth_test 0x1 false: no response within 30 s`,
        kind: 'timeout',
      });
    });

    test.each<[string, NodeResponse]>([
      ['answered', { result: '0x1' }],
      ['refused', { status: 500, body: '' }],
    ])('leaves no timer or listener after %s', async (_, answer) => {
      await calling(answer).catch(() => {});
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  test('rejects with the reason of its signal, before and during the request', async () => {
    const reason = new Error('out of time');
    const end = new AbortController();
    const requests = Promise.withResolvers<void>();
    await using node = await startJsonRpcServer(() => {
      requests.resolve();
      return { hang: true };
    });
    const endpoint = endpointOf(ethereum, node.url);
    const ended = call(endpoint, 'eth_test', [], decodeQuantity, { signal: end.signal }).catch(
      (error) => error,
    );
    await requests.promise;
    end.abort(reason);
    expect(await Promise.race([ended, turns(1_000)])).toBe(reason);
    await expect(call(endpoint, 'eth_test', [], decodeQuantity, { signal: end.signal })).rejects.toBe(reason);
    expect(node.calls).toHaveLength(1);
  });

  const refusedWith = async (error: unknown) =>
    (await refusalOf(calling({ status: 200, body: JSON.stringify({ error }) }))).message.replace(
      /^\S+ | \(down: [^)]*\)$/g,
      '',
    );
  const megabytes = 'a'.repeat(5_000_000);
  const cut = 'a'.repeat(300);

  test.each([
    ['a code', { code: megabytes, message: 'bad' }, `error ${cut}, bad`],
    ['a message', { code: 1, message: megabytes }, `error 1, ${cut}`],
  ])('with an error response quotes only the start of %s of megabytes', async (_, error, message) => {
    expect(await refusedWith(error)).toBe(`eth_test 0x1 false: ${message}`);
  });

  test.each([
    ['says', new Error('no certificate for my-secret.a.example')],
    ['names by its code', Object.assign(new Error(), { code: 'no certificate for my-secret.a.example' })],
  ])('redacts what the network %s, and has no cause', async (_, error) => {
    using _network = dispatchBy(dispatchFrom(() => () => Promise.reject(error)));
    const [endpoint] = secretEndpoints(ethereum, ['https://my-secret.a.example/']);
    const refused = await refusalOf(call(endpoint as Endpoint, 'eth_test', [], decodeQuantity));
    expect(refused.message).toContain('no certificate for ***.a.example');
    expect(inspect(refused)).not.toContain('my-secret');
    expect(refused.cause).toBeUndefined();
  });
});

test.each<[string, string, unknown, FaultKind]>([
  ['no bytes of a block', 'debug_getRawBlock', '0x', 'unavailable'],
  ['null', 'debug_getRawBlock', null, 'unavailable'],
  ['half a byte', 'debug_getRawBlock', '0x1', 'invalid response'],
  ['no bytes to another method', 'eth_test', '0x', 'invalid response'],
])('an endpoint that answers with %s does not have it, or is at fault', async (_, method, result, kind) => {
  await using node = await startJsonRpcServer(() => ({ result }));
  const refused = await refusalOf(call(endpointOf(ethereum, node.url), method, [], bytes));
  expect(refused.kind).toBe(kind);
});

test('the bytes of a block are decoded, and other hex is not', async () => {
  await using node = await startJsonRpcServer(() => ({ result: '0x0102' }));
  const endpoint = endpointOf(ethereum, node.url);
  expect(await call(endpoint, 'debug_getRawBlock', [], bytes)).toEqual(Buffer.of(1, 2));
  expect(await call(endpoint, 'eth_test', [], (value) => value)).toBe('0x0102');
});

describe('a redirect', () => {
  const endpoint = endpointOf(ethereum, 'https://node.example/v2/0123456789abcdef');
  const [secret] = secretEndpoints(ethereum, ['https://secret-key.provider.example/']) as [Endpoint];
  const read = (location: string, from = endpoint) =>
    jsonIn(from, 'eth_test', {
      status: 307,
      header: (name) => (name === 'location' ? location : undefined),
      body: Buffer.alloc(0),
    });

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
  ])('to %s names the host alone', (_, location, host) => {
    expect(() => read(location)).toThrow(
      `node.example: eth_test: HTTP status 307 (misconfigured: it redirects to ${host}. Name the URL that answers itself, since redirects are not followed)`,
    );
  });

  test('within a host whose name is secret does not show it', () => {
    expect(() => read('/', secret)).toThrow(': it redirects to https://***.provider.example. ');
  });

  test.each([
    [299, false],
    [300, true],
    [399, true],
    [400, false],
  ])('is one with the status %i: %p', (status, isRedirect) => {
    const header = (name: string) => (name === 'location' ? 'https://other.example/' : undefined);
    const reading = () => jsonIn(endpoint, 'eth_test', { status, header, body: Buffer.alloc(0) });
    expect(reading).toThrow(isRedirect ? /: it redirects to / : /^(?!.*redirects)/);
  });

  test.each(['', 'https://', 'http://a b'])('to "%s" gives no hint, or none that fails', (location) => {
    expect(() => read(location)).toThrow(EndpointError);
  });
});
