import {
  DynamoDBClient,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { corsExposedHeaders } from '../../../lambda/api/cors.ts';
import { fees } from '../../../lambda/api/metrics.ts';
import { queryHandler } from '../../../lambda/api/query-handler.ts';
import { environment } from '../../../lambda/environment.ts';
import { openTable } from '../../../lambda/store/table.ts';

const dynamo = mockClient(DynamoDBClient);
jest.spyOn(console, 'error').mockImplementation(() => {});

const coverage = { from_day: '2025-11-18', through_day: '2025-11-17', last_day: '2025-11-20', revision: 1 };

beforeEach(() => {
  dynamo.reset();
  dynamo.on(GetItemCommand).resolves({ Item: marshall(coverage) });
  dynamo.on(QueryCommand).resolves({ Items: [] });
});

const OURS = 'https://app.example';
const OTHER = 'https://other.example';

const valid = { chain: ['BSC'], start_date: ['2025-11-18'], end_date: ['2025-11-20'] };

/** The status and headers of an answer, where these origins are allowed, to a page on this one. */
async function ask(
  allowed: string,
  origin: string | undefined,
  given: Partial<APIGatewayProxyEvent> = {},
  remainingMillis = 20_000,
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
  const context = { getRemainingTimeInMillis: () => remainingMillis } as Context;
  const { statusCode, headers } = await queryHandler(fees, openTable('metrics', { region: 'local' }))(
    event,
    context,
  );
  return { status: statusCode, ...headers };
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';
const cors = { [EXPOSE_HEADERS]: 'X-Days-Missing, X-Data-Through, X-Fees-Currency, ETag, Retry-After' };

test.each(['', ' , '])('where no origin is allowed (%j), no answer has a header of CORS', async (allowed) => {
  for (const parameters of [valid, {}]) {
    const answer = await ask(allowed, OURS, { multiValueQueryStringParameters: parameters });
    expect(Object.keys(answer).join()).not.toMatch(/access-control/i);
    expect(answer.Vary).toBe(parameters === valid ? 'Accept' : undefined);
  }
});

test.each([OURS, OTHER, undefined])('where all are allowed, %s is answered alike', async (origin) => {
  expect(await ask('*', origin)).toMatchObject({ ...cors, status: 200, [ALLOW_ORIGIN]: '*', Vary: 'Accept' });
});

test.each([OURS, OTHER, undefined])('where a single one is allowed, it is named to %s', async (origin) => {
  expect(await ask(OURS, origin)).toMatchObject({ ...cors, [ALLOW_ORIGIN]: OURS, Vary: 'Accept' });
});

test.each([
  [OURS, OURS],
  ['https://second.example:8443', 'https://second.example:8443'],
  [OTHER, undefined],
  ['http://app.example', undefined],
  ['https://sub.app.example', undefined],
  ['null', undefined],
  [undefined, undefined],
])('where several are allowed, %s is told %s, and caches know that it depends', async (origin, told) => {
  const answer = await ask(`${OURS}, https://second.example:8443`, origin);
  expect(answer[ALLOW_ORIGIN]).toBe(told);
  expect(answer.Vary).toBe('Accept, Origin');
});

test('the name of the Origin header may be spelled in any case', async () => {
  for (const name of ['origin', 'ORIGIN']) {
    expect(await ask(`${OURS},${OTHER}`, undefined, { headers: { [name]: OURS } })).toMatchObject({
      [ALLOW_ORIGIN]: OURS,
    });
  }
});

test('an answer of 304 can be read by a page', async () => {
  expect(await ask(`${OURS},${OTHER}`, OURS, { headers: { 'If-None-Match': '*' } })).toMatchObject({
    ...cors,
    status: 304,
    [ALLOW_ORIGIN]: OURS,
    Vary: 'Accept, Origin',
  });
});

const json = { headers: { 'Content-Type': 'application/json' } };

test.each<[number, Partial<APIGatewayProxyEvent>]>([
  [400, { multiValueQueryStringParameters: null }],
  [400, { ...json, body: '{' }],
  [413, { ...json, body: 'x'.repeat(20_000) }],
  [415, { body: '{}' }],
])('a problem with status %i can be read by a page', async (status, given) => {
  expect(await ask(`${OURS},${OTHER}`, OURS, given)).toMatchObject({
    ...cors,
    status,
    'Content-Type': 'application/problem+json',
    [ALLOW_ORIGIN]: OURS,
    Vary: 'Origin',
  });
});

test('a failure and an answer that takes too long can be read by a page', async () => {
  dynamo.on(QueryCommand).rejects(new Error('inside'));
  expect(await ask(OURS, OURS)).toMatchObject({ ...cors, status: 500, [ALLOW_ORIGIN]: OURS });
  dynamo.on(QueryCommand).callsFake(() => new Promise(() => {}));
  expect(await ask(OURS, OURS, {}, 250)).toMatchObject({ ...cors, status: 504, [ALLOW_ORIGIN]: OURS });
});

test('credentials are never allowed', async () => {
  for (const allowed of ['*', OURS, `${OURS},${OTHER}`]) {
    expect(await ask(allowed, OURS)).not.toHaveProperty('Access-Control-Allow-Credentials');
  }
});

/** What a page can read anyway, and what is for caches only. https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name */
const UNNAMED = ['Cache-Control', 'Content-Type', 'Vary'];

test('every header of the contract can be read by a page', async () => {
  const { status: _200, ...ofAnswer } = await ask('', OURS);
  dynamo.on(QueryCommand).rejects(new ProvisionedThroughputExceededException({ $metadata: {}, message: '' }));
  const { status: _503, ...ofProblem } = await ask('', OURS);
  const named = Object.keys({ ...ofAnswer, ...ofProblem }).filter((name) => !UNNAMED.includes(name));
  expect(named).toEqual(corsExposedHeaders);
});
