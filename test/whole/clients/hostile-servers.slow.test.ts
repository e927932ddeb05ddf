import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { chainInsights } from '#clients/typescript/src/index.ts';
import { createFolder } from '#test/support/folders.ts';
import { run, testWith } from '#test/support/processes/client-process.ts';
import { useServer } from '#test/support/servers/serve.ts';
import { testIf } from '#test/support/test-if.ts';

/*
 * Neither library shows a key or the credentials of a URL, no Retry-After makes it crash, loop or wait without end, and both repeat a
 * request in the same cases.
 */

let retryAfter = '';
let requests = 0;
let detail = 'Later.';
let isEndless = false;
const url = useServer(
  createServer((_, response) => {
    requests += 1;
    if (isEndless) return sendForever(response);
    response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': retryAfter });
    response.end(JSON.stringify({ title: 'Unavailable', detail, status: 503 }));
  }),
);
beforeEach(() => {
  requests = 0;
  detail = 'Later.';
  isEndless = false;
});

/** Sends JSON until the client disconnects. */
function sendForever(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const send = () => {
    while (!response.destroyed && response.write(' '.repeat(1_000_000)));
  };
  response.on('drain', send).on('error', () => {});
  send();
}

/** Requests the chains, by default with one repetition, and returns everything that a user sees. */
type Client = (url: string, key: string, retries?: number) => Promise<string>;

const typescript: Client = (to, key, retries = 1) =>
  Promise.resolve()
    .then(() => chainInsights({ url: to, key, retries }).chains())
    .then(String, (error: Error) => `${error.message} ${error.stack} ${JSON.stringify(error)}`);

const python: Client = async (to, key, retries = 1) => {
  // A NUL cannot be part of an environment variable.
  const program = `import json, os; from chain_insights import *; ChainInsights(os.environ["CHAIN_INSIGHTS_URL"], json.loads(os.environ["CHAIN_INSIGHTS_KEY"]), ${retries}).chains()`;
  return (
    await run(`python3 -c '${program}'`, { folder: 'clients/python', url: to, key: JSON.stringify(key) })
  ).stderr;
};

/** Counts the connections that a client with one repetition makes to a server of TLS that fails. */
async function countConnections(server: Server, client: Client): Promise<number> {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await client(`https://localhost:${port}`, 'any')).toContain('Cannot reach the service');
  server.close();
  return connections;
}

async function closedPort(): Promise<string> {
  const server = createTcpServer();
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
] as const)('%s', (_, client, runtime) => {
  const testClient = testWith(runtime);

  testClient.each(['secret\nsecret', 'secret\u0000secret', 'secret\r\nX-Other: 1', 'sécret-secret'])(
    'refuses the key %j without showing it',
    async (key) => {
      const shown = await client(url(), key);
      expect(shown).toContain('The key holds a character that no HTTP header can hold');
      expect(shown).not.toContain('cret');
      expect(requests).toBe(0);
    },
  );

  testClient('names the variable that is missing', async () => {
    expect(await client(url(), ' ')).toContain('No key: set CHAIN_INSIGHTS_KEY, or pass key.');
    expect(await client('', 'any')).toContain('No URL of the service: set CHAIN_INSIGHTS_URL, or pass url.');
  });

  testClient('accepts a key with the line feed of its file', async () => {
    retryAfter = '3600';
    expect(await client(url(), 'secret\n')).toContain('Unavailable: Later.');
  });

  testClient('refuses a URL with credentials without showing them', async () => {
    const shown = await client(url().replace('http://', 'http://alice:hunter2@'), 'any');
    expect(shown).toContain('The URL holds a user name or a password');
    expect(shown).not.toMatch(/hunter2|alice/);
    expect(requests).toBe(0);
  });

  testClient('stops reading a response that does not end', async () => {
    isEndless = true;
    expect(await client(url(), 'any')).toContain('more than 16 MB');
    expect(requests).toBe(1);
  });

  testClient('shows the control characters of an error, and does not send them to the terminal', async () => {
    retryAfter = '3600';
    detail = '\u001b[2J\u202eLater.\u0007';
    const shown = await client(url(), 'any');
    expect(shown).toMatch(/Unavailable: .*1b.*\[2J.*202e.*Later\..*7/);
    const [message] = shown.split(' {"');
    expect(message).not.toMatch(/[^\P{C}\n]/u);
  });

  testClient.each([
    ['0', 2],
    ['-5', 1],
    [' ', 1],
    ['\u00b2', 1],
    ['9'.repeat(5_000), 1],
    ['1e0', 1],
    ['0x1', 1],
    ['1', 2],
  ])('ends after Retry-After: %.9s', async (header, expected) => {
    retryAfter = header;
    const startedAt = performance.now();
    expect(await client(url(), 'any')).toContain('Unavailable: Later.');
    expect(requests).toBe(expected);
    // The first pause, however short the service asks it to be.
    if (expected > 1) expect(performance.now() - startedAt).toBeGreaterThan(200);
  });

  testClient('repeats after a connection that is reset before the request is sent', async () => {
    expect(
      await countConnections(
        createTcpServer((socket) => socket.resetAndDestroy()),
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
    ['what is not a URL', () => 'no URL'],
  ])('does not repeat when the URL is %s', async (_what, urlOf) => {
    // The pauses between 20 tries would outlast the test.
    expect(await client(await urlOf(), 'any', 20)).toContain('Cannot reach the service');
  });
});
