import { type EmbeddedTable, startEmbeddedTable } from '#local/embedded-table.ts';
import { type Gateway, startGateway } from '#local/gateway.ts';
import { rawRequest } from '#test/support/servers/raw-request.ts';
import { handlersOf } from '#test/support/servers/service.ts';

const NAMES_OF_THIS_MACHINE = [
  'localhost',
  'LOCALHOST:8000',
  '127.0.0.1:8000',
  '172.17.0.1:8000',
  '[::1]:8000',
  'host.docker.internal:8000',
];
const FOREIGN_NAMES = [
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  'evil.example#127.0.0.1',
  'evil-localhost',
  'host.docker.internal.evil.example',
];

describe('the table', () => {
  let table: EmbeddedTable;
  beforeAll(async () => {
    table = await startEmbeddedTable();
  });
  afterAll(() => table.close());

  /** Writes a key that a page has chosen, with any signature. */
  const attack = (headers: Readonly<Record<string, string>>) =>
    rawRequest(table.endpoint, {
      headers: {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'DynamoDB_20120810.PutItem',
        'X-Amz-Date': '20260101T000000Z',
        Authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=none',
        ...headers,
      },
      body: JSON.stringify({
        TableName: table.keys.name,
        Item: { hash: { S: 'of the page' }, date: { S: 'key' }, enabled: { BOOL: true } },
      }),
    });
  const items = async () =>
    (await table.keys.getItem({ hash: 'of the page', date: 'key' })) === undefined ? 0 : 1;

  test.each(['http://evil.example', 'https://evil.example', 'null', 'http://localhost:3000', ''])(
    'refuses a write of a page with the origin %p',
    async (Origin) => {
      expect(await attack({ Origin })).toMatchObject({ status: 403 });
      expect(await items()).toBe(0);
    },
  );

  test.each(FOREIGN_NAMES)('refuses a write through DNS rebinding, with the host %p', async (Host) => {
    expect((await attack({ Host })).status).not.toBe(200);
    expect(await items()).toBe(0);
  });

  test('answers a preflight request with 403 and without CORS headers', async () => {
    const response = await fetch(table.endpoint, {
      method: 'OPTIONS',
      headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  // Last, because it shows that the attack works without a foreign header.
  test.each(NAMES_OF_THIS_MACHINE)('accepts a write of a program with the host %s', async (Host) => {
    expect(await attack({ Host })).toMatchObject({ status: 200 });
    expect(await items()).toBe(1);
  });
});

describe('the API', () => {
  const answer = async () => ({ statusCode: 200, body: 'answer' });
  const gateways: Gateway[] = [];
  const start = async (host: string) => {
    const gateway = await startGateway({ host, port: 0 }, async () => true, handlersOf(answer));
    gateways.push(gateway);
    return `http://127.0.0.1:${new URL(gateway.url).port}/`;
  };
  afterEach(() => Promise.all(gateways.splice(0).map((gateway) => gateway.close())));

  test.each(FOREIGN_NAMES)('refuses a page that DNS rebinding leads here, with the host %p', async (Host) => {
    const { status } = await rawRequest(await start('127.0.0.1'), { method: 'GET', headers: { Host } });
    expect([400, 403]).toContain(status);
  });

  test.each(NAMES_OF_THIS_MACHINE)('answers a request for %s', async (Host) => {
    const url = await start('127.0.0.1');
    expect(await rawRequest(url, { method: 'GET', headers: { Host } })).toMatchObject({ status: 200 });
  });

  test.each([
    ['https://evil.example', 403],
    ['http://localhost:1', 403],
    ['null', 403],
    ['http://localhost', 200],
    ['https://localhost', 200],
  ])('answers a request of a page of %s with %i', async (Origin, status) => {
    const headers = { Host: 'localhost', Origin };
    const url = await start('127.0.0.1');
    expect(await rawRequest(url, { method: 'GET', headers })).toMatchObject({ status });
  });
});
