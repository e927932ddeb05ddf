import { HOURS_PER_DAY } from '#core/figures/calendar.ts';
import { NO_FEE_COUNTS } from '#core/figures/fee-buckets.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { createDocumentTable } from '#core/store/table/document-table.ts';
import { chainStore } from '#core/store/table/table.ts';
import { chainsRoute, todayRoute } from '#lambda/api/routes.ts';
import { readAnnouncements } from '#local/announcement.ts';
import { EMBEDDED_TABLE_NAME, embeddedAccess } from '#local/embedded-table.ts';
import { exampleDays, exampleDistributions, exampleQuery } from '#openapi/examples.ts';
import { storedDay } from '#test/support/generators/rows/stored-days.ts';
import { errorsOf, headerErrorsOf, headerValue, readOperations } from '#test/support/openapi.ts';
import { API_KEY, startServiceProcess } from '#test/support/processes/service-process.ts';
import { putStoredDay, refreshCoverage } from '#test/support/tables/put-day.ts';

/* Sends every example request of docs/openapi.json to the service, which holds the days of the examples. */

const service = new DisposableStack();
let url: string;

const days = exampleDays.map(({ restated = [], ...example }) => {
  const { chain: _, date: __, ...old } = storedDay({ ...example, proven_blocks: example.block_count });
  return storedDay({
    ...example,
    chain: exampleQuery.chain,
    proven_blocks: example.block_count,
    ...(restated.length > 0 && {
      restated: restated.map((replaced) => ({ ...old, ...replaced, requested_at: replaced.restated_at })),
    }),
  });
});

beforeAll(async () => {
  url = await service.use(startServiceProcess()).ready();
  // No host confirms days that are invented, so `import` would refuse them.
  const endpoint = readAnnouncements().get(Number(new URL(url).port))?.tableUrl ?? '';
  const table = createDocumentTable(EMBEDDED_TABLE_NAME, { endpoint, ...embeddedAccess });
  for (const day of days) {
    const feeCounts = exampleDistributions.find(({ date }) => date === day.date)?.feeCounts ?? NO_FEE_COUNTS;
    const hours = Array.from({ length: HOURS_PER_DAY }, () => NO_TOTALS);
    await putStoredDay(table, day, undefined, { hours, feeCounts });
  }
  await refreshCoverage(chainStore(table, exampleQuery.chain), days[0]?.date ?? '');
});
afterAll(() => service.dispose());

/** The operations of the series. The tests of other handlers cover theirs. */
const operations = readOperations().filter(
  ({ path }) => path !== chainsRoute.path && path !== todayRoute.path,
);
type Operation = (typeof operations)[number];

/** Sends the example request of an operation. */
function sendExample({ path, method, parameters, requestBody }: Operation, headers: Record<string, string>) {
  const sentIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place)
        .flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    );
  const [body] = Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({ type, example }));
  return fetch(`${url}${path}?${new URLSearchParams(sentIn('query'))}`, {
    method,
    headers: {
      'X-API-Key': API_KEY,
      ...sentIn('header'),
      ...(body && { 'Content-Type': body.type }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body.example) }),
  });
}

/** Headers of responses to relative days, with archived days, and of development chains. */
const ABSENT = ['X-Start-Date', 'X-End-Date', 'X-Days-Archived', 'X-Sample-Data'];

/** Compares the headers of a response with the documented ones. An ETag cannot be predicted. */
function expectHeaders(response: Response, documented: Operation['responses'][string]['headers']) {
  expect(headerErrorsOf(response, documented)).toEqual([]);
  for (const [name, { schema, example }] of Object.entries(documented)) {
    if (name !== 'ETag' && !ABSENT.includes(name))
      expect([name, headerValue(response, name, schema)]).toEqual([name, example]);
  }
}

const examples = operations.flatMap((operation) =>
  Object.entries(operation.responses).flatMap(([status, { content, headers }]) =>
    Object.entries(content)
      .filter(([, { example }]) => example !== undefined)
      .map(([type, given]) => ({ ...operation, status: Number(status), type, headers, ...given })),
  ),
);

test.each(examples)('$method $path returns the example of $type', async (given) => {
  const response = await sendExample(given, { Accept: given.type });
  expect(response.status).toBe(given.status);
  expect(response.headers.get('content-type')).toBe(`${given.type}; charset=utf-8`);
  const body = given.type === 'application/json' ? await response.json() : await response.text();
  expect(body).toEqual(given.example);
  expect(errorsOf(given.schema, body)).toEqual([]);
  expectHeaders(response, given.headers);
});

test('each series has a JSON and a CSV example for each method', () => {
  expect(examples).toHaveLength(16);
});

test.each(operations)('$method $path answers 304 to its own ETag', async (operation) => {
  const etag = (await sendExample(operation, {})).headers.get('etag') ?? '';
  const { schema } = operation.parameters.find(({ name }) => name === 'If-None-Match') ?? { schema: {} };
  expect(schema).toHaveProperty('type');
  for (const tags of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
    expect(errorsOf(schema, tags)).toEqual([]);
    const response = await sendExample(operation, { 'If-None-Match': tags });
    expect(response.status).toBe(304);
    expectHeaders(response, operation.responses[304]?.headers ?? {});
  }
});

test('a response for a chain without final days has every required header', async () => {
  for (const { path, status, headers, schema } of examples.filter(
    ({ type }) => type === 'application/json',
  )) {
    const query = new URLSearchParams({ ...exampleQuery, chain: 'POLYGON' });
    const response = await fetch(`${url}${path}?${query}`, { headers: { 'X-API-Key': API_KEY } });
    expect(response.status).toBe(status);
    expect(errorsOf(schema, await response.json())).toEqual([]);
    const absent = Object.entries(headers).filter(([name]) => !response.headers.has(name));
    expect(absent.map(([name]) => name).filter((name) => !ABSENT.includes(name))).toEqual(['X-Data-Through']);
    expect(absent.filter(([, { required }]) => required)).toEqual([]);
  }
});
