import type { Chain } from '../chains/chains.ts';
import { decoded, redact, registeredHost, secretsOf } from './redact.ts';

/** One JSON-RPC endpoint of a chain. Its URL may hold a secret: only `host` may be shown or stored. */
export interface Endpoint {
  readonly chain: Chain;
  /** What it is called by: its host, or what may be shown of that. Two that are called the same count as one. */
  readonly host: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What no message may quote. */
  readonly secrets: readonly string[];
}

/**
 * @param url http or https; a user and a password in it are sent as basic authentication
 * @param shown what it is called by, where its host may hold a secret
 */
export function endpointOf(chain: Chain, url: string, shown = parse(url).host): Endpoint {
  const parsed = parse(url);
  const { protocol, host, username, password, pathname, search } = parsed;
  const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const isAnonymous = username === '' && password === '';
  return {
    chain,
    host: shown,
    url: `${protocol}//${host}${pathname}${search}`,
    headers: {
      'content-type': 'application/json',
      ...(!isAnonymous && { authorization: `Basic ${basic}` }),
    },
    secrets: [...(isAnonymous ? [] : [basic]), ...secretsOf(parsed, shown)],
  };
}

/** Without the dot that the host may end with: it is the same host. */
function parse(url: string): URL {
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  return parsed;
}

/**
 * Endpoints of which any part of the URL may be a secret, the host too: each is called by what its owner registered. Of
 * those that would be called the same, the second is `#2`, and so on, so that what they do is told apart. Those that are
 * asked at the same URL are one, the first: it would confirm what it says itself.
 */
export function secretEndpoints(chain: Chain, urls: readonly string[]): Endpoint[] {
  const times = new Map<string, number>();
  const endpoints = new Map<string, Endpoint>();
  for (const url of urls) {
    const host = registeredHost(parse(url));
    const time = (times.get(host) ?? 0) + 1;
    const endpoint = endpointOf(chain, url, time === 1 ? host : `${host}#${time}`);
    if (endpoints.has(endpoint.url)) continue;
    times.set(host, time);
    endpoints.set(endpoint.url, endpoint);
  }
  return [...endpoints.values()];
}

/** As much is quoted of what others say. */
const LONGEST_QUOTE = 300;

/**
 * The words of others, fit for a message: a node may repeat a key, errors of the network name hosts, and what controls a
 * terminal must not reach one.
 */
export const quote = ({ secrets }: Endpoint, words: string): string =>
  // Cut first: taking secrets out takes time for each character.
  redact(secrets, words.slice(0, LONGEST_QUOTE)).replaceAll(/\p{Cc}+/gu, ' ');

/** What an endpoint can do wrong, as faults are counted. */
export type FaultKind =
  /** Nobody answered there, or the connection broke. */
  | 'not reached'
  | 'timeout'
  /** HTTP 429, or one of the errors that mean the same. */
  | 'rate limit'
  | 'HTTP error'
  /** A JSON-RPC error, such as pruned history or a tag that is not known yet. */
  | 'RPC error'
  /** More than is read, or more than the endpoint is willing to send. */
  | 'too large'
  /** Null: it does not have what it was asked for, or not yet. */
  | 'not there'
  /** Not JSON-RPC, or a value that does not decode. */
  | 'bad answer'
  | 'wrong chain'
  /** Decoded well, and found wrong by the checks or rules. */
  | 'bad block';

/** Kinds by which an endpoint says that it does not have what it is asked for, such as pruned history. */
export const UNAVAILABLE_KINDS: ReadonlySet<FaultKind> = new Set(['RPC error', 'not there']);

interface Fault {
  readonly kind: FaultKind;
  /** The header Retry-After as it was sent. */
  readonly retryAfter?: string | undefined;
}

/**
 * What one endpoint did not answer well. Its message begins with the host and never holds the URL: a problem is told in our
 * own words, and those of others come from `quote`.
 */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly kind: FaultKind;
  readonly retryAfter: string | undefined;

  // It has no cause: an error of the network may hold the whole host.
  constructor({ host }: Endpoint, problem: string, { kind, retryAfter }: Fault) {
    super(`${host}: ${problem}`);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}
