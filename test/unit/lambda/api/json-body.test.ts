import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { gatewayProblems } from '#lambda/api/gateway-problems.ts';
import { errorResponses } from '#lambda/api/http-handler.ts';
import { jsonBody } from '#lambda/api/json-body.ts';
import { daysQuerySchema } from '#lambda/api/series/days.ts';

const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
  .use(errorResponses())
  .use(jsonBody())
  .handler(async ({ body }) => ({ statusCode: 200, body: JSON.stringify({ body }) }));

/** Returns the status, and the decoded body or the problem. */
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

/** Returns a JSON string of a size in bytes, which has fewer characters. */
const jsonOf = (bytes: number) => JSON.stringify('é'.repeat((bytes - 2) / 2));

test('decodes a JSON body, also from base64', async () => {
  expect(await handle({ body: '{"chain":"BSC"}' })).toEqual([200, { body: { chain: 'BSC' } }]);
  expect(await handle(inBase64('{"chain":"BSC"}'))).toEqual([200, { body: { chain: 'BSC' } }]);
});

test.each([null, ''])('accepts an empty body (%j) without a Content-Type', async (body) => {
  expect(await handle({ body, headers: {} })).toEqual([200, { body }]);
});

test('accepts 16,384 bytes, and answers a larger body with 413 and the problem of the gateway', async () => {
  expect(await statusOf({ body: jsonOf(16_384) })).toBe(200);
  expect(await statusOf(inBase64(jsonOf(16_384)))).toBe(200);
  const tooLarge = `${jsonOf(16_384)} `;
  const { status, detail } = gatewayProblems.REQUEST_TOO_LARGE;
  const problem = { title: 'Payload Too Large', status, detail, request_id: 'id' };
  expect(await handle({ body: tooLarge })).toEqual([413, problem]);
  expect(await handle(inBase64(tooLarge))).toEqual([413, problem]);
  expect(detail).toContain(`Send only inputs of the path: ${Object.keys(daysQuerySchema.shape).join(', ')}.`);
});

test('answers base64 that is not JSON with 400', async () => {
  expect(await statusOf(inBase64('{"chain":'))).toBe(400);
  expect(await statusOf({ body: '{}', isBase64Encoded: true })).toBe(400);
});

test.each([
  ['application/json', 200],
  ['Application/JSON; charset=utf-8', 200],
  ['application/vnd.api9+json', 200],
  ['application/jsonl', 415],
  ['text/json', 415],
  ['', 415],
])('answers a body with Content-Type: %s with %i', async (type, status) => {
  expect(await statusOf({ body: '{}', headers: { 'content-type': type } })).toBe(status);
});

test('skips a byte order mark, also in base64', async () => {
  expect(await handle({ body: '\uFEFF{"chain":"BSC"}' })).toEqual([200, { body: { chain: 'BSC' } }]);
  expect(await handle(inBase64('\uFEFF{}'))).toEqual([200, { body: {} }]);
});

test.each(['gzip', 'br', 'deflate, gzip'])(
  'answers a body that is encoded as %s with 415',
  async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const [status, { detail }] = await handle({ body: '{}', headers });
    expect([status, detail]).toEqual([415, expect.stringContaining('Send it without Content-Encoding')]);
    expect(await statusOf({ body: '{}', headers: { ...headers, 'content-encoding': 'identity' } })).toBe(200);
  },
);

test.each([
  '{"chain":"BASE","chain":"BSC"}',
  '{"chain":"BASE","start_date":"a\\":\\"b","\\u0063hain" :\n"BSC"}',
  '{"chain":{"a":["b"]},"chain":"BSC"}',
  '{"chain":null,"chain":"BSC"}',
  '{"chain":["BASE","BSC"],"chain":"BSC"}',
])('answers %s, which gives a member different values, with 400', async (body) => {
  const [status, { errors }] = await handle({ body });
  expect(status).toBe(400);
  expect(errors).toEqual([{ field: 'chain', message: 'has conflicting values; send it once' }]);
});

test('finds exactly the members with different values, in any spelling', async () => {
  const text = fc.oneof(fc.constantFrom('chain', 'a":"b', '{', ',', '\\', '\n'), fc.string());
  const members = fc.array(fc.tuple(text, fc.oneof(text, fc.integer(), fc.constant(null))), { maxLength: 6 });
  const separator = fc.constantFrom(':', ' : ', '\t:\n');
  const distinct = (values: readonly unknown[]) =>
    new Set(values.map((value) => JSON.stringify(value).toLowerCase())).size;
  await fc.assert(
    fc.asyncProperty(members, separator, async (pairs, colon) => {
      const texts = pairs.map((pair) => pair.map((part) => JSON.stringify(part)).join(colon));
      const [status, { errors = [] }] = await handle({ body: `{${texts.join(', ')}}` });
      const byName = Map.groupBy(pairs, ([name]) => name);
      const expected = [...byName].filter(([, given]) => distinct(given.map(([, value]) => value)) > 1);
      expect(status).toBe(expected.length > 0 ? 400 : 200);
      expect(new Set(errors.map(({ field }: { field: string }) => field))).toEqual(
        new Set(expected.map(([name]) => name)),
      );
    }),
  );
});
