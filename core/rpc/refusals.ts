import type { HttpResponse } from './http/http-request.ts';

/** The meanings of an answer without a result, each with its consequence or the advice to an operator. */
export const REMEDIES = {
  'rate limit': 'it is called less often; a larger plan or one more endpoint is faster',
  /** The calls of a day or a month are used up. */
  quota: 'it is asked again later; choose a larger plan or add an endpoint',
  /** The response exceeds the limit of the endpoint, or ours. */
  'too large': 'less is requested at once',
  unavailable: 'the node does not have it; another may, such as an archive node',
  /** The endpoint will never have it, so it is not tried again at once. */
  pruned: 'the node has deleted it; add an endpoint with more history',
  'no method': 'enable the method, or add an endpoint that offers it',
  /** The endpoint does not know the block yet. */
  'not yet': 'wait until the node has synced',
  /** An outage, or an answer that matches no row. */
  down: 'it is asked again later; if this persists, add an endpoint',
  misconfigured: 'check its URL and the key in it',
};

export type RefusalKind = keyof typeof REMEDIES;

/** A form of refusal. A row with words is more specific than one with a code, which is more specific than one with only a status. */
export interface RefusalRow {
  readonly means: RefusalKind;
  /** The HTTP statuses to which the row applies; all by default. */
  readonly status?: readonly number[];
  readonly codes?: readonly number[];
  /** Parts of the message in lower case. One of them is enough. */
  readonly says?: readonly string[];
  readonly pauseMs?: number;
  readonly remedy?: string;
  readonly source: string;
}

const HOUR_MS = 3_600_000;

/** Statuses with which a working node reports an error. */
const WORKS = [200, 400, 404];
/** Codes of errors that only the message distinguishes. */
const GENERIC = [-32000, -32001, -32002, -32603];

const ALLOY = 'alloy-rs/alloy: crates/json-rpc/src/response/error.rs';
const ERPC = 'erpc/erpc: architecture/evm/error_normalizer.go';
const ERPC_MISSING = 'erpc/erpc: architecture/evm, IsMissingDataError';
const DRPC = 'enviodev/hyperindex#715, BobTheBuidler/dank_mids#1036';
const PROXYD = 'ethereum-optimism/infra: proxyd/backend.go';
const GETH = 'ethereum/go-ethereum: rpc/errors.go, eth/api_backend.go, node/rpcstack.go';
const PONDER = 'ponder-sh/ponder: packages/utils/src/getLogsRetryHelper.ts';
const EIP_1474 = 'EIP-1474, error codes';

const FINALIZED = ['finalized'];
const NO_TAG = 'set CONFIRMATIONS_<CHAIN>, or confirmations in the stage';
const NOT_AVAILABLE = 'does not exist/is not available';
const VHOSTS = 'start geth with the name of its host in --http.vhosts';
const TOO_LARGE = ['response size', 'response too', 'response is too'];
const TOO_OFTEN = ['rate limit', 'rate exceeded', 'too many request', 'request limit'];
const OVERLOADED = ['under too much load', 'no server available', 'error code: 1015', 'try again in'];
const NO_METHOD = ['not whitelisted', 'unsupported method', 'in your current plan'];
const NO_BLOCK = ['header not found', 'block not found', 'unknown block', 'not find block', 'not traceable'];
const NOT_YET = ['finalized block not found', 'indexing is in progress'];
const PRUNED = ['pruned', 'pruning', 'missing trie node', 'historical state', 'no state available'];

