import { types } from 'node:util';
import { withoutForeignText } from './ascii.ts';
import { type Decode, DecodeError } from './decode.ts';
import { type ConvertElement, createElementStream } from './element-stream.ts';
import { type Endpoint, EndpointError, type FaultKind, quote } from './endpoint.ts';
import { parseHexJson } from './hex-json.ts';
import { httpHint } from './http-hint.ts';
import { type HttpResponse, type OnBig, sendHttp } from './http-request.ts';
import { jsonCostProblem } from './json-guard.ts';
import { ResponseTooLargeError, ResponseTooSlowError } from './response-body.ts';
import { RPC_TIMEOUT_MS, startCallTimeout } from './timeouts.ts';

interface RpcResponse {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
}

/** Calls a method of an endpoint and decodes the result. Concurrency limits apply before the call. */
export type Rpc = <T>(
  method: string,
  params: readonly unknown[],
  decode: Decode<T>,
  prepare?: PrepareElements,
) => Promise<T>;

/** Returns the conversion of the elements of a result. Only called for a big one, whose elements are converted as they arrive. */
export type PrepareElements = () => Promise<ConvertElement>;

/** The methods whose results are bytes in hex. */
const RAW = 'debug_getRaw';

let lastId = 0;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBig?: OnBig | undefined;
  readonly prepare?: PrepareElements | undefined;
}

/**
 * Makes one JSON-RPC call and decodes the result.
 * @param prepare converts the elements of a big result
 * @param onBig called before a big response is read further
 * @throws EndpointError when the endpoint is unreachable, times out, or returns an error or an invalid response; the signal's
 *   reason when it aborts
 */
export async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  decode: Decode<T>,
  { signal, onBig, prepare }: CallOptions = {},
): Promise<T> {
  signal?.throwIfAborted();
  const id = ++lastId;
  const fault: FaultOf = (kind, problem, retryAfter) =>
    new EndpointError(endpoint, `${[method, ...params].join(' ')}: ${problem}`, { kind, retryAfter });
  const timeout = startCallTimeout(signal);
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { url, headers } = endpoint;
    const elements = prepare && createElementStream(prepare);
    const parse = elements?.parse ?? (method.startsWith(RAW) ? parseHexJson : parseJson);
    const whenBig = () => {
      timeout.extend();
      return onBig?.();
    };
    const request = { url, headers, body, signal: timeout.signal, elements };
    return await sendHttp({ ...request, onBig: whenBig, onWait: timeout.extend }, (response) =>
      decodeResult(endpoint, id, response, decode, fault, parse),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EndpointError) throw error;
    if (error instanceof DecodeError) throw fault('invalid response', `result${error.message}`);
    throw fault(...networkProblem(endpoint, error));
  } finally {
    timeout.clear();
  }
}

type FaultOf = (kind: FaultKind, problem: string, retryAfter?: string) => EndpointError;

/**
 * Decodes the response to a call.
 * @param id of the request
 * @param parse throws SyntaxError
 * @throws EndpointError from `fault`, or any error of `decode` but DecodeError
 */
export function decodeResult<T>(
  endpoint: Endpoint,
  id: number,
  http: HttpResponse,
  decode: Decode<T>,
  fault: FaultOf,
  parse: (body: Buffer) => unknown = parseJson,
): T {
  const { status, header, body } = http;
  const hint = () => httpHint(endpoint, http);
  const costProblem = jsonCostProblem(body);
  if (costProblem) throw fault('invalid response', costProblem + hint());
  const response = toResponse(orUndefined(parse, body));
  const problem = problemOf(endpoint, status, response);
  if (problem) throw fault(problem[0], problem[1] + hint(), header('retry-after'));
  if (!response) throw fault('invalid response', `the response is not JSON-RPC${hint()}`);
  if (response.id !== id) throw fault('invalid response', 'the response has the id of another request');
  const result = withoutForeignText(response.result, body);
  try {
    return decode(result);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Geth gives no bytes for a block that it does not have.
    const isMissing = result === null || (result === '0x' && parse === parseHexJson);
    throw fault(isMissing ? 'unavailable' : 'invalid response', `result: ${error.message}`);
  }
}

/** https://eips.ethereum.org/EIPS/eip-1474#error-codes has the first; providers use the others. */
const RATE_LIMIT_CODES: readonly unknown[] = [-32005, -32029, -32011];
const TOO_LARGE_CODES: readonly unknown[] = [-32003, -32008];
const NO_SUCH_METHOD = -32601;

/** Returns the error of a response, from JSON-RPC or the HTTP status, or undefined when it has none. */
function problemOf(
  endpoint: Endpoint,
  status: number,
  response: RpcResponse | undefined,
): [FaultKind, string] | undefined {
  if (response?.error) {
    const { code, message } = response.error;
    const isRateLimit =
      status === 429 ||
      RATE_LIMIT_CODES.includes(code) ||
      (isText(message) && /limit exceeded|too many requests/i.test(`${message}`));
    const other = code === NO_SUCH_METHOD ? 'no method' : 'RPC error';
    const kind = isRateLimit ? 'rate limit' : TOO_LARGE_CODES.includes(code) ? 'too large' : other;
    // Quoted one by one, because joining them first would copy both in full.
    const words = [code, message].filter(isText).map((part) => quote(endpoint, `${part}`));
    return [kind, `error ${words.join(', ') || 'without code or message'}`];
  }
  return statusProblem(status);
}

/** Returns the error of an HTTP status; undefined for 200. */
export function statusProblem(status: number): [FaultKind, string] | undefined {
  if (status === 200) return undefined;
  const kind = status === 429 ? 'rate limit' : status === 413 ? 'too large' : 'HTTP error';
  return [kind, `HTTP status ${status}`];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a value that is a JSON-RPC response. A schema would wrap the result, a whole block, in objects that V8 may come to
 * allocate in the old generation. They would keep the blocks of the last seconds alive, at a third more CPU time.
 */
function toResponse(value: unknown): RpcResponse | undefined {
  if (!isObject(value)) return undefined;
  const response: RpcResponse = value;
  const hasError = response.error !== undefined && response.error !== null;
  return hasError && !isObject(response.error) ? undefined : response;
}

/** Any other value is ignored, because an error remains an error whatever its code and message are. */
const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const parseJson = (body: Buffer): unknown => JSON.parse(body.toString());

function orUndefined(parse: (body: Buffer) => unknown, body: Buffer): unknown {
  try {
    return parse(body);
  } catch {
    return undefined;
  }
}

/** @throws any error that is none of the network */
export function networkProblem(endpoint: Endpoint, error: unknown): [FaultKind, string] {
  if (error instanceof ResponseTooLargeError) return ['too large', error.message];
  if (error instanceof ResponseTooSlowError) return ['timeout', error.message];
  if (!types.isNativeError(error)) throw error;
  if (error.name === 'TimeoutError') return ['timeout', `no response within ${RPC_TIMEOUT_MS / 1000} s`];
  const reason = 'code' in error ? error.code : error.message;
  return ['unreachable', `unreachable (${quote(endpoint, `${reason}`)})`];
}
