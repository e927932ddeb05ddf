import { types } from 'node:util';
import * as z from 'zod/mini';
import { type Decode, DecodeError } from './decode.ts';
import { type Endpoint, EndpointError, type FaultKind, quote } from './endpoint.ts';
import { jsonCostProblem } from './json-guard.ts';
import { type HttpResponse, type OnBig, post } from './post.ts';
import { ResponseTooLargeError, ResponseTooSlowError } from './response-body.ts';
import { RPC_TIMEOUT_MS, startCallTimeout } from './timeouts.ts';

/** Any value is accepted, because an error remains an error whatever its code and message are. */
const errorText = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);

const responseSchema = z.object({
  id: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.nullish(z.object({ code: errorText, message: errorText })),
});
type RpcResponse = z.output<typeof responseSchema>;

/** Calls a method of an endpoint and decodes the result. Concurrency limits apply before the call. */
export type Rpc = <T>(method: string, params: readonly unknown[], decode: Decode<T>) => Promise<T>;

let lastId = 0;

/**
 * Makes one JSON-RPC call and decodes the result.
 * @param onBig called before a big response is read further
 * @throws EndpointError when the endpoint is unreachable, times out, or returns an error or an invalid response; the signal's
 *   reason when it aborts
 */
export async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  decode: Decode<T>,
  signal?: AbortSignal,
  onBig?: OnBig,
): Promise<T> {
  signal?.throwIfAborted();
  const id = ++lastId;
  const fault: FaultOf = (kind, problem, retryAfter) =>
    new EndpointError(endpoint, `${[method, ...params].join(' ')}: ${problem}`, { kind, retryAfter });
  const timeout = startCallTimeout(signal);
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { url, headers } = endpoint;
    return await post({ url, headers, body, signal: timeout.signal, onBig }, (response) =>
      decodeResult(endpoint, id, response, decode, fault),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EndpointError) throw error;
    throw fault(...networkProblem(endpoint, error));
  } finally {
    timeout.clear();
  }
}

type FaultOf = (kind: FaultKind, problem: string, retryAfter?: string) => EndpointError;

/**
 * Decodes the response to a call.
 * @param id of the request
 * @throws EndpointError from `fault`, or what `decode` throws besides a DecodeError
 */
export function decodeResult<T>(
  endpoint: Endpoint,
  id: number,
  { status, header, body }: HttpResponse,
  decode: Decode<T>,
  fault: FaultOf,
): T {
  const costProblem = jsonCostProblem(body);
  if (costProblem) throw fault('invalid response', costProblem);
  const response = responseSchema.safeParse(parseJson(body));
  const problem = problemOf(endpoint, status, response.data);
  if (problem) throw fault(...problem, header('retry-after'));
  if (!response.success) throw fault('invalid response', 'the response is not JSON-RPC');
  if (response.data.id !== id) throw fault('invalid response', 'the response has the id of another request');
  const { result } = response.data;
  try {
    return decode(result);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw fault(result === null ? 'unavailable' : 'invalid response', `result: ${error.message}`);
  }
}

/** https://eips.ethereum.org/EIPS/eip-1474#error-codes has the first; providers use the others. */
const RATE_LIMIT_CODES: readonly unknown[] = [-32005, -32029, -32011];
const TOO_LARGE_CODES: readonly unknown[] = [-32003, -32008];

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
      /limit exceeded|too many requests/i.test(`${message}`);
    const kind = isRateLimit ? 'rate limit' : TOO_LARGE_CODES.includes(code) ? 'too large' : 'RPC error';
    // Quoted one by one: joining first would copy both in full.
    const words = [code, message]
      .filter((part) => part !== undefined)
      .map((part) => quote(endpoint, `${part}`));
    return [kind, `error ${words.join(', ') || 'without code or message'}`];
  }
  if (status === 200) return undefined;
  const kind = status === 429 ? 'rate limit' : status === 413 ? 'too large' : 'HTTP error';
  return [kind, `HTTP status ${status}`];
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function networkProblem(endpoint: Endpoint, error: unknown): [FaultKind, string] {
  if (error instanceof ResponseTooLargeError) return ['too large', error.message];
  if (error instanceof ResponseTooSlowError) return ['timeout', error.message];
  if (!types.isNativeError(error)) throw error;
  if (error.name === 'TimeoutError') return ['timeout', `no response within ${RPC_TIMEOUT_MS / 1000} s`];
  const reason = 'code' in error ? error.code : error.message;
  return ['unreachable', `unreachable (${quote(endpoint, `${reason}`)})`];
}