/** If several rows match and are equally specific, the first one counts. */
export const REFUSALS: readonly RefusalRow[] = [
  { means: 'quota', pauseMs: 6 * HOUR_MS, says: ['monthly capacity', 'monthly limit'], source: ERPC },
  { means: 'quota', pauseMs: HOUR_MS, says: ['daily request', 'daily limit'], source: ALLOY },
  { means: 'quota', pauseMs: HOUR_MS, status: [402], source: 'RFC 9110, section 15.5.3' },

  // Before the rate limits, because "limit exceeded" may be about a size.
  { means: 'too large', codes: [-32003], status: WORKS, source: GETH },
  { means: 'too large', codes: [-32008], status: WORKS, source: 'paritytech/jsonrpsee: types/src/error.rs' },
  { means: 'too large', codes: [-32020], status: [...WORKS, 500], source: PROXYD },
  { means: 'too large', says: TOO_LARGE, status: WORKS, source: PONDER },
  { means: 'too large', status: [413], source: 'RFC 9110, section 15.5.14' },

  { means: 'rate limit', status: [429], source: 'RFC 6585, section 4' },
  { means: 'rate limit', codes: [30], says: ['free tier', 'upgrade your tier'], source: DRPC },
  { means: 'rate limit', codes: [15], source: 'drpc.org: docs, error codes' },
  { means: 'rate limit', codes: [429, -32005, -32007, -32016], source: ALLOY },
  { means: 'rate limit', codes: [-32012], says: ['credits'], source: ALLOY },
  { means: 'rate limit', codes: [-32029], source: 'trpc/trpc: unstable-core, rpc/codes.ts' },
  { means: 'rate limit', says: TOO_OFTEN, source: ALLOY },
  { means: 'rate limit', says: ['limit exceeded', 'exceeded its compute', 'has exceeded'], source: ERPC },
  { means: 'rate limit', says: ['the quota', 'reached the free tier'], source: ERPC },
  { means: 'rate limit', says: OVERLOADED, source: ERPC },

  { means: 'no method', codes: [-32601], status: [...WORKS, 403], source: PROXYD },
  { means: 'no method', codes: [-32700], says: [NOT_AVAILABLE], status: WORKS, source: 'ganache 7.9.2' },
  { means: 'no method', codes: [-32602], says: FINALIZED, remedy: NO_TAG, status: WORKS, source: 'EDR' },
  { means: 'no method', codes: [-32004], status: WORKS, source: EIP_1474 },
  { means: 'no method', says: NO_METHOD, status: [...WORKS, 403], source: ERPC },

  { means: 'not yet', codes: GENERIC, says: NOT_YET, status: WORKS, source: GETH },
  { means: 'not yet', codes: [-39001], status: WORKS, source: 'ethereum/execution-apis#879' },

  { means: 'pruned', codes: [4444], status: WORKS, source: 'EIP-4444, seen with geth 1.17.10' },
  { means: 'unavailable', codes: [-32001], status: WORKS, source: EIP_1474 },
  { means: 'unavailable', codes: GENERIC, says: NO_BLOCK, status: WORKS, source: ERPC_MISSING },
  { means: 'unavailable', codes: GENERIC, says: PRUNED, status: WORKS, source: ERPC_MISSING },
  { means: 'unavailable', codes: [3, -32015], status: WORKS, source: 'execution reverted, go-ethereum' },

  { means: 'down', codes: [-32010, -32011], source: PROXYD },
  { means: 'down', codes: [-32602], says: ['request blocked'], source: 'publicnode.com' },

  { means: 'misconfigured', says: ['invalid host specified'], remedy: VHOSTS, source: GETH },
  { means: 'misconfigured', status: [301, 302, 303, 307, 308], source: 'RFC 9110, section 15.4' },
  { means: 'misconfigured', status: [401, 403, 404, 405, 407], source: 'RFC 9110, section 15.5' },
];

/** Returns the parts of a row, the most specific first, such as "true,false,true". */
const specificity = ({ says, codes, status }: RefusalRow) => [says, codes, status].map(Boolean).join();
const ROWS = REFUSALS.toSorted((a, b) => specificity(b).localeCompare(specificity(a)));

/** The only meanings of two statuses, regardless of the body. */
const ALWAYS: ReadonlyMap<number, readonly RefusalKind[]> = new Map([
  [429, ['rate limit', 'quota']],
  [402, ['quota']],
]);

const MAX_WORDS = 300;

interface Refusal {
  readonly kind: RefusalKind;
  /** The time during which the endpoint wants no calls. */
  readonly pauseMs: number | undefined;
  /** The code and the message of a JSON-RPC error, for messages. */
  readonly error: readonly (string | number)[] | undefined;
  readonly remedy: string;
}

/**
 * Returns the meaning of an answer; undefined if it has a result, or if it is text under HTTP 200 that matches no row.
 * @param body parsed JSON, or the beginning of other text
 */
export function meaningOf(http: Pick<HttpResponse, 'status' | 'header'>, body: unknown): Refusal | undefined {
  const { status, header } = http;
  const { error } = toObject(body);
  const isError = error !== undefined && error !== null;
  const { code, message = typeof error === 'string' ? error : body, data } = toObject(error);
  const words = isText(message) ? `${message}`.slice(0, MAX_WORDS).toLowerCase() : '';
  const row = ROWS.find(
    ({ means, codes, says, status: statuses }) =>
      (ALWAYS.get(status)?.includes(means) ?? true) &&
      (statuses?.includes(status) ?? true) &&
      (codes?.includes(Number(isText(code) ? code : Number.NaN)) ?? true) &&
      (says?.some((part) => words.includes(part)) ?? true),
  );
  if (status === 200 && !isError && !row) return undefined;
  const { means: kind = 'down', pauseMs, remedy = REMEDIES[kind] }: Partial<RefusalRow> = row ?? {};
  const backoff = toObject(toObject(data).rate).backoff_seconds;
  const asked = header('retry-after') ?? (typeof backoff === 'number' ? `${Math.ceil(backoff)}` : '');
  return {
    kind,
    pauseMs: pauseIn(asked, header('date'), words) ?? pauseMs,
    error: isError ? [code, message].filter(isText) : undefined,
    remedy,
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, milli: 1, s: 1_000, m: 60_000, h: HOUR_MS };

/**
 * Returns the milliseconds during which an endpoint wants no calls, according to its answer.
 * @param asked seconds or an HTTP date, as in Retry-After: RFC 9110, section 10.2.3
 * @param date the time of the answer, since the clock of the endpoint may differ from ours
 */
function pauseIn(asked: string, date: string | undefined, words: string): number | undefined {
  if (/^\s*\d+\s*$/.test(asked)) return Number(asked) * 1_000;
  const until = Date.parse(asked);
  if (!Number.isNaN(until)) return until - (Date.parse(date ?? '') || Date.now());
  const [, count, unit = ''] = /(?:again|retry) (?:in|after) (\d{1,9}) ?(ms|milli|s|m|h)/.exec(words) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] as number);
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> => Object(value);

/** Other values are ignored, because an error is an error even if its code and message are malformed. */
const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
