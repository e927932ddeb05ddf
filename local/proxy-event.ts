import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What API Gateway knows of a request when it makes an event of it. */
export interface ProxyRequest {
  readonly method: string;
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
  const names = [...new Set(searchParams.keys())];
  const parameters = Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)]));
  return {
    resource: path,
    path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: names.length > 0 ? lastOf(parameters) : null,
    multiValueQueryStringParameters: names.length > 0 ? parameters : null,
    pathParameters: null,
    stageVariables: null,
    body: body === '' ? null : body,
    isBase64Encoded: false,
    requestContext: requestContextOf(request, path),
  };
}

const lastOf = (values: NodeJS.Dict<string[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all?.at(-1)]));

const requestContextOf = (
  { method, headers, sourceIp, requestId }: ProxyRequest,
  path: string,
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
  path,
  protocol: 'HTTP/1.1',
  requestId,
  requestTimeEpoch: Date.now(),
  resourceId: path,
  resourcePath: path,
  stage: 'local',
});
