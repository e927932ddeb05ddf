import { once } from 'node:events';
import { connect } from 'node:net';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Gateway, MAX_CONNECTIONS, startGateway } from '#local/gateway.ts';
import { handlersOf } from '#test/support/servers/service.ts';

const FEES = '/api/chain-insights/fees';
const seen: { event: APIGatewayProxyEvent; context: Context }[] = [];
let respond: () => Promise<APIGatewayProxyResult>;
let gateway: Gateway;

beforeAll(async () => {
  const handler = async (event: APIGatewayProxyEvent, context: Context) => {
    seen.push({ event, context });
    return respond();
  };
  const isAllowed = async (key: string) => key === 'right';
  gateway = await startGateway({ port: 0 }, isAllowed, handlersOf(handler));
});
beforeEach(() => {
  seen.length = 0;
  respond = async () => ({ statusCode: 200, headers: { 'X-Test': 'yes' }, body: 'answer' });
});
afterAll(() => gateway.close());

const send = (path: string, init: RequestInit = {}, key = 'right') =>
  fetch(gateway.url + path, { ...init, headers: { 'X-API-Key': key, ...init.headers } });

test('passes a request to its function as a proxy event', async () => {
  await send(`${FEES}?chain=BSC&chain=B%20C&x=`, {
    method: 'POST',
    body: 'text',
    headers: { 'Content-Type': 'a/b' },
  });
  expect(seen[0]?.context.functionName).toBe('get-fees');
  expect(seen[0]?.event).toMatchObject({
    resource: FEES,
    path: FEES,
    httpMethod: 'POST',
    headers: { 'content-type': 'a/b' },
    multiValueQueryStringParameters: { chain: ['BSC', 'B C'], x: [''] },
    body: 'text',
    isBase64Encoded: false,
    requestContext: { httpMethod: 'POST', requestId: expect.any(String) },
  });
});

test.each([
  ['an unknown path and method', 404, '/nothing', 'POST', 'right'],
  ['an unknown method', 404, FEES, 'DELETE', 'right'],
  ['PUT', 404, FEES, 'PUT', 'right'],
  ['OPTIONS', 404, FEES, 'OPTIONS', 'right'],
  ['a method that a route lacks', 404, '/api/chain-insights/chains', 'POST', 'right'],
  ['a method that pages lack', 404, '/', 'POST', 'right'],
  ['a wrong key', 403, FEES, 'GET', 'wrong'],
  ['no key', 403, FEES, 'POST', ''],
])(
  'answers %s with a problem of status %i, without calling a function',
  async (_, status, path, method, key) => {
    const response = await send(path, { method }, key);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      title: status === 404 ? 'Not Found' : 'Forbidden',
      status,
      detail: expect.any(String),
      request_id: response.headers.get('x-amzn-requestid'),
    });
    expect(seen).toEqual([]);
  },
);

test.each([
  ['/', '/', null],
  ['/docs', '/docs', null],
  ['/docs/', '/docs', null],
  ['/openapi.json', '/openapi.json', null],
  ['/assets/any.js', '/assets/{file}', { file: 'any.js' }],
  // The pages say that there is nothing.
  ['/nothing', '/{proxy+}', { proxy: 'nothing' }],
  [`${FEES}/x`, '/{proxy+}', { proxy: 'api/chain-insights/fees/x' }],
  ['/docs/x', '/{proxy+}', { proxy: 'docs/x' }],
  ['/assets/a/b', '/{proxy+}', { proxy: 'assets/a/b' }],
  ['/assets/', '/{proxy+}', { proxy: 'assets' }],
])('leaves %s to the pages, without a key', async (path, resource, pathParameters) => {
  const response = await fetch(gateway.url + path);
  expect(response.status).toBe(200);
  expect(seen[0]).toMatchObject({
    context: { functionName: 'pages' },
    event: { path, resource, pathParameters, requestContext: { path } },
  });
});

test('answers with 500 and logs the error when a function fails', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  respond = () => Promise.reject(new Error('inside'));
  const response = await send(FEES);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('inside');
  expect(logged).toHaveBeenCalledWith({
    request_id: response.headers.get('x-amzn-requestid'),
    error: new Error('inside'),
  });
  logged.mockRestore();
});

/** Sends bytes that fetch cannot send, and returns the response. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), 'localhost');
  socket.write(text);
  return (await socket.setEncoding('utf8').toArray()).join('');
}

test.each(['//', '//docs', `//x${FEES}`, '//[', 'http://', 'http://x/docs', '//:99999/'])(
  'answers the request target %s with 404',
  async (target) => {
    const answered = await sendRaw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answered).toMatch(/^HTTP\/1.1 404 .*application\/problem\+json/s);
  },
);

test('closes connections above its limit, and accepts new ones afterwards', async () => {
  const port = Number(new URL(gateway.url).port);
  const sockets = Array.from({ length: MAX_CONNECTIONS + 1 }, () => connect(port, '127.0.0.1'));
  const [closed] = await Promise.race(sockets.map((socket) => once(socket, 'close')));
  expect(closed).toBe(false);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket, 'close')));
  while ((await send(FEES).catch(() => undefined))?.status !== 200);
});
