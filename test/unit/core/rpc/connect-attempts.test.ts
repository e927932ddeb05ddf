import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  connect,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { allowSlowConnects } from '#core/rpc/connect-attempts.ts';

const SERVER = `
  const server = require('node:http').createServer((_, response) => response.end('reached'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;

/** Runs a server that is stopped, with a full queue, so that it accepts a connection only after it continues. */
async function startStopped() {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(child.stdout, 'data');
  const port = Number(line);
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(fillers.slice(0, 2).map((one) => once(one, 'connect')));
  return {
    port,
    proceed: () => child.kill('SIGCONT'),
    [Symbol.dispose]: () => {
      for (const one of fillers) one.destroy();
      child.kill('SIGKILL');
    },
  };
}

/** Requests from a host with a slow address and one of IPv6 without a route. */
async function requestSlowly() {
  using server = await startStopped();
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '100::1', family: 6 },
  ];
  const lookup = (_: string, __: unknown, done: (error: null, found: typeof addresses) => void) =>
    done(null, addresses);
  const dispatcher = new Agent({ connect: { lookup: lookup as never } });
  const answer = request(`http://two.example:${server.port}/`, { dispatcher }).then(
    ({ body }) => body.text(),
    ({ code }) => code,
  );
  // Longer than the default, so that the packet that the full queue dropped is sent again after it.
  await sleep(400);
  server.proceed();
  // Awaited, so that the server lives until then.
  return await answer.finally(() => dispatcher.destroy());
}

// Linux drops a connection while the queue is full; others refuse it.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a slow address is reached beside one of IPv6 that has no route', async () => {
  const before = getDefaultAutoSelectFamilyAttemptTimeout();
  try {
    setDefaultAutoSelectFamilyAttemptTimeout(250);
    expect(await requestSlowly()).not.toBe('reached');
    allowSlowConnects();
    expect(await requestSlowly()).toBe('reached');
  } finally {
    setDefaultAutoSelectFamilyAttemptTimeout(before);
  }
});
