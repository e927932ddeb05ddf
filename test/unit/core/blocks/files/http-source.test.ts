import { createServer, type ServerResponse } from 'node:http';
import { createEraSource } from '#core/blocks/files/choose-source.ts';
import { createHttpSource } from '#core/blocks/files/http-source.ts';
import { eraFilesAmong, UnreadableError } from '#core/blocks/files/source.ts';
import { eraName } from '#test/support/generators/files/era-name.ts';
import { startEraMirror } from '#test/support/servers/era-mirror.ts';
import { serve } from '#test/support/servers/serve.ts';

const NAME = 'mainnet-00001-01234567.era1';
const BYTES = Buffer.from('0123456789');
const FILE = eraName(NAME);
const open = async ({ url }: { readonly url: string }, signal?: AbortSignal) =>
  (await createEraSource(`${url}/`)).open(FILE, signal);

test('lists the era files of Ethereum that the index page of a mirror names, once and in order', async () => {
  const names = [
    'mainnet-00002-89abcdef.ere',
    NAME,
    'mainnet-00003-89abcdef-noreceipts.ere',
    'mainnet-00004-89abcdef-noproofs.ere',
    'mainnet-00005-89abcdef.erae',
    'mainnet-00006-89abcdef.era',
    'sepolia-00000-89abcdef.era1',
    `${NAME}.torrent`,
  ];
  await using mirror = await startEraMirror(new Map(names.map((name) => [name, BYTES])));
  const source = await createEraSource(`${mirror.url}/`);
  expect((await source.list()).map(({ name }) => name)).toEqual([
    NAME,
    'mainnet-00002-89abcdef.ere',
    'mainnet-00004-89abcdef-noproofs.ere',
    'mainnet-00005-89abcdef.erae',
  ]);
});

test.each([
  ['mainnet-00000-a6860fef.erae', 'ere'],
  ['mainnet-00000-a6860fef-noproofs.ere', 'ere'],
  ['mainnet-00000-5ec1ffb8.era1', 'era1'],
  ['mainnet-00000-4b363db9.era', undefined],
  ['mainnet-00000-a6860fef-noproofs-noreceipts.ere', undefined],
])('reads a file named %s in the format %s', (name, format) => {
  expect(eraFilesAmong([name])[0]?.format).toBe(format);
});

test('reads any part of a file', async () => {
  await using mirror = await startEraMirror(new Map([[NAME, BYTES]]));
  const file = await open(mirror);
  expect((await file.read(4, 8)).toString()).toBe('4567');
});

test('refuses a mirror that does not have a file, or serves files only as a whole', async () => {
  await using mirror = await startEraMirror(new Map());
  await expect(open(mirror)).rejects.toThrow('answered 404');
  await using other = await serve(createServer((_, response) => response.end(BYTES)));
  await expect(open(other)).rejects.toThrow('does not serve parts of files');
});

test.each([
  ['8', 8],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740992', undefined],
  ['*', undefined],
  ['', undefined],
])('reads the size of a file where a part is said to be of %p bytes', async (stated, size) => {
  await using mirror = await serve(
    createServer((_, response) => response.writeHead(206, { 'content-range': `bytes 0-7/${stated}` }).end()),
  );
  const opened = open(mirror);
  if (size === undefined) await expect(opened).rejects.toThrow('does not serve parts of files');
  else expect((await opened).size).toBe(size);
});

test('repeats a request if the server fails or is busy, and no other', async () => {
  const requestsAfter = async (status: number) => {
    let received = 0;
    const server = createServer((_, response) => {
      received += 1;
      const isRight = received > 1;
      response.writeHead(isRight ? 206 : status, { 'content-range': 'bytes 0-7/10' }).end();
    });
    await using mirror = await serve(server);
    const result = await open(mirror).then(
      ({ size }) => size,
      (error) => String(error),
    );
    return [received, result];
  };
  expect(await Promise.all([429, 500, 404, 499].map(requestsAfter))).toEqual([
    [2, 10],
    [2, 10],
    [1, expect.stringContaining('answered 404')],
    [1, expect.stringContaining('answered 499')],
  ]);
});

