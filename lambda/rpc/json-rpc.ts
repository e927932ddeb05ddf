import { types } from 'node:util';
import * as z from 'zod/mini';
import { type Endpoint, EndpointError } from './endpoint.ts';

const ANSWER_WITHIN_MS = 30_000;

const answerSchema = z.object({
  id: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.nullish(z.object({ code: z.optional(z.unknown()), message: z.optional(z.unknown()) })),
});

let lastId = 0;

/**
 * One JSON-RPC call, decoded.
 * @throws EndpointError when the endpoint is not reached, answers too late, with an error, or with something else
 */
export async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
  schema: z.ZodMiniType<T>,
): Promise<T> {
  const id = ++lastId;
  const refuse = (problem: string, cause?: unknown) =>
    new EndpointError(endpoint, `${[method, ...params].join(' ')}: ${problem}`, { cause });

  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const { status, text } = await post(endpoint, body).catch((error: unknown) => {
    throw refuse(networkProblem(error), error);
  });
  const answer = answerSchema.safeParse(parseJson(text));
  if (answer.data?.error) {
    throw refuse(`error ${answer.data.error.code}, ${answer.data.error.message}`);
  }
  if (status !== 200) throw refuse(`HTTP status ${status}`);
  if (!answer.success) throw refuse('the answer is not JSON-RPC');
  if (answer.data.id !== id) throw refuse('the answer has the id of another question');

  const result = schema.safeParse(answer.data.result);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw refuse(`result${issue?.path.map((key) => `[${String(key)}]`).join('') ?? ''}: ${issue?.message}`);
}

async function post({ url, headers }: Endpoint, body: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  return { status: response.status, text: await response.text() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function networkProblem(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${ANSWER_WITHIN_MS / 1000} s`;
  // fetch says only "fetch failed"; the reason, such as ECONNREFUSED, is in its cause.
  const reason = types.isNativeError(error.cause) ? error.cause : error;
  return `not reached (${'code' in reason ? reason.code : reason.message})`;
}
