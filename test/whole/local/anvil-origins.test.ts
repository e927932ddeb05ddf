import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startAnvil } from '#local/anvil.ts';
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
