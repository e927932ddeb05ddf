import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { createQueryTable, TableUnavailableError } from '#core/store/table/client.ts';
import { corsExposedHeaders } from '#lambda/api/cors.ts';
import { queryHandler } from '#lambda/api/query-handler.ts';
import { fees } from '#lambda/api/series/fees.ts';
import { environment } from '#lambda/environment.ts';

const dynamo = mockClient(DynamoDBClient);
jest.spyOn(console, 'error').mockImplementation(() => {});

const never = { revision: 1, changes: [], changes_since: 0, waiting_days: 0 };
const coverage = {
  days: '',
  from_day: '2025-11-18',
  through_day: '2025-11-17',
  last_day: '2025-11-20',
  ...never,
};

beforeEach(() => {
  dynamo.reset();
  dynamo.on(GetItemCommand).resolves({ Item: marshall(coverage) });
  dynamo.on(QueryCommand).resolves({ Items: [] });
});

const OURS = 'https://app.example';
const OTHER = 'https://other.example';

const valid = { chain: ['BSC'], start_date: ['2025-11-18'], end_date: ['2025-11-20'] };

/** Returns the status and headers of a response to a page of an origin. */
async function respond(
  allowed: string,
  origin: string | undefined,
  given: Partial<APIGatewayProxyEvent> = {},
): Promise<Record<string, unknown>> {
  process.env[environment.corsOrigins] = allowed;
  const event = {
    body: null,
    multiValueQueryStringParameters: valid,
    httpMethod: 'GET',
    requestContext: { extendedRequestId: 'id' },
    ...given,
    headers: { ...(origin !== undefined && { Origin: origin }), ...given.headers },
  } as APIGatewayProxyEvent;
  const context = { getRemainingTimeInMillis: () => 20_000 } as Context;
  const { statusCode, headers } = await queryHandler(fees, createQueryTable('metrics', { region: 'local' }))(
    event,
    context,
  );
  return { status: statusCode, ...headers };
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';
const cors = { [EXPOSE_HEADERS]: corsExposedHeaders.join(', ') };

test.each(['', ' , '])('sends no CORS header when no origin is allowed (%j)', async (allowed) => {
  for (const parameters of [valid, {}]) {
    const response = await respond(allowed, OURS, { multiValueQueryStringParameters: parameters });
    expect(Object.keys(response).join()).not.toMatch(/access-control/i);
    expect(response.Vary).toBe(parameters === valid ? 'Accept' : undefined);
  }
});

test.each([OURS, OTHER, undefined])('allows every origin (%s) when all are allowed', async (origin) => {
  expect(await respond('*', origin)).toMatchObject({
    ...cors,
    status: 200,
    [ALLOW_ORIGIN]: '*',
    Vary: 'Accept',
  });
});

test.each([
  [OURS, OURS],
  ['https://second.example:8443', 'https://second.example:8443'],
  [OTHER, undefined],
  ['http://app.example', undefined],
  ['https://sub.app.example', undefined],
  ['null', undefined],
  [undefined, undefined],
])('with several allowed origins, %s gets Allow-Origin %s and Vary: Origin', async (origin, allowOrigin) => {
  const response = await respond(`${OURS}, https://second.example:8443`, origin);
  expect(response[ALLOW_ORIGIN]).toBe(allowOrigin);
  expect(response.Vary).toBe('Accept, Origin');
});

const json = { headers: { 'Content-Type': 'application/json' } };

test.each<[number, Partial<APIGatewayProxyEvent>]>([
  [400, { multiValueQueryStringParameters: null }],
  [400, { ...json, body: '{' }],
  [413, { ...json, body: 'x'.repeat(20_000) }],
  [415, { body: '{}' }],
])('a problem with status %i has CORS headers', async (status, given) => {
  expect(await respond(`${OURS},${OTHER}`, OURS, given)).toMatchObject({
    ...cors,
    status,
    'Content-Type': 'application/problem+json',
    [ALLOW_ORIGIN]: OURS,
    Vary: 'Origin',
  });
});

/** Headers that pages can always read, or that only caches need. https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name */
const NOT_EXPOSED = ['Cache-Control', 'Content-Type', 'Vary'];

test('exposes every header of the responses', async () => {
  const relative = { ...valid, end_date: ['yesterday'] };
  const { status: _200, ...successHeaders } = await respond('', OURS, {
    multiValueQueryStringParameters: relative,
  });
  dynamo.on(QueryCommand).rejects(new TableUnavailableError('throttled'));
  const { status: _503, ...problemHeaders } = await respond('', OURS);
  // Only responses with archived days have it.
  const archived = { 'X-Days-Archived': '1' };
  const exposed = Object.keys({ ...successHeaders, ...problemHeaders, ...archived }).filter(
    (name) => !NOT_EXPOSED.includes(name),
  );
  expect(exposed.toSorted()).toEqual(corsExposedHeaders.toSorted());
});
