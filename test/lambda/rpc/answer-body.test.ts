import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { AnswerTooLargeError, withBody } from '../../../lambda/rpc/answer-body.ts';

interface BodyServer extends AsyncDisposable {
  readonly url: string;
}

async function startServer(listener: RequestListener): Promise<BodyServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Small enough that 100 bytes are big and 1,000,000 too many. */
const limits = { largest: 1_000_000, big: 100 };

const asIs = (text: string) => text;

/** A big body whose end the test decides on. */
async function startUnfinished() {
  const started = Promise.withResolvers<ServerResponse>();
  const server = await startServer((_, response) => {
    response.write('a'.repeat(200));
    started.resolve(response);
  });
  return { ...server, end: async () => (await started.promise).end('b') };
}

/** Sends without end, as fast as it is read, and tells when the connection is closed. */
async function startEndless() {
  const closed = Promise.withResolvers<void>();
  const server = await startServer((_, response) => {
    const write = () => {
      while (response.write('a'.repeat(10_000)));
    };
    response.on('drain', write).on('close', closed.resolve);
    write();
  });
  return { ...server, closed: closed.promise };
}

const startBig = () => startServer((_, response) => response.end('a'.repeat(300)));

describe('a body', () => {
  test('goes to its user as text, and what that makes of it is returned', async () => {
    await using server = await startServer((_, response) => response.end('{"a":1}'));
    expect(await withBody(await fetch(server.url), (text) => JSON.parse(text))).toEqual({ a: 1 });
  });

  test('that is empty is empty text', async () => {
    await using server = await startServer((_, response) => response.writeHead(204).end());
    expect(await withBody(await fetch(server.url), asIs)).toBe('');
    expect(await withBody(new Response(null), asIs)).toBe('');
  });

  test.each([
    ['small', 30],
    ['big', 3],
  ])('that is %s keeps characters whole that are split across chunks', async (_, big) => {
    await using server = await startServer(async (_, response) => {
      for (const byte of Buffer.from('é€😀')) {
        response.write(Buffer.of(byte));
        await sleep(5);
      }
      response.end();
    });
    expect(await withBody(await fetch(server.url), asIs, { ...limits, big })).toBe('é€😀');
  });

  test.each([
    ['small', 1_000],
    ['big', 10],
  ])('that is %s is decompressed', async (_, big) => {
    await using server = await startServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(500))),
    );
    expect(await withBody(await fetch(server.url), asIs, { ...limits, big })).toBe('a'.repeat(500));
  });

  test('leaves the connection open for the next one once it is read', async () => {
    const ports: (number | undefined)[] = [];
    await using server = await startServer(({ socket }, response) => {
      ports.push(socket.remotePort);
      response.end('a'.repeat(300));
    });
    await withBody(await fetch(server.url), asIs, limits);
    // fetch takes a moment to put a connection back.
    await sleep(50);
    await withBody(await fetch(server.url), asIs, limits);
    expect(ports[1]).toBe(ports[0]);
  });
});

describe('a body that is too large', () => {
  test('is refused by its content-length without being read', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await startServer((_, response) => {
      response.on('close', closed.resolve).writeHead(200, { 'content-length': 160 * 2 ** 20 + 1 });
      response.flushHeaders();
    });
    const use = jest.fn();
    const reading = withBody(await fetch(server.url), use);
    await expect(reading).rejects.toThrow(AnswerTooLargeError);
    await expect(reading).rejects.toThrow('the answer is larger than 160 MB');
    await closed.promise;
    expect(use).not.toHaveBeenCalled();
  });

  test('and does not say so is refused while it is read, and the connection closed', async () => {
    await using server = await startEndless();
    await expect(withBody(await fetch(server.url), asIs, limits)).rejects.toThrow(AnswerTooLargeError);
    await server.closed;
  });

  test('only after decompression is refused', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(1_000_001))),
    );
    await expect(withBody(await fetch(server.url), asIs, limits)).rejects.toThrow(AnswerTooLargeError);
  });

  test('by one byte is refused, and one of exactly the limit is not', async () => {
    await using server = await startServer((_, response) => {
      response.write('a'.repeat(150));
      response.end('a'.repeat(50));
    });
    expect(await withBody(await fetch(server.url), asIs, { big: 100, largest: 200 })).toHaveLength(200);
    await expect(withBody(await fetch(server.url), asIs, { big: 100, largest: 199 })).rejects.toThrow(
      AnswerTooLargeError,
    );
  });
});

