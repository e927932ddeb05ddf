import { isIP } from 'node:net';
import type { Chain } from '../chains/chains.ts';
import { printable } from '../printable.ts';
import { decoded, redact, secretsOf } from './redact.ts';
import type { RefusalKind } from './refusals.ts';

/** The last two labels, or three below a country's second-level domain such as `co.uk`. */
const REGISTERED = /[^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|[^.]+)$/;

/** Returns the registered domain of a host with the port. Endpoints that share it have one vote. The labels before it may contain a key. */
export function registeredHost({ hostname, port }: URL): string {
  const name = isIP(hostname) ? hostname : (REGISTERED.exec(hostname)?.[0] ?? hostname);
  return port ? `${name}:${port}` : name;
}

/** A JSON-RPC endpoint of a chain. Its URL may hold a secret, so only `host` may be logged or stored. */
export interface Endpoint {
  readonly chain: Chain;
  /** The public name: the host, or the part of it that is not secret. Endpoints with the same name count as one. */
  readonly host: string;
  /** All endpoints of a provider share one vote on the anchor. */
  readonly provider: string;
  readonly url: string;
  readonly headers: { readonly 'content-type': string; readonly authorization?: string };
  /** Strings that no message may contain. */
  readonly secrets: readonly string[];
  readonly isJsonOnly: boolean;
  readonly isAnchorOnly: boolean;
  readonly isReserve: boolean;
  readonly callsPerSecond: number;
}

/**
 * Returns the endpoint of a URL.
 * @param url http or https; its user and password are sent as basic authentication. The fragment lists options,
 *   separated by commas: `json` excludes RLP, for which some providers charge another price, `anchor` reads only headers for the anchor,
 *   `reserve` reads blocks only while no other endpoint can give them, and `20/s` allows 20 calls a second
 * @param name the public name, if the host may contain a secret
 */
export function endpointOf(chain: Chain, url: string, name = parse(url).host): Endpoint {
  const parsed = parse(url);
  const { protocol, host, username, password, pathname, search } = parsed;
  const options = optionsOf(parsed);
  const rate = options.find((option) => RATE.test(option));
  const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const isAnonymous = username === '' && password === '';
  return {
    chain,
    host: name,
    provider: registeredHost(parsed),
    url: `${protocol}//${host}${pathname}${search}`,
    headers: { 'content-type': 'application/json', ...(!isAnonymous && { authorization: `Basic ${basic}` }) },
    secrets: [...(isAnonymous ? [] : [basic]), ...secretsOf(parsed, name)],
    isJsonOnly: options.includes('json'),
    isAnchorOnly: options.includes('anchor'),
    isReserve: options.includes('reserve'),
    callsPerSecond: rate === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(rate, 10),
  };
}

const optionsOf = ({ hash }: URL): readonly string[] => hash.slice(1).split(',').filter(Boolean);

const RATE = /^[1-9]\d{0,5}\/s$/;

const MAX_OPTION_LENGTH = 10;

/** Describes the first unknown option in the fragment of a URL, if it has one. */
export function optionProblem(url: URL): string | undefined {
  const isKnown = (option: string) => ['json', 'anchor', 'reserve'].includes(option) || RATE.test(option);
  const unknown = optionsOf(url).find((option) => !isKnown(option));
  if (unknown === undefined) return undefined;
  // A longer one may be part of a key that contains a #.
  const name = unknown.length <= MAX_OPTION_LENGTH ? ` ${printable(unknown)}` : '';
  return `has the unknown option${name} after its #. Known are json, anchor, reserve and a rate such as 20/s`;
}

/** Splits a list of URLs at whitespace, and at commas that another URL follows. Other commas separate the options of one URL. */
export const splitUrls = (list: string): string[] =>
  list
    .replace(/,+(?=\s|$|[^\s,]*:\/\/)/g, ' ')
    .split(/\s+/)
    .filter(Boolean);

/** Parses a URL and removes a trailing dot of the host, which does not change its meaning. */
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
  return [...Map.groupBy(urls, (url) => endpointOf(chain, url).url).values()].map(([url = '']) => {
    const host = registeredHost(parse(url));
    const time = (times.get(host) ?? 0) + 1;
    times.set(host, time);
    return endpointOf(chain, url, time === 1 ? host : `${host}#${time}`);
  });
}

/** Counts the hosts of URLs. Each has one vote on the anchor. */
export const countHosts = (urls: readonly string[]): number =>
  new Set(urls.map((url) => registeredHost(parse(url)))).size;

const MAX_QUOTE_LENGTH = 300;

/** Quotes foreign text in a message, without secrets, because a node may repeat a key, or characters that a terminal acts on. */
export const quote = ({ secrets }: Endpoint, text: string): string =>
  // Truncated first, because redaction takes time for each character.
  printable(redact(secrets, text.slice(0, MAX_QUOTE_LENGTH)));

/** Faults of an endpoint, as metrics and reports count them. */
export type FaultKind =
  | RefusalKind
  | 'unreachable'
  | 'timeout'
  /** Not JSON-RPC, or a result that does not decode. */
  | 'invalid response'
  | 'wrong chain'
  /** The block decodes, but is not valid. */
  | 'invalid block'
  /** The block or its receipts do not hash to the block's hash. */
  | 'not proven'
  /** The block is valid, but not of the anchor's chain. */
  | 'not canonical'
  /** The block follows a rule that this version does not know: the chain has forked. */
  | 'unknown rule';

/** With these faults the endpoint does not have the data, for example because it is pruned. */
const LACKING = ['unavailable', 'pruned', 'no method', 'not yet'] as const;
export const UNAVAILABLE_KINDS: ReadonlySet<FaultKind> = new Set(LACKING);

/** A fault of one endpoint. The message begins with the host and never contains the URL; foreign text comes from `quote`. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly kind: FaultKind;
  /** The milliseconds during which the endpoint wants no calls. */
  readonly pauseMs: number | undefined;

  // Without a cause, because a network error may contain the full host.
  constructor({ host }: Endpoint, problem: string, kind: FaultKind, pauseMs?: number) {
    super(`${host}: ${problem}`);
    this.kind = kind;
    this.pauseMs = pauseMs;
  }
}
