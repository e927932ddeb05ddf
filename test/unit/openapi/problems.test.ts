import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { gatewayProblems } from '#lambda/api/gateway-problems.ts';
import { type Problem, problemResponse } from '#lambda/api/problem.ts';
import type { Gateway } from '#local/gateway.ts';
import { endServer, listen } from '#local/listen.ts';
import { exampleQuery } from '#openapi/examples.ts';
import { invalidQuery } from '#openapi/problems.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { errorsOf, headerErrorsOf, readOperations } from '#test/support/openapi.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { KEY, startApi } from '#test/support/servers/service.ts';

/* Provokes each error that docs/openapi.json has as an example, or compares it with the gateway's configuration. */

let respondAsTable: (response: ServerResponse, request: IncomingMessage) => void;
const tableServer = createServer((request, response) => respondAsTable(response, request));
let api: Gateway;

beforeAll(async () => {
  const port = await listen(tableServer, { port: 0 });
  api = await startApi({ endpoint: `http://127.0.0.1:${port}`, name: 'metrics' });
  jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(async () => {
  await api.close();
  await endServer(tableServer);
});

const FEES = '/api/chain-insights/fees';

const post = (body: string, type = 'application/json', path = FEES) =>
  fetch(`${api.url}${path}`, { method: 'POST', headers: { 'X-API-Key': KEY, 'Content-Type': type }, body });

const queryWith = (respond: typeof respondAsTable) => {
  respondAsTable = respond;
  return post(JSON.stringify(exampleQuery));
};

/** Requests that cause the problem of that name. */
const provoke: Readonly<Record<string, () => Promise<Response>>> = {
  INVALID_FIELDS: () => post(JSON.stringify(invalidQuery)),
  NOT_JSON: () => post('{"chain":'),
  NOT_AN_OBJECT: () => post('[]'),
  REQUEST_TOO_LARGE: () => post(JSON.stringify({ ...exampleQuery, note: 'x'.repeat(20_000) })),
  UNSUPPORTED_MEDIA_TYPE: () => post(JSON.stringify(exampleQuery), 'text/plain'),
  RESPONSE_TOO_LARGE: queryLongDay,
  INVALID_API_KEY: () => fetch(`${api.url}${FEES}`),
  RESOURCE_NOT_FOUND: () => fetch(`${api.url}${FEES}/today`, { headers: { 'X-API-Key': KEY } }),
  DEFAULT_4XX: sendGarbage,
  DEFAULT_5XX: () => queryWith((table) => table.writeHead(400).end('{"__type":"#AccessDeniedException"}')),
  TABLE_UNAVAILABLE: () => queryWith((table) => table.writeHead(503).end('{}')),
  INTEGRATION_TIMEOUT: queryNearTimeout,
};

/** Queries a day that has been restated so often that its row takes more than 6 MB. JSON writes six characters for U+0001. */
function queryLongDay(): Promise<Response> {
  const day = storedDay({ date: exampleQuery.start_date });
  const { chain: _, date, ...old } = day;
  const replaced = { ...old, reason: '\u0001'.repeat(500), requested_at: old.ingested_at };
  const rest = { changes: [], changes_since: 0, waiting_days: 0 };
  const settled = { days: '' };
  const Item = marshall({
    ...settled,
    from_day: date,
    through_day: date,
    last_day: date,
    revision: 1,
    ...rest,
  });
  const Items = [
    marshall({ ...day, restated: Array(2_000).fill({ ...replaced, restated_at: old.ingested_at }) }),
  ];
  respondAsTable = (table, { headers }) => {
    const isGet = String(headers['x-amz-target']).endsWith('GetItem');
    table.end(JSON.stringify(isGet ? { Item } : { Items }));
  };
  return post(JSON.stringify(exampleQuery), 'application/json', '/api/chain-insights/days');
}

/** Only API Gateway itself returns these. A test in test/unit/lib/api compares its configuration with the same list. */
const byGateway = ['WAF_FILTERED', 'THROTTLED', 'QUOTA_EXCEEDED'] as const;

/** Sends bytes that fetch would not send. */
async function sendGarbage(): Promise<Response> {
  const socket = connect(Number(new URL(api.url).port), 'localhost');
  socket.write('GARBAGE\r\n\r\n');
  const received = (await socket.setEncoding('utf8').toArray()).join('');
  const [, status, head = '', body] = /^HTTP\/1.1 (\d+) .*?\r\n(.*)\r\n\r\n(.*)$/s.exec(received) ?? [];
  const headers = head.split('\r\n').map((line) => line.split(': ') as [string, string]);
  return new Response(body, { status: Number(status), headers });
}

/** Calls a function shortly before its timeout, with a table that does not respond. */
async function queryNearTimeout(): Promise<Response> {
  respondAsTable = () => {};
  const { handler } = await import('#lambda/get-fees.ts');
  const event = eventOf(`${api.url}${FEES}?${new URLSearchParams(exampleQuery)}`);
  const context = { getRemainingTimeInMillis: () => 250 } as Context;
  return responseOf(await handler(event, context));
}

const responseOf = ({ statusCode, headers, body }: ReturnType<typeof problemResponse>) =>
  new Response(body, { status: statusCode, headers: headers as Record<string, string> });

const examples = readOperations().flatMap(({ method, path, responses }) =>
  Object.entries(responses).flatMap(([status, { content, headers }]) =>
    Object.entries(content).flatMap(([type, { schema, examples = {} }]) =>
      Object.entries(examples).map(([name, { value }]) => ({
        operation: `${method} ${path}`,
        status: Number(status),
        headers,
        type,
        schema,
        name,
        value,
        retryAfter: headers['Retry-After']?.examples?.[name]?.value,
      })),
    ),
  ),
);

async function expectExample(
  response: Response,
  { status, headers, type, schema, value, retryAfter }: (typeof examples)[number],
) {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe(type);
  expect(headerErrorsOf(response, headers)).toEqual([]);
  expect(response.headers.get('retry-after')).toBe(retryAfter === undefined ? null : String(retryAfter));
  const body = await response.json();
  expect(body).toEqual({ ...value, request_id: expect.any(String) });
  expect(errorsOf(schema, body)).toEqual([]);
}

const distinct = [...new Map(examples.map((example) => [example.name, example])).values()];

test.each(distinct.filter(({ name }) => name in provoke))(
  '$name equals the example in the document',
  async (example) => {
    const response = await provoke[example.name]?.();
    if (response) await expectExample(response, example);
    expect.assertions(6);
  },
);

test.each(['DEFAULT_5XX', 'TABLE_UNAVAILABLE'])(
  'the reason of %s is logged under its request_id',
  async (name) => {
    const logged = jest.mocked(console.error);
    logged.mockClear();
    const response = await provoke[name]?.();
    const { status, request_id } = (await response?.json()) ?? {};
    expect(logged.mock.calls).toEqual([[{ request_id, status, error: expect.any(Error) }]]);
  },
);

test.each(byGateway)('%s equals the configuration of the gateway', async (name) => {
  const problem: Problem = gatewayProblems[name];
  const [example] = distinct.filter((each) => each.name === name);
  if (example) await expectExample(responseOf(problemResponse(problem, 'id')), example);
  expect.assertions(6);
});

test('every operation documents all of these errors, and no others', () => {
  const all = [...Object.keys(provoke), ...byGateway].toSorted();
  for (const [, named] of Map.groupBy(examples, ({ operation }) => operation)) {
    expect(named.map(({ name }) => name).toSorted()).toEqual(all);
  }
  expect.assertions(11);
});