describe('of two big bodies', () => {
  test('the second is used after the first, although it is whole before', async () => {
    await using first = await startUnfinished();
    await using second = await startBig();
    const used: string[] = [];
    const reading = [
      withBody(await fetch(first.url), () => used.push('first'), limits),
      withBody(await fetch(second.url), () => used.push('second'), limits),
      // Unlike that of a fetch, this one's body closes while nobody reads it.
      withBody(new Response('a'.repeat(300)), () => used.push('third'), limits),
    ];
    await sleep(100);
    expect(used).toEqual([]);
    await first.end();
    await Promise.all(reading);
    expect(used).toEqual(['first', 'second', 'third']);
  });

  test('the second is not even begun when its content-length tells that it is big', async () => {
    await using first = await startUnfinished();
    const pull = jest.fn((controller: ReadableStreamDefaultController) => {
      controller.enqueue(Buffer.alloc(300));
      controller.close();
    });
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const one = withBody(await fetch(first.url), asIs, limits);
    await sleep(50);
    const two = withBody(new Response(body, { headers: { 'content-length': '300' } }), asIs, limits);
    await sleep(50);
    expect(pull).not.toHaveBeenCalled();
    await first.end();
    await one;
    expect(await two).toHaveLength(300);
  });

  test('the second is not read on while the first has its turn', async () => {
    await using first = await startUnfinished();
    await using endless = await startEndless();
    const done: string[] = [];
    const reading = [
      withBody(await fetch(first.url), () => done.push('first used'), limits),
      // It would be refused as soon as a million bytes of it are read.
      withBody(await fetch(endless.url), asIs, limits).catch(() => done.push('second refused')),
    ];
    await sleep(200);
    expect(done).toEqual([]);
    await first.end();
    await Promise.all(reading);
    expect(done).toEqual(['first used', 'second refused']);
  });

  test('neither keeps a small one waiting', async () => {
    const startSmall = () => startServer((_, response) => response.end('small'));
    await using first = await startUnfinished();
    await using second = await startBig();
    await using small = await startSmall();
    const big = [
      withBody(await fetch(first.url), asIs, limits),
      withBody(await fetch(second.url), asIs, limits),
    ];
    expect(await withBody(await fetch(small.url), asIs, limits)).toBe('small');
    await first.end();
    await Promise.all(big);
  });

  test('the second is let in when the first stalls and is aborted', async () => {
    await using stalled = await startUnfinished();
    await using second = await startBig();
    const stop = new AbortController();
    const response = await fetch(stalled.url, { signal: stop.signal });
    const first = expect(withBody(response, asIs, limits)).rejects.toThrow('too late');
    const next = withBody(await fetch(second.url), asIs, limits);
    await sleep(50);
    stop.abort(new Error('too late'));
    await first;
    expect(await next).toHaveLength(300);
  });

  test('the second is let in when the connection of the first breaks', async () => {
    const started = Promise.withResolvers<ServerResponse>();
    const startBreaking = () =>
      startServer((_, response) => {
        response.write('a'.repeat(200));
        started.resolve(response);
      });
    await using breaking = await startBreaking();
    await using second = await startBig();
    const first = expect(withBody(await fetch(breaking.url), asIs, limits)).rejects.toThrow('terminated');
    const next = withBody(await fetch(second.url), asIs, limits);
    await sleep(50);
    (await started.promise).destroy();
    await first;
    expect(await next).toHaveLength(300);
  });

  test.each<[string, () => Promise<BodyServer>]>([
    ['is refused as too large', startEndless],
    ['is refused by its user', startBig],
  ])('the second is let in when the first %s', async (_, start) => {
    await using refused = await start();
    await using second = await startBig();
    const refuse = () => {
      throw new Error('not JSON');
    };
    const first = expect(withBody(await fetch(refused.url), refuse, limits)).rejects.toThrow();
    const next = withBody(await fetch(second.url), asIs, limits);
    await first;
    expect(await next).toHaveLength(300);
  });

  test('the second can be aborted while it waits, and a third then follows the first', async () => {
    await using first = await startUnfinished();
    await using second = await startEndless();
    await using third = await startBig();
    const one = withBody(await fetch(first.url), asIs, limits);
    const stop = new AbortController();
    const response = await fetch(second.url, { signal: stop.signal });
    const waiting = expect(withBody(response, asIs, limits)).rejects.toThrow('too late');
    const used = jest.fn();
    const three = withBody(await fetch(third.url), used, limits);
    await sleep(50);
    stop.abort(new Error('too late'));
    await waiting;
    await second.closed;
    await sleep(50);
    expect(used).not.toHaveBeenCalled();
    await first.end();
    await Promise.all([one, three]);
    expect(used).toHaveBeenCalledTimes(1);
  });
});

test('two answers of 160 MB at once fit into a heap of 400 MB and a process of 1 GB', async () => {
  const log = { address: `0x${'a'.repeat(40)}`, topics: Array(3).fill(`0x${'7'.repeat(64)}`), data: '0x' };
  const receipt = { gasUsed: '0x5208', logsBloom: `0x${'0'.repeat(512)}`, logs: Array(30).fill(log) };
  const before = '{"result":[';
  const after = 'null]}';
  const part = `${JSON.stringify(receipt)},`.repeat(100);
  const parts = Math.floor((160 * 2 ** 20 - before.length - after.length) / part.length);
  await using server = await startServer((_, response) => {
    const body = [before, ...Array<string>(parts).fill(part), after];
    // A reader that runs out of memory hangs up, and its exit code tells of that.
    pipeline(body, response).catch(() => {});
  });

  const reader = `
    import { withBody } from ${JSON.stringify(join(process.cwd(), 'lambda/rpc/answer-body.ts'))};
    const read = async () => withBody(await fetch(${JSON.stringify(server.url)}), (text) =>
      JSON.parse(text).result.map((receipt) => receipt?.gasUsed));
    const [{ length }] = await Promise.all([read(), read()]);
    console.log(JSON.stringify({ length, peak: process.resourceUsage().maxRSS / 1024 }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=400',
    '--input-type=module',
    '--eval',
    reader,
  ]);
  const { length, peak } = JSON.parse(stdout);
  expect(length).toBe(parts * 100 + 1);
  expect(peak).toBeLessThan(1024);
});
