import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What API Gateway knows of a request when it makes an event of it. */
export interface ProxyRequest {
  readonly method: string;
  /** The path as the API defines it, such as `/assets/{file}`; by default that of the URL. */
  readonly resource?: string;
  readonly url: URL;
  /** All values of each header, by its name in small letters. */
  readonly headers: NodeJS.Dict<string[]>;
  readonly body: string;
  readonly sourceIp: string;
  readonly requestId: string;
}

/** The event that API Gateway gives a function for a request, by its Lambda proxy integration. */
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

/** Whether a request for a path is one for a resource. API Gateway overlooks a slash at the end of it. */
export const isOfResource = (resource: string, path: string): boolean =>
  patternOf(resource).test({ pathname: withoutLastSlash(path) });

/** What a path has in place of the parts of the resource that are in braces; undefined when there are none. */
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
