import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { gatewayProblems } from '../../../lambda/api/gateway-problems.ts';
import { jsonBody } from '../../../lambda/api/json-body.ts';
import { problemResponses } from '../../../lambda/api/problem-responses.ts';

const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
  .use(problemResponses())
  .use(jsonBody())
  .handler(async ({ body }) => ({ statusCode: 200, body: JSON.stringify({ body }) }));

/** What is answered: the status, and the decoded body or the problem. */
async function handle(given: Partial<APIGatewayProxyEvent>) {
  const event = {
    headers: { 'content-type': 'application/json' },
    isBase64Encoded: false,
    requestContext: { extendedRequestId: 'id' },
    ...given,
  } as APIGatewayProxyEvent;
  const { statusCode, body } = await handler(event, {} as Context);
  return [statusCode, JSON.parse(body)] as const;
}

const statusOf = async (given: Partial<APIGatewayProxyEvent>) => (await handle(given))[0];

const inBase64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });

/** A JSON string of this many bytes, which are fewer characters. */
const jsonOf = (bytes: number) => JSON.stringify('é'.repeat((bytes - 2) / 2));

test('a JSON body is decoded, in base64 too', async () => {
  expect(await handle({ body: '{"chain":"BSC"}' })).toEqual([200, { body: { chain: 'BSC' } }]);
  expect(await handle(inBase64('{"chain":"BSC"}'))).toEqual([200, { body: { chain: 'BSC' } }]);
});

test.each([null, ''])('no body (%j) needs no Content-Type', async (body) => {
  expect(await handle({ body, headers: {} })).toEqual([200, { body }]);
});

test('a body may have 16 KiB, counted in bytes as they were sent', async () => {
  const largest = jsonOf(16_384);
  expect(await statusOf({ body: largest })).toBe(200);
  expect(await statusOf(inBase64(largest))).toBe(200);
});

test('a larger body is answered with 413, as by the gateway itself', async () => {
  const tooLarge = jsonOf(16_386);
  const { status, detail } = gatewayProblems.REQUEST_TOO_LARGE;
  const problem = { title: 'Payload Too Large', status, detail, request_id: 'id' };
  expect(await handle({ body: tooLarge })).toEqual([413, problem]);
  expect(await handle(inBase64(tooLarge))).toEqual([413, problem]);
});

test('a body that is too large is not parsed', async () => {
  expect(await statusOf({ body: 'x'.repeat(16_385) })).toBe(413);
  expect(await statusOf({ body: 'x'.repeat(16_385), headers: {} })).toBe(413);
});

test('a body in base64 that is no JSON is answered with 400', async () => {
  expect(await statusOf(inBase64('{"chain":'))).toBe(400);
  expect(await statusOf({ body: '{}', isBase64Encoded: true })).toBe(400);
});

test('decodes a body whose media type is in any letter case', async () => {
  const headers = { 'content-type': 'Application/JSON;charset=utf-8' };
  expect(await handle({ body: '{}', headers })).toEqual([200, { body: {} }]);
});
