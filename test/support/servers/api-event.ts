import type { APIGatewayProxyEvent } from 'aws-lambda';
import { proxyEventOf } from '#local/gateway.ts';

/** Returns the event of a request, a GET by default. */
export const eventOf = (
  url: string | URL,
  given: Partial<Parameters<typeof proxyEventOf>[0]> = {},
): APIGatewayProxyEvent =>
  proxyEventOf({
    method: 'GET',
    resource: new URL(url, 'http://localhost').pathname,
    url: new URL(url, 'http://localhost'),
    headers: {},
    body: '',
    requestId: 'id',
    ...given,
  });

/** Returns the event of a GET without parameters, with some fields overridden. */
export const apiEvent = (given: Partial<APIGatewayProxyEvent> = {}): APIGatewayProxyEvent => ({
  ...eventOf('/'),
  ...given,
});

/** Returns query parameters as API Gateway passes them. */
export const parametersOf = (
  query: Readonly<Record<string, string>>,
): APIGatewayProxyEvent['multiValueQueryStringParameters'] =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