test.each([
  [299, 'answered 299'],
  [300, 'answered 404 for /'],
  [399, 'answered 404 for /'],
  [400, 'answered 400'],
])('follows an address beside a status of 300 to 399 alone, such as %i', async (status, reason) => {
  const server = createServer(({ url }, response) =>
    url === '/next/'
      ? response.writeHead(404).end()
      : response.writeHead(status, { location: '/next/' }).end(),
  );
  await using mirror = await serve(server);
  await expect((await createEraSource(`${mirror.url}/`)).list()).rejects.toThrow(reason);
});

test.each([200, 206, 404])('ends endless responses with the status %i', async (status) => {
  let sent = 0;
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-range': 'bytes 0-7/10' });
    const send = () => {
      sent += 1 << 20;
      if (!response.destroyed) response.write(Buffer.alloc(1 << 20), () => setImmediate(send));
    };
    send();
  });
  await using mirror = await serve(server);
  // The signal ends the pause between two tries.
  await expect(open(mirror, AbortSignal.timeout(500))).rejects.toThrow(UnreadableError);
  expect(sent).toBeLessThan(64 << 20);
});

test('refuses a part that is shorter than requested, or of a file that became shorter', async () => {
  const files = new Map([[NAME, BYTES]]);
  await using mirror = await startEraMirror(files);
  const file = await open(mirror);
  await expect(file.read(8, 12)).rejects.toThrow('sent 2 bytes instead of 4');
  files.set(NAME, BYTES.subarray(0, 6));
  await expect(file.read(4, 8)).rejects.toThrow(UnreadableError);
});

test.each([
  ['at once', 0, () => {}],
  ['during a response', 1, (response: ServerResponse) => response.writeHead(206).write('0')],
  ['between two tries', 1, (response: ServerResponse) => response.writeHead(503).end()],
  ['while the mirror does not answer', 1, () => {}],
])('ends with its signal %s', async (when, requests, respond) => {
  const end = new AbortController();
  if (requests === 0) end.abort();
  let received = 0;
  await using mirror = await serve(
    createServer((_, response) => {
      received += 1;
      respond(response);
      setTimeout(() => end.abort(), 200);
    }),
  );
  await expect(open(mirror, end.signal)).rejects.toThrow(
    when === 'between two tries' ? 'answered 503' : 'the run ended before it responded',
  );
  expect(received).toBe(requests);
});

describe('a mirror elsewhere', () => {
  const elsewhere = async () => false;

  test('must not lead to this machine, whether by address or by name', async () => {
    await using mirror = await startEraMirror(new Map([[NAME, BYTES]]));
    const { port } = new URL(mirror.url);
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
      const source = createHttpSource(`http://${host}:${port}/`, elsewhere);
      await expect(source.list()).rejects.toThrow(/is an address of this machine or of a private network/);
    }
  });

  test('must not lead back to a private network from which it was reached', async () => {
    await using mirror = await startEraMirror(new Map([[NAME, BYTES]]));
    const leadTo = (host: string) => `http://${host}:${new URL(mirror.url).port}/`;
    let next = leadTo('localhost');
    await using start = await serve(
      createServer((_, response) => response.writeHead(302, { location: next }).end()),
    );
    const source = createHttpSource(`${start.url}/`, async (host) => host !== 'localhost');
    await expect(source.list()).rejects.toThrow(/localhost is an address of this machine/);
    next = leadTo('127.0.0.1');
    expect((await source.list()).map(({ name }) => name)).toEqual([NAME]);
  });

  test('may redirect three times', async () => {
    let received = 0;
    const server = createServer((_, response) => {
      received += 1;
      response.writeHead(302, { location: '/next/' }).end();
    });
    await using mirror = await serve(server);
    await expect(createHttpSource(`${mirror.url}/`).list()).rejects.toThrow('answered 302');
    expect(received).toBe(4);
  });

  test('may lead to this machine if it is on it', async () => {
    await using mirror = await startEraMirror(new Map([[NAME, BYTES]]));
    await using start = await serve(
      createServer((_, response) => response.writeHead(302, { location: `${mirror.url}/` }).end()),
    );
    expect((await createHttpSource(`${start.url}/`).list()).map(({ name }) => name)).toEqual([NAME]);
  });
});
