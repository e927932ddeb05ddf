import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ndjson } from '../../cli/rows/ndjson.ts';
import { toRow } from '../../cli/rows/row.ts';
import { exampleDays, exampleQuery, figures } from '../../openapi/figures.ts';
import { runCli } from '../support/cli-process.ts';
import { errorsOf, headerErrorsOf, headerValue, readOperations } from '../support/openapi.ts';
import { servedDay } from '../support/served-days.ts';
import {
  chainsBut,
  READY,
  type ServiceProcess,
  startServiceProcess,
  withKey,
} from '../support/service-process.ts';

/* Whatever docs/openapi.json gives as an example is asked of the service, which has the days of the examples in its table. */

const folder = mkdtempSync(join(tmpdir(), 'chain-insights-'));
let service: ServiceProcess;
let url: string;

/** The days of the examples, as an operator would import them. */
const days = exampleDays.map((date, index) =>
  servedDay(exampleQuery.chain, date, {
    transaction_count: Number(figures['get-transaction-count'].examples[index]),
    fees: String(figures['get-fees'].examples[index]),
  }),
);

beforeAll(async () => {
  service = startServiceProcess({ ...chainsBut({}), ...withKey });
  url = await service.says(READY);
  const file = join(folder, 'days.ndjson');
  writeFileSync(file, days.map((day) => ndjson.encode(toRow(day))).join(''));
  const { stderr, code } = await runCli(['import', file], { PORT: new URL(url).port });
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => {
  service.child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const operations = readOperations();
type Operation = (typeof operations)[number];

/** Sends what the document gives as an example of a request. */
function askFor({ path, method, parameters, requestBody }: Operation, headers: Record<string, string>) {
  const sentIn = (place: string) =>
    Object.fromEntries(
      parameters.filter((each) => each.in === place).map((each) => [each.name, each.example]),
    );
  const [body] = Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({ type, example }));
  return fetch(`${url}${path}?${new URLSearchParams(sentIn('query'))}`, {
    method,
    headers: {
      'X-API-Key': withKey.API_KEY,
      ...sentIn('header'),
      ...(body && { 'Content-Type': body.type }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body.example) }),
  });
}

/** Compares the headers of an answer with those that the document names, of which an ETag cannot be foretold. */
function expectHeaders(answer: Response, named: Operation['responses'][string]['headers']) {
  expect(headerErrorsOf(answer, named)).toEqual([]);
  for (const [name, { schema, example }] of Object.entries(named)) {
    if (name !== 'ETag') expect([name, headerValue(answer, name, schema)]).toEqual([name, example]);
  }
}

const answers = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { content, headers }]) =>
    Object.entries(content)
      .filter(([, { example }]) => example !== undefined)
      .map(([type, given]) => ({ ...operation, status: Number(status), type, headers, ...given })),
  ),
);

test.each(answers)('$method $path answers with the example of $type', async (given) => {
  const answer = await askFor(given, { Accept: given.type });
  expect(answer.status).toBe(given.status);
  expect(answer.headers.get('content-type')).toBe(`${given.type}; charset=utf-8`);
  const body = given.type === 'application/json' ? await answer.json() : await answer.text();
  expect(body).toEqual(given.example);
  expect(errorsOf(given.schema, body)).toEqual([]);
  expectHeaders(answer, given.headers);
});

test('both routes have examples of JSON and of CSV, by each method', () => {
  expect(answers).toHaveLength(8);
});

test.each(operations)(
  '$method $path with the ETag of an answer gives the response 304',
  async (operation) => {
    const etag = (await askFor(operation, {})).headers.get('etag') ?? '';
    const { schema } = operation.parameters.find(({ name }) => name === 'If-None-Match') ?? { schema: {} };
    expect(schema).toHaveProperty('type');
    for (const tags of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      expect(errorsOf(schema, tags)).toEqual([]);
      const answer = await askFor(operation, { 'If-None-Match': tags });
      expect(answer.status).toBe(304);
      expectHeaders(answer, operation.responses[304]?.headers ?? {});
    }
  },
);

test('POST needs no body where there are query parameters', async () => {
  for (const { path, method, requestBody } of operations.filter((each) => each.method === 'POST')) {
    expect(requestBody?.required).toBe(false);
    const headers = { 'X-API-Key': withKey.API_KEY };
    const { status } = await fetch(`${url}${path}?${new URLSearchParams(exampleQuery)}`, { method, headers });
    expect(status).toBe(200);
  }
  expect.assertions(4);
});

test('what the document does not name is ignored, but nothing that contradicts', async () => {
  for (const { path } of operations) {
    const send = (more: string) =>
      fetch(`${url}${path}?${new URLSearchParams(exampleQuery)}&${more}`, {
        headers: { 'X-API-Key': withKey.API_KEY, Accept: 'image/png' },
      });
    const answer = await send(`limit=1&chain=${exampleQuery.chain}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect((await send('chain=BASE')).status).toBe(400);
  }
});

test('of a chain without final days, only what the document does not require is absent', async () => {
  for (const { path, status, headers, schema } of answers.filter(({ type }) => type === 'application/json')) {
    const query = new URLSearchParams({ ...exampleQuery, chain: 'POLYGON' });
    const answer = await fetch(`${url}${path}?${query}`, { headers: { 'X-API-Key': withKey.API_KEY } });
    expect(answer.status).toBe(status);
    expect(errorsOf(schema, await answer.json())).toEqual([]);
    const absent = Object.entries(headers).filter(([name]) => !answer.headers.has(name));
    expect(absent.map(([name, { required }]) => [name, required])).toEqual([['X-Data-Through', false]]);
  }
});
