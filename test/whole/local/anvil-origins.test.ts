import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startAnvil } from '#local/anvil.ts';
import { rawRequest } from '#test/support/servers/raw-request.ts';
import { testIf } from '#test/support/test-if.ts';

/* Anvil 1.7.1 checks neither `Host` nor the `Origin` of a WebSocket, so its address must not be guessable. */

let child: ChildProcess;
let url: URL;
beforeAll(async () => {
  const guard = (started: ChildProcess) => {
    child = started;
  };
  url = new URL(await startAnvil({ chainId: 1, genesisTime: 0 }, guard));
});
afterAll(() => child.kill('SIGKILL'));

const CHAIN_ID = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });

// Other systems answer at one loopback address only.
const onLinux = testIf(process.platform === 'linux', 'Linux');

onLinux('listens at a random loopback address only', async () => {
  expect(url.hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
  expect(url.hostname).not.toBe('127.0.0.1');
  for (const host of ['127.0.0.1', '::1', '0.0.0.0']) {
    const socket = connect(Number(url.port), host);
    await expect(once(socket, 'connect')).rejects.toThrow();
  }
});

test('gives a page no permission to send JSON', async () => {
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://evil.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  });
  expect(response.ok).toBe(false);
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('runs no request that a page may send without permission', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { Origin: 'http://evil.example', 'Content-Type': type };
    const { body } = await rawRequest(url.href, { headers, body: CHAIN_ID });
    expect(body).not.toContain('"result"');
  }
});
