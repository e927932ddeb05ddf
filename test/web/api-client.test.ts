import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { endServer, listen } from '../../local/listen.ts';
import { ApiError, curlCommand, fetchSeries } from '../../web/api-client.ts';

/* Against a real server that responds as the service or a proxy may. */

let respond: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => respond(request, response));
let root: string;
beforeAll(async () => {
  root = `http://localhost:${await listen(server, { port: 0 })}/v1/`;
});
afterAll(() => endServer(server));

const range = { metric: 'fees', start_date: '2026-11-18', end_date: '2026-11-20' } as const;
const fetchFees = (signal = new AbortController().signal) =>
  fetchSeries(root, 'BASE', range, 'my-key', signal);
const respondWith =
  (status: number, body: string, headers: Record<string, string> = { 'X-Days-Missing': '0' }) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

test('requests a path below the stage, with the key in a header, and keeps every digit', async () => {
  const requests: unknown[] = [];
  respond = ({ url, headers }, response) => {
    requests.push([url, headers['x-api-key']]);
    response.writeHead(200, { 'X-Days-Missing': '1', 'X-Data-Through': '2026-11-19' });
    response.end('[{"date":"2026-11-18","fees":"358.558440870590355682"},{"date":"2026-11-19","fees":"0"}]');
  };
  expect(await fetchFees()).toEqual({
    chain: 'BASE',
    rows: [
      { date: '2026-11-18', value: '358.558440870590355682' },
      { date: '2026-11-19', value: '0' },
    ],
    daysMissing: 1,
    dataThrough: '2026-11-19',
  });
  expect(requests).toEqual([
    ['/v1/api/chain-insights/fees?chain=BASE&start_date=2026-11-18&end_date=2026-11-20', 'my-key'],
  ]);
});

test('reports the detail, the fields and the Retry-After of an error response', async () => {
  const errors = [{ field: 'end_date', message: 'must not be before start_date' }];
  respond = respondWith(400, JSON.stringify({ detail: 'Invalid fields: end_date. See errors.', errors }));
  await expect(fetchFees()).rejects.toMatchObject({
    message: 'Invalid fields: end_date. See errors.',
    fields: ['end_date must not be before start_date'],
  });
  respond = respondWith(429, JSON.stringify({ detail: 'Too many requests.' }), { 'Retry-After': '7' });
  await expect(fetchFees()).rejects.toThrow('Too many requests. (Retry-After: 7 s)');
});

test.each([
  [502, '<html>Bad Gateway</html>', 'The service failed with status 502 and gave no reason. Draw again.'],
  [200, '{"rows":[]}', /unexpected response/],
  [200, '[{"date":"2026-11-18","fees":0.1}]', /unexpected response/],
  [200, 'no JSON', /unexpected response/],
])('reports the invalid response %i %s in one sentence', async (status, body, words) => {
  respond = respondWith(status, body);
  await expect(fetchFees()).rejects.toThrow(words);
  await expect(fetchFees()).rejects.toThrow(ApiError);
});

test('refuses a response without X-Days-Missing', async () => {
  respond = respondWith(200, '[]', {});
  await expect(fetchFees()).rejects.toThrow(/unexpected response/);
});

test('reports a truncated response as a connection error', async () => {
  respond = (_, response) => {
    response.writeHead(200, { 'X-Days-Missing': '0', 'Content-Length': '100' });
    response.write('[{"date"', () => response.destroy());
  };
  await expect(fetchFees()).rejects.toThrow(/^Could not reach the service/);
});

test('reports a broken connection, but not an aborted request', async () => {
  respond = ({ socket }) => socket.destroy();
  await expect(fetchFees()).rejects.toThrow(/^Could not reach the service/);
  const aborted = new AbortController();
  respond = () => aborted.abort();
  await expect(fetchFees(aborted.signal)).rejects.not.toThrow(ApiError);
});

test('the curl command requests the same, below the stage, with the key in a variable', () => {
  expect(curlCommand('https://api.example.com/v1/', 'BASE', range)).toBe(
    `curl -s 'https://api.example.com/v1/api/chain-insights/fees?chain=BASE&start_date=2026-11-18&end_date=2026-11-20' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`,
  );
});
