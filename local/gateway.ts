import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { gatewayProblems } from '../lambda/api/gateway-problems.ts';
import { MAX_BODY_BYTES } from '../lambda/api/json-body.ts';
import { type Problem, problemResponse } from '../lambda/api/problem.ts';
import { routes } from '../lambda/api/routes.ts';
import { EMBED_PATH, PUBLIC_FILES_PATH, pageMethods, pagePaths } from '../lambda/pages/paths.ts';
import type { Handlers } from './handlers.ts';
import type { KeyCheck } from './keys.ts';
import {
  type Address,
  ANY_ADDRESS,
  endServer,
  isForLocalHost,
  isLoopback,
  isOfOwnPage,
  LOOPBACK,
  listen,
} from './listen.ts';

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** More connections are closed at once, so that a client cannot use up the memory. */
export const MAX_CONNECTIONS = 256;

/** As API Gateway, this waits half a minute for a request at most. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

/**
 * Starts a local replacement for API Gateway, with the same routes, pages, key checks, proxy events and gateway errors. It does not
 * throttle, enforce quotas, compress, answer preflight requests or time out.
 * @param address on loopback, it refuses requests with a foreign Host or Origin: a web page could send them (listen.ts)
 * @throws Error with a message for the user when the port is in use
 */
export async function startGateway(address: Address, isAllowed: KeyCheck, handlers: Handlers) {
  const { host = LOOPBACK } = address;
  const isLocal = isLoopback(host);
  const server = createServer(TIMEOUTS, (request, response) => {
    const requestId = randomUUID();
    const result =
      isLocal && !(isForLocalHost(request) && isOfOwnPage(request))
        ? Promise.resolve(problemResponse(gatewayProblems.ACCESS_DENIED, requestId))
        : respond(request, requestId, isAllowed, handlers);
    void result
      .catch((error: unknown) => {
        // Do not log clients that disconnected.
        if (!request.socket.destroyed) console.error({ request_id: requestId, error });
        return problemResponse(gatewayProblems.DEFAULT_5XX, requestId);
      })
      .then((result) => send(request, response, requestId, result));
  });
  server.on('clientError', (_, socket) => rejectMalformed(socket));
  server.maxConnections = MAX_CONNECTIONS;
  const port = await listen(server, address);
  const name = isLocal || host === ANY_ADDRESS ? 'localhost' : host;
  return { url: `http://${name}:${port}`, close: () => endServer(server) };
}

async function respond(request: IncomingMessage, requestId: string, isAllowed: KeyCheck, handlers: Handlers) {
  const reject = (problem: Problem) => problemResponse(problem, requestId);
  const { method = '', headersDistinct: headers } = request;
  const url = URL.parse(`http://localhost${request.url}`);
  const target = url && targetOf(method, url.pathname);
  if (!target) return reject(gatewayProblems.MISSING_AUTHENTICATION_TOKEN);
  const key = request.headers['x-api-key'];
  const { resource, handler } = target;
  const isAuthorized = handler === 'pages' || (typeof key === 'string' && (await isAllowed(key)));
  if (!isAuthorized) return reject(gatewayProblems.INVALID_API_KEY);
  // Node discards a body that nothing reads.
  const body = handler === 'pages' ? '' : await readBody(request);
  if (body === undefined) return reject(gatewayProblems.REQUEST_TOO_LARGE);
  const event = proxyEventOf({ method, resource, url, headers, body, requestId });
  // The functions read nothing else of a context.
  const context = { functionName: handler, awsRequestId: requestId, getRemainingTimeInMillis: () => 29_000 };
  return handlers[handler](event, context as Context);
}

const pages = { methods: pageMethods, handler: 'pages' } as const;

function targetOf(method: string, path: string) {
  const isOneOf = (methods: readonly string[]) => methods.some((known) => known === method);
  // The last one of the pages matches what no other does.
  const known = [EMBED_PATH, PUBLIC_FILES_PATH, ...routes.map((route) => route.path), ...pagePaths];
  const resource = known.find((one) => isOfResource(one, path));
  const { methods, handler } = routes.find((route) => route.path === resource) ?? pages;
  return resource && isOneOf(methods) ? { resource, handler } : undefined;
}

/** @returns undefined when the body exceeds the limit of the functions, which is below API Gateway's and has the same response */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString() : undefined;
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { statusCode, headers, body, isBase64Encoded }: APIGatewayProxyResult,
): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  response.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, String(value));
  response.setHeader('x-amzn-RequestId', requestId);
  // Node sends no body in a response to HEAD, and would not state its length.
  if (method === 'HEAD' && statusCode !== 304) response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Answers bytes that are not an HTTP request with a problem, like other errors. */
function rejectMalformed(socket: Duplex): void {
  if (!socket.writable) return;
  const { statusCode, headers, body } = problemResponse(gatewayProblems.DEFAULT_4XX, randomUUID());
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusCode} Bad Request\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
}

/** A request as API Gateway receives it. */
interface ProxyRequest {
  readonly method: string;
  /** Path in the API's definition, such as `/assets/{file}`. */
  readonly resource: string;
  readonly url: URL;
  /** All values of each header, by lower-case name. */
  readonly headers: NodeJS.Dict<string[]>;
  readonly body: string;
  readonly requestId: string;
}

/** Returns the event with which API Gateway's Lambda proxy integration invokes a function. */
export function proxyEventOf(request: ProxyRequest): APIGatewayProxyEvent {
  const { method, resource, url, headers, body, requestId } = request;
  const { pathname: path, searchParams } = url;
  const names = [...new Set(searchParams.keys())];
  const parameters = Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)]));
  const groups = patternOf(resource).exec({ pathname: withoutLastSlash(path) })?.pathname.groups ?? {};
  const lastOf = ([name, all]: [string, string[] | undefined]) => [name, all?.at(-1)];
  // The functions read nothing else of it.
  return {
    resource,
    path,
    httpMethod: method,
    headers: Object.fromEntries(Object.entries(headers).map(lastOf)),
    multiValueQueryStringParameters: names.length > 0 ? parameters : null,
    pathParameters: Object.keys(groups).length > 0 ? groups : null,
    body: body === '' ? null : body,
    isBase64Encoded: false,
    requestContext: { path, httpMethod: method, requestId, extendedRequestId: requestId },
  } as APIGatewayProxyEvent;
}

/** Returns true if a path matches a resource. API Gateway ignores a trailing slash. */
const isOfResource = (resource: string, path: string): boolean =>
  patternOf(resource).test({ pathname: withoutLastSlash(path) });

const patternOf = (resource: string) =>
  new URLPattern({ pathname: resource.replaceAll(/\{(\w+\+?)\}/g, ':$1') });

const withoutLastSlash = (path: string): string => path.replace(/(?<=[^/])\/$/, '');
