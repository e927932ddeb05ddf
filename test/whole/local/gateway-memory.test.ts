import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const REQUESTS = 40;
const BODY = Buffer.alloc(10 * 1024 * 1024);

/** A process with a gateway alone. It prints its URL, and then its memory whenever it reads a line. */
const GATEWAY = `
  const { startGateway } = await import(${JSON.stringify(pathToFileURL(resolve('local/gateway.ts')))});
  const answer = async () => ({ statusCode: 200, body: 'answer' });
  const handlers = { 'get-fees': answer, 'get-transaction-count': answer, pages: answer };
  const { url } = await startGateway({ port: 0 }, async () => true, handlers);
  const memory = () => process.memoryUsage.rss();
  console.log(JSON.stringify({ url, memory: memory() }));
  let peak = 0;
  setInterval(() => { peak = Math.max(peak, memory()); }, 5);
  process.stdin.on('data', () => console.log(JSON.stringify({ memory: Math.max(peak, memory()) })));`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const outputSchema = z.object({ url: z.string().optional(), memory: z.number() });

test('survives forty bodies of 10 MB to GET within 200 MB', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', GATEWAY]);
  children.push(child);
  const read = async () => outputSchema.parse(JSON.parse(String(await once(child.stdout, 'data'))));
  const { url = '', memory: before } = await read();
  const port = Number(new URL(url).port);
  const send = async () => {
    const socket = connect(port, '127.0.0.1');
    const head = ['Host: localhost', 'X-API-Key: any', `Content-Length: ${BODY.length}`, 'Connection: close'];
    socket.write(`GET /docs HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    socket.write(BODY);
    // The gateway may answer and close before it has read everything.
    socket.on('error', () => {});
    socket.resume();
    await new Promise((end) => socket.once('close', end));
  };
  await Promise.all(Array.from({ length: REQUESTS }, send));
  child.stdin.write('\n');
  const { memory } = await read();
  expect((memory - before) / 1024 ** 2).toBeLessThan(200);
});
