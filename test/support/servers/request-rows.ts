import type { Context } from 'aws-lambda';
import { JSON_TYPE } from '#lambda/api/formats.ts';
import type { queryHandler } from '#lambda/api/query-handler.ts';
import { apiEvent } from './api-event.ts';

export type Handler = ReturnType<typeof queryHandler>;

/** Returns the body of the response to a query of BSC. */
export async function requestRows(
  handler: Handler,
  query: Readonly<Record<string, string>>,
  Accept: string = JSON_TYPE,
) {
  const event = apiEvent({
    httpMethod: 'POST',
    headers: { Accept, 'Content-Type': 'application/json' },
    body: JSON.stringify({ chain: 'BSC', ...query }),
  });
  const { statusCode, body } = await handler(event, {} as Context);
  expect([statusCode, body]).toEqual([200, expect.any(String)]);
  return body;
}
