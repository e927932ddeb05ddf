import {
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import type { Gateway } from '#local/gateway.ts';
import { apiEvent, parametersOf } from '#test/support/servers/api-event.ts';
import { KEY, startApi } from '#test/support/servers/service.ts';

const dynamo = mockClient(DynamoDBClient);
const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
const never = { revision: 1, changes: [], changes_since: 0, waiting_days: 0 };
const coverage = { from_day: '2025-11-18', through_day: '2025-11-20', last_day: '2025-11-20', ...never };
let api: Gateway;

beforeAll(async () => {
  api = await startApi({ endpoint: 'http://127.0.0.1:1', name: 'metrics' });
});
beforeEach(() => {
  dynamo.on(GetItemCommand).resolves({ Item: marshall(coverage) });
});
afterEach(() => {
  dynamo.reset();
  logged.mockClear();
});
afterAll(() => api.close());

const query = 'chain=BSC&start_date=2025-11-18&end_date=2025-11-20';
const send = (path = `fees?${query}`) =>
  fetch(`${api.url}/api/chain-insights/${path}`, { headers: { 'X-API-Key': KEY } });

test('answers 503 with Retry-After when the table throttles, and logs the reason', async () => {
  dynamo
    .on(QueryCommand)
    .rejects(new ProvisionedThroughputExceededException({ $metadata: {}, message: 'too fast' }));
  const response = await send();
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({
    title: 'Service Unavailable',
    status: 503,
    detail: expect.stringContaining('send the request again'),
    request_id: expect.any(String),
  });
  expect(logged).toHaveBeenCalledWith({
    request_id: expect.any(String),
    status: 503,
    error: expect.objectContaining({ message: expect.stringContaining('too fast') }),
  });
});

test('answers 500 to any other error without its message, and logs it under the same request_id', async () => {
  const error = new DynamoDBServiceException({
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: {},
    message: 'arn:secret',
  });
  dynamo.on(QueryCommand).rejects(error);
  const response = await send();
  const problem = (await response.json()) as Record<string, unknown>;
  expect(response.status).toBe(500);
  expect(Object.keys(problem)).toEqual(['title', 'status', 'detail', 'request_id']);
  expect(JSON.stringify(problem)).not.toContain('secret');
  expect(logged).toHaveBeenCalledWith({ request_id: problem.request_id, status: 500, error });
});

test('answers 504 shortly before the Lambda timeout', async () => {
  dynamo.on(QueryCommand).callsFake(() => new Promise(() => {}));
  const { handler } = await import('#lambda/get-fees.ts');
  const query = { chain: 'BSC', start_date: '2025-11-18', end_date: '2025-11-20' };
  const event = apiEvent({ multiValueQueryStringParameters: parametersOf(query) });
  const context = { getRemainingTimeInMillis: () => 250 } as Context;
  const { statusCode, body } = await handler(event, context);
  expect(statusCode).toBe(504);
  expect(JSON.parse(body)).toMatchObject({ title: 'Gateway Timeout', request_id: 'id' });
});
