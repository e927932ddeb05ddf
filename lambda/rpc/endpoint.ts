import { types } from 'node:util';
import * as z from 'zod/mini';
import { BlockError } from '../chains/block-error.ts';
import type { Chain } from '../chains/chains.ts';
import { quantity } from './decode.ts';

/** One JSON-RPC endpoint of a chain. Its URL may hold a secret: only `host` may be shown or stored. */
export interface Endpoint {
  readonly chain: Chain;
  readonly host: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What no message may repeat: providers put keys into the path, the query or the user part of a URL. */
  readonly secrets: readonly string[];
}

/** @param url http or https; a user and a password in it are sent as basic authentication */
export function endpointOf(chain: Chain, url: string): Endpoint {
  const { protocol, host, username, password, pathname, search, searchParams } = new URL(url);
  const isSecret = (part: string) => part.length >= 8;
  const user = [username, password].map(decodeURIComponent).join(':');
  return {
    chain,
    host,
    url: `${protocol}//${host}${pathname}${search}`,
    headers: {
      'content-type': 'application/json',
      ...(user !== ':' && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    },
    secrets: [...pathname.split('/'), ...searchParams.values()].filter(isSecret),
  };
}

/** What one endpoint did not answer well. Its message begins with the host and never holds the URL. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';

  constructor(endpoint: Endpoint, problem: string, options?: ErrorOptions) {
    super(`${endpoint.host}: ${withoutSecrets(endpoint, problem)}`, options);
  }
}

/** Every endpoint of a chain was asked and none gave a valid answer; the message holds the reason of each. */
export class NoEndpointError extends Error {
  override readonly name = 'NoEndpointError';

  constructor(what: string, reasons: readonly Error[]) {
    super(
      `no endpoint gave a valid answer for ${what}. ${reasons.map((reason) => reason.message).join('. ')}`,
    );
  }
}

/**
 * Asks one endpoint after the other until one gives an answer that `ask` does not refuse.
 * @param what says in an error what was asked for, such as `ETHEREUM block 12`
 * @param ask throws EndpointError or BlockError to refuse what an endpoint said
 * @throws NoEndpointError when all are refused
 */
export async function fromAnyEndpoint<T>(
  endpoints: readonly Endpoint[],
  what: string,
  ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const reasons: Error[] = [];
  for (const endpoint of endpoints) {
    try {
      await checkChainId(endpoint);
      return await ask(endpoint);
    } catch (error) {
      if (error instanceof BlockError) reasons.push(new EndpointError(endpoint, error.message));
      else if (error instanceof EndpointError) reasons.push(error);
      else throw error;
    }
  }
  throw new NoEndpointError(what, reasons);
}

const ANSWER_WITHIN_MS = 30_000;

const answerSchema = z.object({
  id: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.number(), message: z.string() })),
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

const withoutSecrets = ({ secrets }: Endpoint, text: string): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);

const chainIdAnswers = new WeakMap<Endpoint, Promise<number>>();

/** A URL of another chain would give figures that look right: no endpoint is read before it has said where it is. */
async function checkChainId(endpoint: Endpoint): Promise<void> {
  let answer = chainIdAnswers.get(endpoint);
  if (!answer) {
    answer = call(endpoint, 'eth_chainId', [], quantity).then(Number);
    chainIdAnswers.set(endpoint, answer);
    answer.catch(() => chainIdAnswers.delete(endpoint));
  }
  const id = await answer;
  const { chain } = endpoint;
  if (id !== chain.id) {
    throw new EndpointError(endpoint, `this is chain ${id}, and ${chain.name} is chain ${chain.id}`);
  }
}
