import { connect } from 'node:net';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Gateway, startGateway } from '../../local/gateway.ts';

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
  const handlers = { 'get-fees': handler, 'get-transaction-count': handler, pages: handler };
  gateway = await startGateway(0, isAllowed, handlers);
});
beforeEach(() => {
  seen.length = 0;
  respond = async () => ({ statusCode: 200, headers: { 'X-Test': 'yes' }, body: 'answer' });
});
afterAll(() => gateway.close());

const send = (path: string, init: RequestInit = {}, key = 'right') =>
  fetch(gateway.url + path, { ...init, headers: { 'X-API-Key': key, ...init.headers } });

test("a function's response is passed on as it is", async () => {
  const response = await send(FEES);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-test')).toBe('yes');
  expect(await response.text()).toBe('answer');
});

test('a request reaches its function as a proxy event', async () => {
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
    multiValueHeaders: { 'content-type': ['a/b'] },
    queryStringParameters: { chain: 'B C', x: '' },
    multiValueQueryStringParameters: { chain: ['BSC', 'B C'], x: [''] },
    body: 'text',
    isBase64Encoded: false,
    requestContext: { httpMethod: 'POST', stage: 'local', requestId: expect.any(String) },
  });
});

test('a request without query or body has null in their place', async () => {
  await send(FEES);
  expect(seen[0]?.event).toMatchObject({
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    body: null,
  });
});

test.each([
  ['a path that is not there', 404, '/nothing', 'GET', 'right'],
  ['a path below a route', 404, `${FEES}/x`, 'GET', 'right'],
  ['a method that is not there', 404, FEES, 'DELETE', 'right'],
  ['PUT', 404, FEES, 'PUT', 'right'],
  ['OPTIONS', 404, FEES, 'OPTIONS', 'right'],
  ['a path that is not there, without a key,', 404, '/nothing', 'GET', ''],
  ['a path below a page', 404, '/docs/x', 'GET', 'right'],
  ['a path below assets', 404, '/assets/a/b', 'GET', 'right'],
  ['no asset at all', 404, '/assets/', 'GET', 'right'],
  ['the place of an asset as the API defines it', 404, '/%7Bfile%7D', 'GET', 'right'],
  ['a method that pages do not have', 404, '/', 'POST', 'right'],
  ['a wrong key', 403, FEES, 'GET', 'wrong'],
  ['no key', 403, FEES, 'POST', ''],
])('%s is answered with %i as a problem, and no function is asked', async (_, status, path, method, key) => {
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
});

test.each([
  ['/', '/', null],
  ['/docs', '/docs', null],
  ['/docs/', '/docs', null],
  ['/openapi.json', '/openapi.json', null],
  ['/assets/any.js', '/assets/{file}', { file: 'any.js' }],
])('%s is served without a key', async (path, resource, pathParameters) => {
  const response = await fetch(gateway.url + path);
  expect(response.status).toBe(200);
  expect(seen[0]).toMatchObject({
    context: { functionName: 'pages' },
    event: { path, resource, pathParameters, requestContext: { path, resourcePath: resource } },
  });
});

test('a slash after a route makes no difference', async () => {
  const response = await send(`${FEES}/`);
  expect(response.status).toBe(200);
  expect(seen[0]).toMatchObject({ context: { functionName: 'get-fees' }, event: { resource: FEES } });
});

test('HEAD is answered with 404 and without a body', async () => {
  const response = await send(FEES, { method: 'HEAD' });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.text()).toBe('');
  expect(seen).toEqual([]);
});

test('a body beyond what API Gateway takes is answered with 413', async () => {
  const response = await send(FEES, { method: 'POST', body: 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect(response.status).toBe(413);
  expect(seen).toEqual([]);
});

test('a function that fails is answered with 500, and the reason is logged', async () => {
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

test('a taken port is told in one sentence', async () => {
  const port = Number(new URL(gateway.url).port);
  await expect(startGateway(port, async () => true, {} as never)).rejects.toThrow(
    `Port ${port} is taken by another process: stop it, or choose another with PORT=<number>.`,
  );
});

/** What the gateway answers to bytes that fetch would not send. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), 'localhost');
  socket.write(text);
  return (await socket.setEncoding('utf8').toArray()).join('');
}

test.each(['//', '//docs', `//x${FEES}`, '//[', 'http://', 'http://x/docs', '//:99999/'])(
  'the target %s is answered with 404',
  async (target) => {
    const answered = await sendRaw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answered).toMatch(/^HTTP\/1.1 404 .*application\/problem\+json/s);
  },
);

test('of a header that is given twice, a function gets the last value, and all of them beside it', async () => {
  const lines = [
    'Host: localhost',
    'X-API-Key: right',
    'Accept: text/csv',
    'ACCEPT: */*',
    'Connection: close',
  ];
  await sendRaw(`GET ${FEES} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  expect(seen[0]?.event).toMatchObject({
    headers: { accept: '*/*' },
    multiValueHeaders: { accept: ['text/csv', '*/*'] },
  });
});

test('what is no HTTP request is answered with 400 as a problem', async () => {
  expect(await sendRaw('GARBAGE\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 .*application\/problem\+json.*"status":400/s,
  );
});
