import type { Chain } from '../chains/chains.ts';
import { decoded, registeredHost, secretsOf, withoutSecrets } from './secrets.ts';

/** One JSON-RPC endpoint of a chain. Its URL may hold a secret: only `host` may be shown or stored. */
export interface Endpoint {
  readonly chain: Chain;
  /** What it is called by: its host, or what may be shown of that. Two that are called the same count as one. */
  readonly host: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
}

/**
 * @param url http or https; a user and a password in it are sent as basic authentication
 * @param shown what it is called by, where its host may hold a secret
 */
export function endpointOf(chain: Chain, url: string, shown = new URL(url).host): Endpoint {
  const parsed = new URL(url);
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

/**
 * Endpoints of which any part of the URL may be a secret, the host too: each is called by what its owner registered. Of
 * those that would be called the same, the second is `#2`, and so on, so that what they do is told apart.
 */
export function secretEndpoints(chain: Chain, urls: readonly string[]): Endpoint[] {
  const times = new Map<string, number>();
  return urls.map((url) => {
    const host = registeredHost(new URL(url));
    const time = (times.get(host) ?? 0) + 1;
    times.set(host, time);
    return endpointOf(chain, url, time === 1 ? host : `${host}#${time}`);
  });
}

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
export const DECLINES: ReadonlySet<FaultKind> = new Set(['RPC error', 'not there']);

interface Fault extends ErrorOptions {
  readonly kind: FaultKind;
  /** The header Retry-After as it was sent. */
  readonly retryAfter?: string | undefined;
}

/** What one endpoint did not answer well. Its message begins with the host and never holds the URL. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly kind: FaultKind;
  readonly retryAfter: string | undefined;

  constructor(endpoint: Endpoint, problem: string, { kind, retryAfter, ...options }: Fault) {
    const { host, secrets, chain } = endpoint;
    super(`${host}: ${withoutSecrets(secrets, problem, chain.name)}`, options);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}
