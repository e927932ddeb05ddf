import type { Chain } from '../chains/chains.ts';
import { printable } from '../printable.ts';
import { decoded, redact, secretsOf } from './redact.ts';
import { registeredHost } from './registered-host.ts';

/** A JSON-RPC endpoint of a chain. Its URL may hold a secret, so only `host` may be logged or stored. */
export interface Endpoint {
  readonly chain: Chain;
  /** Public name: the host, or the part of it that is not secret. Endpoints with the same name count as one. */
  readonly host: string;
  /** Registered domain and port. Endpoints of one provider have one vote on the anchor, whatever their URLs. */
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Strings that no message may contain. */
  readonly secrets: readonly string[];
  /** The operator excludes RLP, for which some providers charge another price. */
  readonly isJsonOnly: boolean;
  /** It only votes on the anchor; no block is read from it. */
  readonly isAnchorOnly: boolean;
}

/**
 * Returns the endpoint of a URL.
 * @param url http or https; its user and password are sent as basic authentication. The fragment `#json` excludes RLP, and `#anchor`
 *   reads no blocks from it, only headers for the anchor
 * @param name public name, when the host may hold a secret
 */
export function endpointOf(chain: Chain, url: string, name = parse(url).host): Endpoint {
  const parsed = parse(url);
  const { protocol, host, username, password, pathname, search } = parsed;
  const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const isAnonymous = username === '' && password === '';
  return {
    chain,
    host: name,
    provider: registeredHost(parsed),
    url: `${protocol}//${host}${pathname}${search}`,
    headers: { 'content-type': 'application/json', ...(!isAnonymous && { authorization: `Basic ${basic}` }) },
    secrets: [...(isAnonymous ? [] : [basic]), ...secretsOf(parsed, name)],
    isJsonOnly: parsed.hash === '#json',
    isAnchorOnly: parsed.hash === '#anchor',
  };
}

/** Parses a URL and removes a trailing dot of the host, which means the same host. */
function parse(url: string): URL {
  const parsed = new URL(url);
  parsed.hostname = parsed.hostname.replace(/\.$/, '');
  return parsed;
}

/**
 * Returns endpoints whose URLs may be secret in any part, including the host. Their public name is the registered domain, with
 * `#2` and so on when several share it. Duplicate URLs are dropped, because an endpoint must not confirm its own responses.
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

/** Counts the hosts that URLs lead to, each of which has one vote on the anchor. */
export const countHosts = (urls: readonly string[]): number =>
  new Set(urls.map((url) => registeredHost(parse(url)))).size;

const MAX_QUOTE_LENGTH = 300;

/**
 * Quotes text from a node or the network in a message: redacts secrets, because a node may repeat a key, and removes characters
 * that a terminal acts on.
 */
export const quote = ({ secrets }: Endpoint, text: string): string =>
  // Truncated first, because redaction takes time per character.
  printable(redact(secrets, text.slice(0, MAX_QUOTE_LENGTH)));

/** Faults of an endpoint, as metrics and reports count them. */
export type FaultKind =
  /** The connection failed or broke. */
  | 'unreachable'
  | 'timeout'
  /** HTTP 429, or a JSON-RPC error that means the same. */
  | 'rate limit'
  | 'HTTP error'
  /** A JSON-RPC error, such as pruned history or a tag that is not known yet. */
  | 'RPC error'
  /** The endpoint does not have the method. */
  | 'no method'
  /** The response exceeds our limit, or that of the endpoint. */
  | 'too large'
  /** The result is null: the endpoint does not have the block, perhaps not yet. */
  | 'unavailable'
  /** Not JSON-RPC, or a result that does not decode. */
  | 'invalid response'
  | 'wrong chain'
  /** Decoded, but not valid. */
  | 'invalid block'
  /** The block or its receipts do not hash to the block's hash. */
  | 'not proven'
  /** The block is valid, but not of the anchor's chain. */
  | 'not canonical'
  /** The block follows a rule that this version does not know: the chain has forked. */
  | 'unknown rule';

/** Faults that mean that the endpoint does not have the data, for example because it is pruned. */
export const UNAVAILABLE_KINDS: ReadonlySet<FaultKind> = new Set(['RPC error', 'no method', 'unavailable']);

export interface Fault {
  readonly kind: FaultKind;
  /** The Retry-After header. */
  readonly retryAfter?: string | undefined;
}

/** A fault of one endpoint. The message begins with the host and never contains the URL; foreign text comes from `quote`. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly kind: FaultKind;
  readonly retryAfter: string | undefined;

  // Without a cause, because a network error may contain the full host.
  constructor({ host }: Endpoint, problem: string, { kind, retryAfter }: Fault) {
    super(`${host}: ${problem}`);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}
