import type { APIGatewayProxyEvent } from 'aws-lambda';
import { proxyEventOf } from '#local/proxy-event.ts';

const base = proxyEventOf({
  method: 'GET',
  url: new URL('http://localhost/'),
  headers: {},
  body: '',
  sourceIp: '127.0.0.1',
  requestId: 'id',
});

/** Returns the event of a GET without parameters, with some fields overridden. */
export const apiEvent = (given: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent => ({
  ...base,
  ...given,
});

/** Returns query parameters as API Gateway passes them. */
export const parametersOf = (
  query: Readonly<Record<string, string>>,
): APIGatewayProxyEvent['multiValueQueryStringParameters'] =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
