import { types } from 'node:util';
import { type Endpoint, EndpointError, type FaultKind, quote } from './endpoint.ts';
import { withoutForeignText } from './http/ascii.ts';
import { type Decode, DecodeError } from './http/decode.ts';
import { type ConvertElement, createElementStream } from './http/element-stream.ts';
import { parseHexJson } from './http/hex-json.ts';
import { type HttpResponse, type OnBig, sendHttp } from './http/http-request.ts';
import { jsonCostProblem } from './http/json-guard.ts';
import { ResponseTooLargeError, ResponseTooSlowError } from './http/response-body.ts';
import { httpHint } from './http-hint.ts';
import { type AnswerMeaning, MISSING, meaningOf, type Pause } from './refusals.ts';
import { RPC_TIMEOUT_MS, startCallTimeout } from './timeouts.ts';

/** Calls a method of an endpoint and decodes the result. Concurrency limits apply before the call. */
export type Rpc = <T>(
  method: string,
  params: readonly unknown[],
  decode: Decode<T>,
  prepare?: PrepareElements,
) => Promise<T>;

/** Returns the conversion of the elements of a result. Called only for big results, whose elements are converted as they arrive. */
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
  const fault: FaultOf = (kind, problem, pause) =>
    new EndpointError(endpoint, `${[method, ...params].join(' ')}: ${problem}`, { kind, pause });
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
    if (error instanceof DecodeError) throw fault('invalid response', `result: ${error.message}`);
    throw fault(...networkProblem(endpoint, error));
  } finally {
    timeout.clear();
  }
}

type FaultOf = (kind: FaultKind, problem: string, pause?: Pause) => EndpointError;

/**
 * Decodes the response to a call.
 * @param parse throws SyntaxError
 * @throws EndpointError from `fault`, or any error of `decode` except DecodeError
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
  const value = parsedOrText(parse, body);
  const refusal = meaningOf(status, header, value);
  if (refusal) throw fault(refusal.kind, problemOf(endpoint, status, refusal, hint()), refusal.pause);
  if (!isObject(value)) throw fault('invalid response', `the response is not JSON-RPC${hint()}`);
  // A schema would wrap the result, a whole block, in objects that V8 may come to allocate in the old generation. They would keep the
  // blocks of the last seconds alive, at a third more CPU time.
  const response: { readonly id?: unknown; readonly result?: unknown } = value;
  if (response.id !== id) throw fault('invalid response', 'the response has the id of another request');
  const { result } = response;
  if (result === undefined) throw fault('invalid response', 'the response has no result');
  try {
    return decode(withoutForeignText(result, body));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Geth answers with no bytes if it does not have the block.
    const isMissing = result === null || (result === '0x' && parse === parseHexJson);
    throw isMissing
      ? fault(MISSING.kind, problemOf(endpoint, status, MISSING))
      : fault('invalid response', `result: ${error.message}`);
  }
}

/** Describes a refusal, and says what to do. */
function problemOf(
  endpoint: Endpoint,
  status: number,
  { kind, error, remedy }: AnswerMeaning,
  hint = '',
): string {
  // Quoted one by one, because joining them first would copy both in full.
  const words = error?.map((part) => quote(endpoint, `${part}`)).join(', ');
  const parts = [
    ...(status === 200 ? [] : [`HTTP status ${status}`]),
    ...(error ? [`error ${words || 'without code or message'}`] : []),
  ];
  return `${parts.join(', ') || 'null'} (${kind}${hint || `: ${remedy}`})`;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseJson = (body: Buffer): unknown => JSON.parse(body.toString());

/** Text that is not JSON is only searched for the words of a proxy. */
const MAX_TEXT = 1_000;

function parsedOrText(parse: (body: Buffer) => unknown, body: Buffer): unknown {
  try {
    return parse(body);
  } catch {
    return body.toString('utf8', 0, MAX_TEXT);
  }
}

/** Describes an error of the network. @throws any other error */
export function networkProblem(endpoint: Endpoint, error: unknown): [FaultKind, string] {
  if (error instanceof ResponseTooLargeError) return ['too large', error.message];
  if (error instanceof ResponseTooSlowError) return ['timeout', error.message];
  if (!types.isNativeError(error)) throw error;
  if (error.name === 'TimeoutError') return ['timeout', `no response within ${RPC_TIMEOUT_MS / 1000} s`];
  const reason = 'code' in error ? error.code : error.message;
  return ['unreachable', `unreachable (${quote(endpoint, `${reason}`)})`];
}
