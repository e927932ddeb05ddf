import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { endServer, listen } from '../../local/listen.ts';
import { AskError, ask } from '../../web/ask.ts';

/* Against a real server, which answers as a service may, or something between it and the page. */

let respond: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => respond(request, response));
let root: string;
beforeAll(async () => {
  root = `http://localhost:${await listen(server, { port: 0 })}/v1/`;
});
afterAll(() => endServer(server));

const range = { metric: 'fees', start_date: '2026-11-18', end_date: '2026-11-20' } as const;
const askFees = (signal = new AbortController().signal) => ask(root, 'BASE', range, 'my-key', signal);
const answering =
  (status: number, body: string, headers: Record<string, string> = { 'X-Days-Missing': '0' }) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

test('asks below the stage with the key in its header, and keeps each digit', async () => {
  const asked: unknown[] = [];
  respond = ({ url, headers }, response) => {
    asked.push([url, headers['x-api-key']]);
    response.writeHead(200, { 'X-Days-Missing': '1', 'X-Data-Through': '2026-11-19' });
    response.end('[{"date":"2026-11-18","fees":"358.558440870590355682"},{"date":"2026-11-19","fees":"0"}]');
  };
  expect(await askFees()).toEqual({
    chain: 'BASE',
    rows: [
      { date: '2026-11-18', value: '358.558440870590355682' },
      { date: '2026-11-19', value: '0' },
    ],
    daysMissing: 1,
    dataThrough: '2026-11-19',
  });
  expect(asked).toEqual([
    ['/v1/api/chain-insights/fees?chain=BASE&start_date=2026-11-18&end_date=2026-11-20', 'my-key'],
  ]);
});

test('tells an error in the words of the API, field by field, and when to come back', async () => {
  const errors = [{ field: 'end_date', message: 'must not be before start_date' }];
  respond = answering(400, JSON.stringify({ detail: 'Not valid: end_date. See errors.', errors }));
  await expect(askFees()).rejects.toMatchObject({
    message: 'Not valid: end_date. See errors.',
    fields: ['end_date must not be before start_date'],
  });
  respond = answering(429, JSON.stringify({ detail: 'Too many requests.' }), { 'Retry-After': '7' });
  await expect(askFees()).rejects.toThrow('Too many requests. (Retry-After: 7 s)');
});

test.each([
  [502, '<html>Bad Gateway</html>', 'The service answered with the status 502 and no reason. Try it again.'],
  [200, '{"rows":[]}', /is not understood/],
  [200, '[{"date":"2026-11-18","fees":0.1}]', /is not understood/],
  [200, 'no JSON', /is not understood/],
])('%i with %s, which is not what the API promises, is told in one sentence', async (status, body, words) => {
  respond = answering(status, body);
  await expect(askFees()).rejects.toThrow(words);
  await expect(askFees()).rejects.toThrow(AskError);
});

test('an answer that does not say how many days are missing is not taken for a complete one', async () => {
  respond = answering(200, '[]', {});
  await expect(askFees()).rejects.toThrow(/is not understood/);
});

test('an answer that breaks off is told as such, and not as one of another kind', async () => {
  respond = (_, response) => {
    response.writeHead(200, { 'X-Days-Missing': '0', 'Content-Length': '100' });
    response.write('[{"date"', () => response.destroy());
  };
  await expect(askFees()).rejects.toThrow(/^The service was not reached/);
});

test('a connection that breaks is told, and one that was ended on purpose is not', async () => {
  respond = ({ socket }) => socket.destroy();
  await expect(askFees()).rejects.toThrow(/^The service was not reached/);
  const ended = new AbortController();
  respond = () => ended.abort();
  await expect(askFees(ended.signal)).rejects.not.toThrow(AskError);
});
