import { types } from 'node:util';
import * as z from 'zod/mini';
import { type Endpoint, EndpointError, type FaultKind, quote } from './endpoint.ts';
import { type Answer as HttpAnswer, post } from './post.ts';
import { ResponseTooLargeError } from './response-body.ts';
import { stripLogs } from './strip-logs.ts';

const ANSWER_WITHIN_MS = 30_000;

/** An error stays one whatever it says of itself. */
const said = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);

const answerSchema = z.object({
  id: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.nullish(z.object({ code: said, message: said })),
});
type Answer = z.output<typeof answerSchema>;

/** Asks an endpoint for one thing, decoded; what limits the calls has been taken care of. */
export type Rpc = <T>(method: string, params: readonly unknown[], schema: z.ZodMiniType<T>) => Promise<T>;

let lastId = 0;

/**
 * One JSON-RPC call, decoded.
 * @throws EndpointError when the endpoint is not reached, answers too late, with an error, or with something else;
 *   the signal's reason when that aborts
 */
export async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  schema: z.ZodMiniType<T>,
  signal?: AbortSignal,
): Promise<T> {
  const id = ++lastId;
  const refuse = (kind: FaultKind, problem: string, retryAfter?: string) =>
    new EndpointError(endpoint, `${[method, ...params].join(' ')}: ${problem}`, { kind, retryAfter });

  const decode = ({ status, header, body }: HttpAnswer): T => {
    const answer = answerSchema.safeParse(parseJson(body));
    const problem = problemOf(endpoint, status, answer.data);
    if (problem) throw refuse(...problem, header('retry-after'));
    if (!answer.success) throw refuse('bad answer', 'the answer is not JSON-RPC');
    if (answer.data.id !== id) throw refuse('bad answer', 'the answer has the id of another question');
    const result = schema.safeParse(answer.data.result);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const where = issue?.path.map((key) => `[${String(key)}]`).join('') ?? '';
    const kind = answer.data.result === null ? 'not there' : 'bad answer';
    throw refuse(kind, `result${where}: ${issue?.message}`);
  };
  signal?.throwIfAborted();
  // Not AbortSignal.timeout and any: what those make of a call stays in memory until the time is over, long after the answer.
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new DOMException('too late', 'TimeoutError')), ANSWER_WITHIN_MS);
  timer.unref();
  const stop = () => end.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { url, headers } = endpoint;
    return await post({ url, headers, body, signal: end.signal }, decode);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EndpointError) throw error;
    throw refuse(...networkProblem(endpoint, error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** https://eips.ethereum.org/EIPS/eip-1474#error-codes has the first; the others are what providers use. */
const RATE_LIMIT_CODES: readonly unknown[] = [-32005, -32029, -32011];
const TOO_LARGE_CODES: readonly unknown[] = [-32003, -32008];

/** What is wrong with an answer as HTTP and JSON-RPC tell it, or undefined when they tell of nothing. */
function problemOf(
  endpoint: Endpoint,
  status: number,
  answer: Answer | undefined,
): [FaultKind, string] | undefined {
  if (answer?.error) {
    const { code, message } = answer.error;
    const isLimit =
      status === 429 ||
      RATE_LIMIT_CODES.includes(code) ||
      /limit exceeded|too many requests/i.test(`${message}`);
    const kind = isLimit ? 'rate limit' : TOO_LARGE_CODES.includes(code) ? 'too large' : 'RPC error';
    // Each is cut by itself: joined, all of both would be copied.
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
    return JSON.parse(stripLogs(body).toString());
  } catch {
    return undefined;
  }
}

function networkProblem(endpoint: Endpoint, error: unknown): [FaultKind, string] {
  if (error instanceof ResponseTooLargeError) return ['too large', error.message];
  if (!types.isNativeError(error)) throw error;
  if (error.name === 'TimeoutError') return ['timeout', `no answer within ${ANSWER_WITHIN_MS / 1000} s`];
  const reason = 'code' in error ? error.code : error.message;
  return ['not reached', `not reached (${quote(endpoint, `${reason}`)})`];
}
