import type { Problem } from './api.ts';
import { ChainInsightsError } from './error.ts';

export interface Connection {
  /** Base URL of the API, such as `https://….execute-api.eu-central-1.amazonaws.com/v1`. */
  readonly url: string;
  readonly key: string;
  /** Most repetitions of a request; 4 by default. */
  readonly retries?: number;
}

const TIMEOUT_MS = 30_000;
/** A client that has to wait longer should rather fail: the quota of a key resets after hours. */
const MAX_RETRY_AFTER_S = 60;
const FIRST_PAUSE_MS = 250;
/** A gateway or a proxy says so when the service did not respond. */
const TRANSIENT = [502, 503, 504];

interface Json {
  readonly body: unknown;
  readonly headers: Headers;
}
type Failure = { readonly error: ChainInsightsError; readonly retryAfterMs: number | undefined };

/**
 * Reads a path below the API's root.
 * @throws ChainInsightsError
 */
export async function fetchJson(given: Connection, path: string): Promise<Json> {
  const { retries = 4 } = given;
  const connection = { ...given, key: given.key.trim() };
  const problem = problemOf(connection);
  if (problem !== undefined) throw new ChainInsightsError(problem);
  for (let attempt = 0; ; attempt++) {
    const result = await fetchOnce(connection, path, FIRST_PAUSE_MS * 2 ** attempt);
    if (!('error' in result)) return result;
    if (attempt >= retries || result.retryAfterMs === undefined) throw result.error;
    await new Promise((done) => setTimeout(done, result.retryAfterMs));
  }
}

/** Returns why a connection cannot be used. Checked first, because the errors of `fetch` quote the key and the URL. */
function problemOf({ url, key }: Connection): string | undefined {
  if (!/^[ -~]+$/.test(key))
    return 'The key is empty, or holds a character that no HTTP header can hold, such as a line break. Copy it again.';
  try {
    const { username, password } = new URL(url);
    if (username || password)
      return 'The URL holds a user name or a password, which the API does not use. Remove them.';
  } catch {
    // Reported by the request.
  }
  return undefined;
}

/** @param pauseMs before the next attempt, where the service names no time */
async function fetchOnce({ url, key }: Connection, path: string, pauseMs: number): Promise<Json | Failure> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/api/chain-insights/${path}`, {
      headers: { 'X-API-Key': key },
      // A redirect would send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const type = response.headers.get('Content-Type') ?? 'no type';
    // Read in any case, so that a broken connection is reported as such.
    const text = await response.text();
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
    const message = `Cannot reach the service at ${url || 'an empty URL'}: ${reason}. Check the URL.`;
    return { error: new ChainInsightsError(message), retryAfterMs: isWrongUrl ? undefined : pauseMs };
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
  [`${title}: ${detail}`, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n');

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
