import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { chainInsights } from '#clients/typescript/src/index.ts';
import { createFolder } from '#test/support/folders.ts';
import { run, testWith } from '#test/support/processes/client-process.ts';
import { testIf } from '#test/support/test-if.ts';

/* Both libraries repeat a request in the same cases. */

/** Requests the chains, with a number of repetitions, and returns the error. */
type Client = (url: string, retries: number) => Promise<string>;

const typescript: Client = (url, retries) =>
  chainInsights({ url, key: 'any', retries })
    .chains()
    .then(String, (error: Error) => error.message);

const python: Client = async (url, retries) => {
  const program = `import os; from chain_insights import *; ChainInsights(os.environ["CHAIN_INSIGHTS_URL"], "any", ${retries}).chains()`;
  return (await run(`python3 -c '${program}'`, { folder: 'clients/python', url, key: 'any' })).stderr;
};

/** Counts the connections that a client with one repetition makes to a server of TLS that fails. */
async function countConnections(server: Server, client: Client): Promise<number> {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await client(`https://localhost:${port}`, 1)).toContain('Cannot reach the service');
  server.close();
  return connections;
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return `http://localhost:${port}`;
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Returns a key and a certificate that no client trusts. */
function selfSigned() {
  const folder = createFolder();
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', ...options, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

describe.each([
  ['the TypeScript library', typescript, 'node'],
  ['the Python library', python, 'python3'],
])('%s', (_, client, runtime) => {
  const testClient = testWith(runtime);

  testClient('repeats after a connection that is reset before the request is sent', async () => {
    expect(
      await countConnections(
        createServer((socket) => socket.resetAndDestroy()),
        client,
      ),
    ).toBe(2);
  });

  (hasOpenssl ? testClient : testIf(false, 'openssl'))(
    'does not repeat when the certificate is not trusted',
    async () => {
      expect(await countConnections(createTlsServer(selfSigned()), client)).toBe(1);
    },
  );

  testClient.each([
    ['a port that nothing listens on', closedPort],
    ['a scheme other than HTTP', () => 'ftp://localhost'],
    ['what is no URL', () => 'no URL'],
  ])('does not repeat when the URL is %s', async (_what, urlOf) => {
    // The pauses between 20 tries would outlast the test.
    expect(await client(await urlOf(), 20)).toContain('Cannot reach the service');
  });
});
