import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request as API Gateway receives it. */
export interface ProxyRequest {
  readonly method: string;
  /** Path in the API's definition, such as `/assets/{file}`. Defaults to the URL's path. */
  readonly resource?: string;
  readonly url: URL;
  /** All values of each header, by lower-case name. */
  readonly headers: NodeJS.Dict<string[]>;
  readonly body: string;
  readonly sourceIp: string;
  readonly requestId: string;
}

/** Returns the event with which API Gateway's Lambda proxy integration invokes a function. */
export function proxyEventOf(request: ProxyRequest): APIGatewayProxyEvent {
  const { method, url, headers, body } = request;
  const { pathname: path, searchParams } = url;
  const { resource = path } = request;
  const names = [...new Set(searchParams.keys())];
  const parameters = Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)]));
  return {
    resource,
    path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: names.length > 0 ? lastOf(parameters) : null,
    multiValueQueryStringParameters: names.length > 0 ? parameters : null,
    pathParameters: pathParametersOf(resource, path) ?? null,
    stageVariables: null,
    body: body === '' ? null : body,
    isBase64Encoded: false,
    requestContext: requestContextOf(request, resource),
  };
}

/** Returns true if a path matches a resource. API Gateway ignores a trailing slash. */
export const isOfResource = (resource: string, path: string): boolean =>
  patternOf(resource).test({ pathname: withoutLastSlash(path) });

/** Returns a path's values for the resource's parts in braces, or undefined when it has none. */
function pathParametersOf(resource: string, path: string): Record<string, string | undefined> | undefined {
  const groups = patternOf(resource).exec({ pathname: withoutLastSlash(path) })?.pathname.groups ?? {};
  return Object.keys(groups).length > 0 ? groups : undefined;
}

const patternOf = (resource: string) =>
  new URLPattern({ pathname: resource.replaceAll(/\{(\w+)\}/g, ':$1') });

const withoutLastSlash = (path: string): string => path.replace(/(?<=[^/])\/$/, '');

const lastOf = (values: NodeJS.Dict<string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all?.at(-1)]));

const requestContextOf = (
  { method, url, headers, sourceIp, requestId }: ProxyRequest,
  resource: string,
): APIGatewayProxyEvent['requestContext'] => ({
  accountId: '000000000000',
  apiId: 'local',
  authorizer: null,
  extendedRequestId: requestId,
  httpMethod: method,
  identity: {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: 'local',
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp,
    user: null,
    userAgent: headers['user-agent']?.at(-1) ?? null,
    userArn: null,
  },
  path: url.pathname,
  protocol: 'HTTP/1.1',
  requestId,
  requestTimeEpoch: Date.now(),
  resourceId: resource,
  resourcePath: resource,
  stage: 'local',
});
