import pMap from 'p-map';
import { checkChainId, getFinalHead } from '../../core/anchor/probe-endpoints.ts';
import { getHeader } from '../../core/anchor/read-header.ts';
import { readBlockFrom } from '../../core/blocks/nodes/read-block.ts';
import { systemClock } from '../../core/clock.ts';
import { addDays, dayOf, later, SECONDS_PER_DAY, type UtcDay } from '../../core/figures/calendar.ts';
import {
  type Endpoint,
  EndpointError,
  type FaultKind,
  quote,
  UNAVAILABLE_KINDS,
} from '../../core/rpc/endpoint.ts';
import type { Attempt } from '../../core/rpc/failover.ts';
import { call, type Rpc } from '../../core/rpc/json-rpc.ts';
import { getBlock, getReceipts } from '../../core/rpc/methods.ts';
import { interrupted } from '../exit-codes.ts';
import { compareRow } from './row.ts';
import type { Target } from './targets.ts';

export interface FailedCheck {
  readonly check: Check;
  readonly kind: FaultKind | 'timed out';
  /** Begins with the name of the endpoint. */
  readonly reason: string;
}

/** The results of the checks that completed, and those that failed. Each check adds its own. */
export interface EndpointReport {
  readonly endpoint: string;
  /** True if blocks are read from it only while no other endpoint can give them. */
  readonly is_reserve?: true;
  finalized?: { readonly number: number; readonly timestamp: number };
  has_receipts?: boolean;
  /** A few of the newest blocks hash to their hash. */
  is_proven?: boolean;
  history?: {
    /** The oldest block with receipts, above genesis: nodes without history keep that. */
    readonly block: number;
    /** The first day that can be ingested. */
    readonly since: UtcDay;
    /** The reason why the block before is unavailable; absent when no block is missing. */
    readonly ends_because?: string;
  };
  /** The facts of the chain's row that its headers contradict. */
  row?: readonly string[];
  /** Average over the last 1,000 blocks. */
  seconds_per_block?: number;
  /** The highest call rate, and the concurrent calls at that rate. */
  limits?: { readonly calls_at_once: number; readonly calls_per_second: number };
  readonly failed_checks: FailedCheck[];
}

interface Context {
  readonly target: Target;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  readonly rpc: Rpc;
  readonly findings: EndpointReport;
}

/** The checks of an endpoint, in order. Each adds to the findings, or throws an EndpointError. */
const checkers = {
  'chain ID': ({ endpoint, rpc }) => checkChainId(rpc, endpoint),

  'finalized block': async ({ target: { chain, confirmations }, endpoint, rpc, findings }) => {
    const rules = { chain, evidence: 'checked' } as const;
    const head = await getFinalHead(rpc, rules, confirmations);
    const { number, timestamp } = accepted(endpoint, head);
    findings.finalized = { number, timestamp };
    if (Date.now() / 1_000 - timestamp <= SECONDS_PER_DAY) return;
    const time = new Date(timestamp * 1_000).toISOString();
    const problem = `its newest finalized block is from ${time}. Wait until the node has synced, or use another endpoint`;
    throw new EndpointError(endpoint, problem, 'down');
  },

  receipts: async (context) => {
    const { evidence } = context.target;
    await readNewest(context, evidence === 'proven' ? 'checked' : evidence);
    context.findings.has_receipts = true;
  },

  proof: async (context) => {
    context.findings.is_proven = false;
    await readNewest(context, 'proven');
    context.findings.is_proven = true;
  },

  history: async ({ target: { chain, evidence }, endpoint, rpc, findings }) => {
    const head = headOf(findings);
    const rules = { chain, evidence: findings.is_proven ? evidence : 'checked' } as const;
    const read = async (number: number): Promise<typeof head> =>
      accepted(endpoint, await readBlockFrom(rules, number, rpc, endpoint.host));
    const { oldest, reason } = await findOldest(head, read);
    const { number: block } = oldest;
    // The first block of a day is identified by the block before it.
    const begin = dayOf(oldest.timestamp);
    const since = later(chain.firstDay, reason === undefined ? begin : addDays(begin, 1));
    findings.history = { block, since, ...(reason !== undefined && { ends_because: reason }) };
    const before = Math.max(block, head.number - 1_000);
    if (before === head.number) return;
    const { timestamp } = accepted(endpoint, await getHeader(rpc, rules, before));
    findings.seconds_per_block = (head.timestamp - timestamp) / (head.number - before);
  },

  row: async ({ target: { chain }, endpoint, rpc, findings }) => {
    const { history } = findings;
    if (!history) return;
    const blocks = { first: history.block, last: headOf(findings).number };
    const row = await compareRow(chain, rpc, blocks, (header) => accepted(endpoint, header));
    if (row.length > 0) findings.row = row;
  },

  limits: async ({ endpoint, signal, findings }) => {
    const { number } = headOf(findings);
    const rpc = rpcOf(endpoint, signal, []);
    // Calls rotate over this many blocks, to defeat caches.
    const count = Math.min(100, number - (findings.history?.block ?? number) + 1);
    findings.limits = await measureLimits((index) => {
      // The ingest makes both calls for each block.
      const block = number - (Math.floor(index / 2) % count);
      return index % 2 === 0 ? getBlock(rpc, block) : getReceipts(rpc, block);
    }, endpoint.callsPerSecond);
  },
} satisfies Record<string, (context: Context) => Promise<void>>;

type Check = keyof typeof checkers;

