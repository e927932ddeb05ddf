import type { Chain } from '../chains/chains.ts';

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
  const user = [username, password].map(decoded);
  const basic = Buffer.from(user.join(':')).toString('base64');
  const isAnonymous = user.every((part) => part === '');
  const [path, query] = [pathname.split('/'), search.split(/[?&=]/)];
  return {
    chain,
    host,
    url: `${protocol}//${host}${pathname}${search}`,
    headers: {
      'content-type': 'application/json',
      ...(!isAnonymous && { authorization: `Basic ${basic}` }),
    },
    secrets: [
      ...(isAnonymous ? [] : [basic, username, password, ...user]),
      // Shorter parts are versions and names of chains, and taking them out would garble messages.
      ...[...path, ...path.map(decoded), ...query, ...searchParams.values()].filter(
        (part) => part.length >= 6,
      ),
    ].filter(Boolean),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
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
    super(`${endpoint.host}: ${withoutSecrets(endpoint, problem)}`, options);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

const withoutSecrets = ({ secrets }: Endpoint, text: string): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
