import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { logsCalls } from '#lambda/access-log.ts';
import { environment } from '#lambda/environment.ts';
import { apiEvent } from '#test/support/servers/api-event.ts';

const info = jest.spyOn(console, 'info').mockReturnValue();
const handler = logsCalls(async () => ({ statusCode: 404, body: '{}' }));

const identity = { apiKey: 'secret', apiKeyId: 'key-id', sourceIp: '192.0.2.1', userAgent: 'curl' };
const { requestContext, ...event } = apiEvent({ path: '/docs' });
const call = () =>
  handler(
    { ...event, requestContext: { ...requestContext, identity } } as unknown as APIGatewayProxyEvent,
    {} as Context,
  );

afterEach(() => {
  delete process.env[environment.accessLog];
  info.mockClear();
});

test('logs who called what and how it ended, with the ID of the key and without the key', async () => {
  process.env[environment.accessLog] = 'yes';
  expect(await call()).toEqual({ statusCode: 404, body: '{}' });
  expect(info.mock.calls).toEqual([
    [
      {
        request_id: 'id',
        api_key_id: 'key-id',
        method: 'GET',
        path: '/docs',
        status: 404,
        latency_ms: expect.any(Number),
        response_bytes: 2,
        source_ip: '192.0.2.1',
        user_agent: 'curl',
      },
    ],
  ]);
});

test('logs nothing about callers unless the stage says so', async () => {
  expect(await call()).toEqual({ statusCode: 404, body: '{}' });
  expect(info).not.toHaveBeenCalled();
});