/** When one of these fails, the rest are skipped. */
const REQUIRED_CHECKS: ReadonlySet<Check> = new Set(['chain ID', 'finalized block', 'receipts']);

/** Runs all checks on one endpoint. On timeout, reports those that completed. */
export async function checkEndpoint(target: Target, endpoint: Endpoint, timeoutMs = 90_000) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([interrupted, timeout]);
  const reserve = endpoint.isReserve && ({ is_reserve: true } as const);
  const findings: EndpointReport = { endpoint: endpoint.host, ...reserve, failed_checks: [] };
  const rpc = rpcOf(endpoint, signal, [500, 2_000]);
  for (const check of Object.keys(checkers) as Check[]) {
    // From such an endpoint no block is read.
    if (endpoint.isAnchorOnly && check !== 'chain ID' && check !== 'finalized block') continue;
    try {
      await checkers[check]({ target, endpoint, signal, rpc, findings });
    } catch (error) {
      if (interrupted.aborted || !(timeout.aborted || error instanceof EndpointError)) throw error;
      const late = `${endpoint.host}: timed out after ${timeoutMs / 1_000} s, during the ${check} check`;
      const { kind, message: reason } =
        error instanceof EndpointError ? error : { kind: 'timed out' as const, message: late };
      findings.failed_checks.push({ check, kind, reason });
      if (timeout.aborted || REQUIRED_CHECKS.has(check)) break;
    }
  }
  return findings;
}

/** Faults that may pass within seconds. A timeout may pass too, but retrying it takes too long. */
const TRANSIENT: ReadonlySet<FaultKind> = new Set(['unreachable', 'rate limit', 'down']);

/** Returns an RPC that tries again after each of the delays (ms), so that one hiccup does not fail a check. */
const rpcOf =
  (endpoint: Endpoint, signal: AbortSignal, [delay, ...delays]: readonly number[]): Rpc =>
  (method, params, schema, prepare) =>
    call(endpoint, method, params, schema, { signal }, prepare).catch(async (error: unknown) => {
      const mayPass = error instanceof EndpointError && TRANSIENT.has(error.kind);
      if (!mayPass || delay === undefined) throw error;
      await systemClock.sleep(delay, signal);
      return rpcOf(endpoint, signal, delays)(method, params, schema, prepare);
    });

/** Reads a few of the newest final blocks: one may be empty, which says nothing about receipts. */
async function readNewest(
  { target: { chain }, endpoint, rpc, findings }: Context,
  evidence: Target['evidence'],
): Promise<void> {
  const { number } = headOf(findings);
  for (let back = 0; back < 5 && back <= number; back++)
    accepted(endpoint, await readBlockFrom({ chain, evidence }, number - back, rpc, endpoint.host));
}

/** @throws EndpointError when the response is not acceptable */
function accepted<T>(endpoint: Endpoint, attempt: Attempt<T>): T {
  if ('value' in attempt) return attempt.value;
  const kind = attempt.fault ?? 'invalid block';
  throw new EndpointError(endpoint, quote(endpoint, attempt.refused), kind);
}

function headOf({ finalized }: EndpointReport) {
  if (!finalized) throw new Error('the finalized block check runs first');
  return finalized;
}

/** With these faults an endpoint cannot provide a valid block. Others, such as a timeout, say nothing about the block. */
const NOT_READABLE_KINDS: ReadonlySet<FaultKind> = new Set([
  ...UNAVAILABLE_KINDS,
  ...(['invalid response', 'invalid block', 'not proven', 'unknown rule'] as const),
]);

/**
 * Finds the oldest block above genesis that an endpoint provides, by binary search. Nodes prune from the oldest block on, so availability
 * is monotonic; but genesis says nothing, because pruned nodes keep it.
 * @param head a block that the endpoint provides
 * @returns also the reason why the block before is unavailable, if blocks are missing
 */
export async function findOldest<Block extends { readonly number: number }>(
  head: Block,
  read: (number: number) => Promise<Block>,
) {
  let [missing, next, oldest] = [0, 1, head];
  let reason: string | undefined;
  while (oldest.number > missing + 1) {
    try {
      oldest = await read(next);
    } catch (error) {
      if (!(error instanceof EndpointError && NOT_READABLE_KINDS.has(error.kind))) throw error;
      reason = error.message;
      missing = next;
    }
    next = missing + Math.floor((oldest.number - missing) / 2);
  }
  return { oldest, reason };
}

/**
 * Raises the concurrency step by step until the endpoint fails, or the maximum of the ingest (core/rpc/health.ts) or the rate that its URL
 * allows is reached.
 * @throws EndpointError when it lacks a method, or refuses the first calls
 */
export async function measureLimits(callOf: (index: number) => Promise<unknown>, allowed = Infinity) {
  let best = { calls_at_once: 0, calls_per_second: 0 };
  for (const concurrency of [1, 2, 4, 8, 16, 32, 64]) {
    // Enough to measure a level, few calls beside those of a day.
    const calls = Array.from({ length: concurrency * 8 }, (_, index) => index);
    const startedAt = performance.now();
    try {
      await pMap(calls, callOf, { concurrency });
    } catch (error) {
      const isLimit = error instanceof EndpointError && error.kind !== 'no method' && best.calls_at_once > 0;
      if (isLimit) return best;
      throw error;
    }
    const rate = (calls.length / (performance.now() - startedAt)) * 1_000;
    if (rate >= allowed) return { calls_at_once: concurrency, calls_per_second: allowed };
    if (rate > best.calls_per_second) best = { calls_at_once: concurrency, calls_per_second: rate };
  }
  return best;
}
