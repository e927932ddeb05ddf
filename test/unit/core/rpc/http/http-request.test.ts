import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type HttpResponse, sendHttp } from '#core/rpc/http/http-request.ts';
import { ResponseError } from '#core/rpc/http/response-body.ts';
import { type Served, serve } from '#test/support/servers/serve.ts';

const startServer = (listener: RequestListener) => serve(createServer(listener));

/** 100 bytes are big, and 1,000,000 too large. */
const limits = { largest: 1_000_000, streamed: 1_000_000, big: 100, minBytesPerSecond: 0 };

const textOf = ({ body }: HttpResponse) => body.toString();

const ask = <T>(
  { url }: Served,
  use: (answer: HttpResponse) => T,
  { signal = new AbortController().signal, ...given }: { signal?: AbortSignal; big?: number } = {},
) => sendHttp({ url, headers: {}, body: '{}', signal, limits: { ...limits, ...given } }, use);

/** Sends without end and reports when the connection is closed. */
async function startEndless(encoding?: 'gzip') {
  const closed = Promise.withResolvers<void>();
  // Incompressible, so that it fills the connection soon.
  const text = randomBytes(5_000).toString('hex');
  const part = encoding ? gzipSync(text) : text;
  const server = await startServer((_, response) => {
    const write = () => {
      while (response.write(part));
    };
    response.on('drain', write).on('close', closed.resolve);
    if (encoding) response.setHeader('content-encoding', encoding);
    write();
  });
  return { ...server, closed: closed.promise };
}

const startBig = () => startServer((_, response) => response.end('a'.repeat(300)));

const startGzip = (body: string | Buffer, encoding = 'gzip') =>
  startServer((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));

describe('a request', () => {
  test('is a POST with its headers and body, accepts gzip and names the client', async () => {
    const seen = Promise.withResolvers<[IncomingMessage, string]>();
    await using server = await startServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      seen.resolve([request, text]);
      response.end();
    });
    const { signal } = new AbortController();
    const headers = { 'content-type': 'application/json' };
    await sendHttp({ url: `${server.url}/a?b=c`, headers, body: '["é"]', signal }, () => {});
    const [request, text] = await seen.promise;
    expect(request).toMatchObject({ method: 'POST', url: '/a?b=c' });
    expect(request.headers).toMatchObject({
      ...headers,
      'content-length': '6',
      'accept-encoding': 'gzip',
      'user-agent': 'chain-insights',
    });
    expect(text).toBe('["é"]');
  });

  test('that is aborted while connecting fails at once and is not sent', async () => {
    let isAsked = false;
    await using server = await startServer((_, response) => {
      isAsked = true;
      response.end();
    });
    const stop = new AbortController();
    const requests = ask(server, textOf, { signal: stop.signal });
    stop.abort(new Error('over'));
    await expect(requests).rejects.toThrow('over');
    await sleep(50);
    expect(isAsked).toBe(false);
  });
});

describe('a response', () => {
  test('has its status, its headers and its body', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(418, { 'Retry-After': '7', 'X-Twice': ['a', 'b'] }).end('{"a":1}'),
    );
    const answer = await ask(server, ({ status, header, body }) => ({
      status,
      headers: ['retry-after', 'x-twice', 'x-never'].map(header),
      body: JSON.parse(body.toString()),
    }));
    expect(answer).toEqual({ status: 418, headers: ['7', 'a,b', undefined], body: { a: 1 } });
  });

  test.each([
    ['with a byte order mark has the bytes after it', '\uFEFF{"a":1}', '{"a":1}'],
    ['with such a character later keeps it', '"\uFEFF"', '"\uFEFF"'],
  ])('%s', async (_, sent, text) => {
    await using server = await startServer((_, response) => response.end(sent));
    expect((await ask(server, ({ body }) => Buffer.from(body))).equals(Buffer.from(text))).toBe(true);
  });

  test.each([
    ['small', 30],
    ['big', 3],
  ])('that is %s keeps characters that span chunks', async (_, big) => {
    await using server = await startServer(async (_, response) => {
      for (const byte of Buffer.from('é€😀')) {
        response.write(Buffer.of(byte));
        await sleep(5);
      }
      response.end();
    });
    expect(await ask(server, textOf, { big })).toBe('é€😀');
  });

  test.each([
    ['small', 'gzip', 1_000_000],
    ['big', 'GZIP', 10],
    ['small and encoded as x-gzip', 'x-gzip', 1_000_000],
  ])('that is %s is decompressed', async (_, encoding, big) => {
    await using server = await startGzip(gzipSync('é'.repeat(200_000)), encoding);
    expect(await ask(server, textOf, { big })).toBe('é'.repeat(200_000));
  });

  test('that cannot be decompressed is refused', async () => {
    await using server = await startGzip('{}');
    await expect(ask(server, textOf)).rejects.toThrow('incorrect header check');
  });

  test('with an empty or truncated gzip body has the bytes before its end', async () => {
    await using nothing = await startGzip('');
    expect(await ask(nothing, textOf)).toBe('');
    await using half = await startGzip(gzipSync('a'.repeat(500)).subarray(0, -10));
    expect(await ask(half, textOf)).toMatch(/^a*$/);
  });

  test.each([
    ['refused by the caller', '', startBig],
    ['decompressed and refused by the caller', 'gzip', () => startGzip(gzipSync('a'.repeat(300)))],
  ])('that is %s fails with that error', async (_, __, start) => {
    await using server = await start();
    const refuse = () => {
      throw new Error('not JSON');
    };
    await expect(ask(server, refuse)).rejects.toThrow('not JSON');
  });

  test('leaves the connection open for the next request', async () => {
    const ports: (number | undefined)[] = [];
    await using server = await startServer(({ socket }, response) => {
      ports.push(socket.remotePort);
      response.end('a'.repeat(300));
    });
    await ask(server, textOf);
    // undici needs a moment to return a connection to its pool.
    await sleep(50);
    await ask(server, textOf);
    expect(ports[1]).toBe(ports[0]);
  });
});

describe('a response that is too large', () => {
  test('is refused by its content-length, and the connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await startServer((_, response) => {
      response.on('close', closed.resolve).writeHead(200, { 'content-length': 1_000_001 });
      response.flushHeaders();
    });
    const use = jest.fn();
    await expect(ask(server, use)).rejects.toThrow(ResponseError);
    await closed.promise;
    expect(use).not.toHaveBeenCalled();
  });

  test.each([
    ['has no content-length', undefined],
    ['is compressed', 'gzip' as const],
  ])('and %s is refused while it is read, and the connection is closed', async (_, encoding) => {
    await using server = await startEndless(encoding);
    await expect(ask(server, textOf)).rejects.toThrow(ResponseError);
    await server.closed;
  });
});
