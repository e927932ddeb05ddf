import type { Problem } from './api.ts';
import { ChainInsightsError } from './error.ts';

export interface ConnectionOptions {
  /** Base URL of the API, such as `https://….execute-api.eu-central-1.amazonaws.com/v1`; by default, CHAIN_INSIGHTS_URL of the environment. */
  readonly url?: string | undefined;
  /** By default, CHAIN_INSIGHTS_KEY of the environment. */
  readonly key?: string | undefined;
  /** Most repetitions of a request; 4 by default. */
  readonly retries?: number;
  /** Time for one attempt in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
}

/** A connection whose URL and key can be used. */
export type Connection = Readonly<Record<'url' | 'key', string> & Record<'retries' | 'timeoutMs', number>>;

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** An entity tag that the caller has. */
  readonly etag?: string | undefined;
}

/** A client that has to wait longer should rather fail: the quota of a key resets after hours. */
const MAX_RETRY_AFTER_S = 60;
const FIRST_PAUSE_MS = 250;
/** Above the 10 MB that API Gateway sends at most. Whatever responds with more is not the service. */
const MAX_BYTES = 16_000_000;
/** A gateway or a proxy says so when the service did not respond. */
const TRANSIENT = [502, 503, 504];

interface Json {
  /** Undefined where the response is the one that the caller has. */
  readonly body: unknown;
  readonly headers: Headers;
}
type Failure = { readonly error: ChainInsightsError; readonly retryAfterMs: number | undefined };

/** Browsers have no environment. */
const environment = (): Readonly<Record<string, string | undefined>> =>
  (globalThis as { process?: { env?: Record<string, string> } }).process?.env ?? {};

/** Completes and checks a connection, because the errors of `fetch` quote the key and the URL. @throws ChainInsightsError */
export function connect(options: ConnectionOptions): Connection {
  // Deno asks for permission even to read one variable.
  const { url = environment().CHAIN_INSIGHTS_URL, key = environment().CHAIN_INSIGHTS_KEY } = options;
  const { retries = 4, timeoutMs = 30_000 } = options;
  if (!url) throw new ChainInsightsError('No URL of the service: set CHAIN_INSIGHTS_URL, or pass url.');
  if (!key?.trim()) throw new ChainInsightsError('No key: set CHAIN_INSIGHTS_KEY, or pass key.');
  if (!/^[ -~]+$/.test(key.trim()))
    throw new ChainInsightsError(
      'The key holds a character that no HTTP header can hold, such as a line break. Copy it to CHAIN_INSIGHTS_KEY again.',
    );
  if (/^[^/]*:\/\/[^/]*@/.test(url))
    throw new ChainInsightsError(
      'The URL holds a user name or a password, which the API does not use. Remove them.',
    );
  return { url: url.replace(/\/$/, ''), key: key.trim(), retries, timeoutMs };
}

/** Reads a path below the API's root. @throws ChainInsightsError, or the signal's reason */
export async function fetchJson(
  connection: Connection,
  path: string,
  options: FetchOptions = {},
): Promise<Json> {
  for (let attempt = 0; ; attempt++) {
    options.signal?.throwIfAborted();
    const result = await fetchOnce(connection, path, options, FIRST_PAUSE_MS * 2 ** attempt);
    if (!('error' in result)) return result;
    options.signal?.throwIfAborted();
    if (attempt >= connection.retries || result.retryAfterMs === undefined) throw result.error;
    await pause(result.retryAfterMs, options.signal);
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });

/** @param pauseMs before the next attempt, where the service names no time */
async function fetchOnce(
  { url, key, timeoutMs }: Connection,
  path: string,
  { signal, etag }: FetchOptions,
  pauseMs: number,
): Promise<Json | Failure> {
  try {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}/api/chain-insights/${path}`, {
      headers: { 'X-API-Key': key, ...(etag !== undefined && { 'If-None-Match': etag }) },
      // A redirect would send the key to another host.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.status === 304 && etag !== undefined) return { body: undefined, headers: response.headers };
    const type = response.headers.get('Content-Type') ?? 'no type';
    // Read in any case, so that a broken connection is reported as such.
    const text = await readText(response);
    if (text === undefined) return unexpected(response, `more than ${MAX_BYTES / 1e6} MB`, pauseMs);
    const expected = response.ok ? 'application/json' : 'application/problem+json';
    const body = type.startsWith(expected) ? parse(text) : undefined;
    if (body === undefined) return unexpected(response, `expected ${expected}, received ${type}`, pauseMs);
    if (response.ok) return { body, headers: response.headers };
    const problem = body as Problem;
    return {
      error: new ChainInsightsError(messageOf(problem), response.status, problem),
      retryAfterMs: retryAfterOf(response, pauseMs),
    };
  } catch (error) {
    const { reason, isWrongUrl } = reasonOf(error);
    const message = `Cannot reach the service at ${url}: ${reason}. Check the URL.`;
    return { error: new ChainInsightsError(message), retryAfterMs: isWrongUrl ? undefined : pauseMs };
  }
}

/** Returns the body, or undefined where it is too large. */
async function readText({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const value = (await reader?.read())?.value;
    if (!value) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Another content type means that not the API responded but, for example, a proxy. */
function unexpected(response: Response, reason: string, pauseMs: number): Failure {
  const message = `Unexpected response (${response.status}) from ${response.url}: ${reason}. Check the URL.`;
  return {
    error: new ChainInsightsError(message, response.status),
    retryAfterMs: retryAfterOf(response, pauseMs),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const messageOf = ({ title, detail, errors = [] }: Problem): string =>
  // The detail names a single field already.
  errors.length < 2
    ? `${title}: ${detail}`
    : [`${title}:`, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n');

/** Returns the milliseconds to wait, or undefined when a repetition would not help. */
function retryAfterOf({ headers, status }: Response, pauseMs: number): number | undefined {
  const header = headers.get('Retry-After');
  if (header === null) return TRANSIENT.includes(status) ? pauseMs : undefined;
  // A date is not waited for. Zero seconds must not become a tight loop.
  const seconds = /^\d{1,5}$/.test(header.trim()) ? Number(header) : Number.POSITIVE_INFINITY;
  return seconds <= MAX_RETRY_AFTER_S ? Math.max(pauseMs, seconds * 1_000) : undefined;
}

/** Codes, or messages without a code, of a wrong form, host, port or certificate: no repetition can reach that URL. */
const WRONG_URL = /^(ENOTFOUND|ECONNREFUSED|ERR_INVALID_URL|unknown scheme)$|CERT|VERIFY/;

/** Returns the reason of a failed fetch, which is in its innermost cause. With several addresses it is only a code. */
function reasonOf(error: unknown): { readonly reason: string; readonly isWrongUrl: boolean } {
  const { message, code = message, cause } = error as { message: string; code?: string; cause?: unknown };
  if (cause) return reasonOf(cause);
  return { reason: message || code, isWrongUrl: WRONG_URL.test(code) };
}
