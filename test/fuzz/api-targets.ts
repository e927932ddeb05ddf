import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { pageResponse } from '#lambda/pages/page-response.ts';
import { pagePaths } from '#lambda/pages/paths.ts';
import { eventOf } from '#test/support/servers/api-event.ts';
import { type FuzzTarget, fuzzTarget, hostileJson, hostileText, must } from './target.ts';

/* Requests to the API and its pages. */

const emptyTable = { name: 'empty', getItem: async () => undefined, queryPages: async function* () {} };
const handler = queryHandler(fees, emptyTable);

const context: Context = {
  awsRequestId: 'id',
  functionName: 'get-fees',
  functionVersion: '1',
  invokedFunctionArn: 'arn',
  callbackWaitsForEmptyEventLoop: false,
  memoryLimitInMB: '0',
  logGroupName: 'log',
  logStreamName: 'log',
  getRemainingTimeInMillis: () => 29_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

const baseEvent = eventOf('/api/chain-insights/fees', { method: 'POST' });

/** A body of up to the gateway's 10 MB, repeated from a part. */
const largeBody = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{},', '0', '"\\u0000', ' '), fc.integer({ min: 1, max: 2_000_000 }))
  .map(([part, times]) => part.repeat(times));
const queryBody = fc
  .dictionary(
    fc.oneof(fc.constantFrom('chain', 'start_date', 'end_date', 'interval'), hostileText),
    hostileJson,
  )
  .map((query) => JSON.stringify(query));

const texts = fc.dictionary(
  fc.oneof(fc.constantFrom('chain', 'start_date', 'end_date', 'interval', 'file'), hostileText),
  fc.array(hostileText, { maxLength: 3 }),
  { maxKeys: 5 },
);
const headerNames = ['Accept', 'content-type', 'If-None-Match', 'Origin', 'accept-encoding'];
const headers = fc.dictionary(
  fc.oneof(fc.constantFrom(...headerNames), hostileText),
  fc.oneof(hostileText, fc.constantFrom('application/json', 'text/csv;q=0.1,*/*', ',;q='.repeat(3_000))),
  { maxKeys: 5 },
);

const apiEvent = fc
  .record({
    body: fc.oneof(
      { weight: 30, arbitrary: fc.oneof(queryBody, hostileText) },
      { weight: 1, arbitrary: largeBody },
    ),
    headers,
    multiValueQueryStringParameters: texts,
    isBase64Encoded: fc.boolean(),
  })
  .map((parts) => ({ ...baseEvent, ...parts }));

const anyEvent = fc
  .dictionary(fc.oneof(fc.constantFrom(...Object.keys(baseEvent)), hostileText), hostileJson)
  .map((parts) => Object.assign({}, parts));

function checkResponse(response: APIGatewayProxyResult, statuses: readonly number[]): void {
  must(statuses.includes(response.statusCode), `status ${response.statusCode} is one of ${statuses}`);
  for (const [name, value] of Object.entries(response.headers ?? {})) {
    must(!/[\r\n\0]/.test(name + String(value)), `the header ${name} is one line`);
  }
}

const site = new Map(
  pagePaths.map((path) => [path, { mediaType: 'text/html', body: 'page', etag: '"page"' }]),
);

const pageEvent = fc
  .record({
    resource: fc.constantFrom(...pagePaths),
    file: hostileText,
    path: hostileText,
    headers,
    query: texts,
  })
  .map(({ resource, file, path, headers, query }) => ({
    ...baseEvent,
    resource,
    headers,
    pathParameters: { file },
    multiValueQueryStringParameters: query,
    requestContext: { ...baseEvent.requestContext, path },
  }));

export const apiTargets: readonly FuzzTarget[] = [
  fuzzTarget('requests to the API', apiEvent, async (event) => {
    const response = await handler(event, context);
    checkResponse(response, [200, 304, 400, 413, 415]);
    if (response.statusCode >= 400) JSON.parse(response.body);
  }),
  fuzzTarget('invocations with an event of any shape', anyEvent, async (event) => {
    const log = console.error;
    console.error = () => {};
    try {
      // The types describe events of API Gateway only.
      const response = await handler(event as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent, context);
      checkResponse(response, [200, 304, 400, 413, 415, 500]);
    } finally {
      console.error = log;
    }
  }),
  fuzzTarget('requests for pages and assets', pageEvent, (event) => {
    const response = pageResponse(site, event, '');
    checkResponse(response, [200, 304, 308, 404, 406]);
    const to = response.headers?.Location;
    if (to !== undefined) must(/^\.\.?\//.test(String(to)), 'a redirect stays on this host');
  }),
];
