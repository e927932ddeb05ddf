import { types } from 'node:util';
import type { RequestContext } from './deadline.ts';
import { type Endpoint, EndpointError, type FaultKind, quote } from './endpoint.ts';
import { type Decode, DecodeError, withoutForeignText } from './http/decode.ts';
import { type ConvertElement, createElementStream } from './http/element-stream.ts';
import { parseHexJson } from './http/hex-json.ts';
import { type HttpRequest, type HttpResponse, sendHttp } from './http/http-request.ts';
import { jsonCostProblem } from './http/json-guard.ts';
import { ResponseError } from './http/response-body.ts';
import { meaningOf, REMEDIES } from './refusals.ts';
import { traced } from './trace.ts';

/** Calls a method of an endpoint and decodes the result. Concurrency limits apply before the call. */
export type Rpc = <T>(
  method: string,
  params: readonly unknown[],
  decode: Decode<T>,
  prepare?: PrepareElements,
) => Promise<T>;

/** Returns the conversion of the elements of a result. Called only for big results, whose elements are converted as they arrive. */
export type PrepareElements = () => Promise<ConvertElement>;

type Traced = Pick<RequestContext, 'trace'>;

/** The methods whose results are bytes in hex. */
const RAW = 'debug_getRaw';

let lastId = 0;

/**
 * Makes one JSON-RPC call and decodes the result.
 * @throws EndpointError when the endpoint is unreachable, times out, or returns an error or an invalid response; the signal's
 *   reason when it aborts
 */
export async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  decode: Decode<T>,
  options: Pick<HttpRequest, 'signal' | 'onBig'> & Traced = {},
  prepare?: PrepareElements,
): Promise<T> {
  const id = ++lastId;
  const what = [method, ...params].join(' ');
  const elements = prepare && createElementStream(prepare);
  const parse = elements?.parse ?? (method.startsWith(RAW) ? parseHexJson : parseJson);
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return exchange(endpoint, what, { ...options, body, elements }, (response) =>
    decodeResult(endpoint, what, id, response, decode, parse),
  );
}

/**
 * Sends a request to an endpoint and converts the response.
 * @param what begins the message of an error, after the host
 * @throws EndpointError when the endpoint is unreachable or times out; the signal's reason when it aborts; any error of `use`
 */
export const exchange = <T>(
  endpoint: Endpoint,
  what: string,
  { trace, ...request }: Partial<HttpRequest> & Traced,
  use: (response: HttpResponse) => T,
): Promise<T> => traced(trace, endpoint.host, what, () => send(endpoint, what, request, use));

async function send<T>(
  endpoint: Endpoint,
  what: string,
  request: Partial<HttpRequest>,
  use: (response: HttpResponse) => T,
): Promise<T> {
  try {
    return await sendHttp({ url: endpoint.url, headers: endpoint.headers, ...request }, use);
  } catch (error) {
    request.signal?.throwIfAborted();
    const fault = faultsOf(endpoint, what);
    if (error instanceof ResponseError) throw fault(error.message, error.kind);
    if (error instanceof DecodeError) throw fault(`result: ${error.message}`);
    if (error instanceof EndpointError || !types.isNativeError(error)) throw error;
    const reason = 'code' in error ? error.code : error.message;
    throw fault(`unreachable (${quote(endpoint, `${reason}`)})`, 'unreachable');
  }
}

const faultsOf =
  (endpoint: Endpoint, what: string) =>
  (problem: string, kind: FaultKind = 'invalid response', pauseMs?: number) =>
    new EndpointError(endpoint, `${what}: ${problem}`, kind, pauseMs);

/** Decodes the response to a call. @throws EndpointError, or any error of `decode` except DecodeError */
export function decodeResult<T>(
  endpoint: Endpoint,
  what: string,
  id: number,
  http: HttpResponse,
  decode: Decode<T>,
  parse = parseJson,
): T {
  const fault = faultsOf(endpoint, what);
  // A schema would wrap the result, a whole block, in objects that V8 may come to allocate in the old generation. They would keep the
  // blocks of the last seconds alive, at a third more CPU time.
  const response: { readonly id?: unknown; readonly result?: unknown } = jsonIn(endpoint, what, http, parse);
  if (response.id !== id) throw fault('the response has the id of another request');
  const { result } = response;
  if (result === undefined) throw fault('the response has no result');
  try {
    return decode(withoutForeignText(result, http.body));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Geth answers with no bytes if it does not have the block.
    const isMissing = result === null || (result === '0x' && parse === parseHexJson);
    throw isMissing
      ? fault(`null (unavailable: ${REMEDIES.unavailable})`, 'unavailable')
      : fault(`result: ${error.message}`);
  }
}

/** Parses a response. @throws EndpointError when it is a refusal, costs too much to parse, or is not a JSON object or array */
export function jsonIn(endpoint: Endpoint, what: string, http: HttpResponse, parse = parseJson): object {
  const { status, body } = http;
  const fault = faultsOf(endpoint, what);
  const hint = () => httpHint(endpoint, http);
  const costProblem = jsonCostProblem(body);
  if (costProblem) throw fault(costProblem + hint());
  const value = parsedOrText(parse, body);
  const refusal = meaningOf(http, value);
  if (refusal) {
    const { kind, error, remedy, pauseMs } = refusal;
    // Quoted one by one, because joining them first would copy both in full.
    const words = error?.map((part) => quote(endpoint, `${part}`)).join(', ') || 'without code or message';
    const parts = [status !== 200 && `HTTP status ${status}`, error && `error ${words}`].filter(Boolean);
    throw fault(`${parts.join(', ')} (${kind}${hint() || `: ${remedy}`})`, kind, pauseMs);
  }
  if (typeof value === 'object' && value !== null) return value;
  // A proxy gives its page to the next calls too. Damaged JSON may be of this block alone.
  const isPage = !/^\s*[[{]/.test(`${value}`);
  throw fault(`the response is not a JSON object${hint()}`, isPage ? 'down' : 'invalid response');
}

const parseJson = (body: Buffer): unknown => JSON.parse(body.toString());

/** Text that is not JSON is only searched for the words of a proxy. */
const MAX_TEXT = 1_000;

function parsedOrText(parse: typeof parseJson, body: Buffer): unknown {
  try {
    return parse(body);
  } catch {
    return body.toString('utf8', 0, MAX_TEXT);
  }
}

/**
 * Returns the likely cause of an unusable HTTP response and what to do, to be appended to the problem; empty if nothing shows a cause. Of a
 * redirect it names only the host, because the rest of a URL may be secret.
 */
function httpHint(endpoint: Endpoint, { status, header }: HttpResponse): string {
  const encoding = header('content-encoding') ?? 'identity';
  if (!/^(identity|(x-)?gzip)$/i.test(encoding))
    return `: it is encoded as ${quote(endpoint, encoding)}, although only gzip was accepted. Turn that off at the proxy before the node, or use another endpoint`;
  const location = status >= 300 && status < 400 ? header('location') : undefined;
  const target = location === undefined ? null : URL.parse(location, endpoint.url);
  if (!target) return '';
  const host = quote(endpoint, `${target.protocol}//${target.host}`);
  return `: it redirects to ${host}. Name the URL that answers itself, since redirects are not followed`;
}
