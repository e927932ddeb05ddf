import { checkChainId, getFinalHead } from '../../core/anchor/probe-endpoints.ts';
import { getHeader } from '../../core/anchor/read-header.ts';
import { readBlockFrom } from '../../core/blocks/nodes/read-block.ts';
import { systemClock } from '../../core/clock.ts';
import { addDays, dayOf, later, SECONDS_PER_DAY, type UtcDay } from '../../core/figures/calendar.ts';
import type { EvidencePolicy } from '../../core/figures/day-figures.ts';
import { type Endpoint, EndpointError, type FaultKind, quote } from '../../core/rpc/endpoint.ts';
import type { Attempt } from '../../core/rpc/failover.ts';
import { call, type Rpc } from '../../core/rpc/json-rpc.ts';
import { getBlock, getReceipts } from '../../core/rpc/methods.ts';
import { type CallLimits, findOldest, isWhole, measureLimits } from './measure.ts';
import type { Target } from './targets.ts';

export interface FailedCheck {
  readonly check: Check;
  readonly kind: FaultKind | 'timed out';
  /** Begins with the name of the endpoint. */
  readonly reason: string;
}

/** The results of the checks that completed, and those that failed. */
export interface EndpointReport {
  readonly endpoint: string;
  readonly finalized?: { readonly number: number; readonly timestamp: number };
  readonly has_receipts?: boolean;
  /** A few of the newest blocks hash to their hash. */
  readonly is_proven?: boolean;
  readonly history?: {
    /** The oldest block with receipts, above genesis: nodes without history keep that. */
    readonly block: number;
    /** The first day that can be ingested. */
    readonly since: UtcDay;
    /** The reason why the block before is unavailable. */
    readonly ends_because?: string | undefined;
  };
  /** Average over the last 1,000 blocks. */
  readonly seconds_per_block?: number;
  readonly limits?: CallLimits;
  readonly failed_checks: readonly FailedCheck[];
}

interface Context {
  readonly target: Target;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  readonly rpc: Rpc;
  /** The results so far; each check adds its own. */
  readonly findings: { -readonly [Part in keyof EndpointReport]: EndpointReport[Part] };
}

/** The newest block may be empty, which says nothing about receipts. */
const BLOCKS_TO_READ = 5;
const BLOCKS_TO_TIME = 1_000;
/** Calls rotate over this many blocks, to defeat caches. */
const RECENT_BLOCKS = 100;

/** The checks of an endpoint, in order. Each adds to the findings, or throws an EndpointError. */
const checkers = {
  'chain ID': ({ endpoint, rpc }) => checkChainId(rpc, endpoint),

  'finalized block': async ({ target: { chain, confirmations }, endpoint, rpc, findings }) => {
    const rules = { chain, evidence: 'checked' } as const;
    const head = await getFinalHead(rpc, rules, confirmations ?? chain.confirmations);
    const { number, timestamp } = accepted(endpoint, head);
    findings.finalized = { number, timestamp };
    if (Date.now() / 1_000 - timestamp <= SECONDS_PER_DAY) return;
    const time = new Date(timestamp * 1_000).toISOString();
    const problem = `its newest finalized block is from ${time}. Wait until the node has synced, or use another endpoint`;
    throw new EndpointError(endpoint, problem, { kind: 'down' });
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
    const since = later(chain.firstDay, isWhole(block) ? begin : addDays(begin, 1));
    findings.history = { block, since, ...(!isWhole(block) && { ends_because: reason }) };
    const before = Math.max(block, head.number - BLOCKS_TO_TIME);
    if (before === head.number) return;
    const { timestamp } = accepted(endpoint, await getHeader(rpc, rules, before));
    findings.seconds_per_block = (head.timestamp - timestamp) / (head.number - before);
  },

  limits: async ({ endpoint, signal, findings }) => {
    const { number } = headOf(findings);
    const rpc = rpcOf(endpoint, signal, []);
    const count = Math.min(RECENT_BLOCKS, number - (findings.history?.block ?? number) + 1);
    // The ingest makes both calls for each block.
    const callOf = (index: number) => {
      const block = number - (Math.floor(index / 2) % count);
      return index % 2 === 0 ? getBlock(rpc, block) : getReceipts(rpc, block);
    };
    findings.limits = await measureLimits(callOf);
  },
} satisfies Record<string, (context: Context) => Promise<void>>;

export type Check = keyof typeof checkers;

/** When one of these fails, the rest are skipped. */
export const REQUIRED_CHECKS: ReadonlySet<Check> = new Set(['chain ID', 'finalized block', 'receipts']);
/** The checks of an endpoint from which no block is read. */
const ANCHOR_CHECKS: ReadonlySet<Check> = new Set(['chain ID', 'finalized block']);
const TIMEOUT_MS = 90_000;

/**
 * Runs all checks on one endpoint. On timeout, reports the checks that completed.
 * @throws the signal's reason when it aborts
 */
export async function checkEndpoint(
  target: Target,
  endpoint: Endpoint,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<EndpointReport> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const failed: FailedCheck[] = [];
  const findings: Context['findings'] = { endpoint: endpoint.host, failed_checks: failed };
  const rpc = rpcOf(endpoint, either, RETRY_DELAYS_MS);
  for (const check of Object.keys(checkers) as Check[]) {
    if (endpoint.isAnchorOnly && !ANCHOR_CHECKS.has(check)) continue;
    try {
      await checkers[check]({ target, endpoint, signal: either, rpc, findings });
    } catch (error) {
      if (signal.aborted || !(timeout.aborted || error instanceof EndpointError)) throw error;
      const late = `${endpoint.host}: timed out after ${timeoutMs / 1_000} s, during the ${check} check`;
      if (error instanceof EndpointError) failed.push({ check, kind: error.kind, reason: error.message });
      else failed.push({ check, kind: 'timed out', reason: late });
      if (timeout.aborted || REQUIRED_CHECKS.has(check)) break;
    }
  }
  return findings;
}

/** Faults that may pass within seconds. A timeout may pass too, but retrying it takes too long. */
const TRANSIENT: ReadonlySet<FaultKind> = new Set(['unreachable', 'rate limit', 'down']);
const RETRY_DELAYS_MS = [500, 2_000];

/** Returns an RPC that tries again after each of the delays, so that one hiccup does not fail a check. */
const rpcOf =
  (endpoint: Endpoint, signal: AbortSignal, delays: readonly number[]): Rpc =>
  async (method, params, schema, prepare) => {
    const once = () => call(endpoint, method, params, schema, { signal, prepare });
    for (const delay of delays) {
      try {
        return await once();
      } catch (error) {
        if (!(error instanceof EndpointError && TRANSIENT.has(error.kind))) throw error;
      }
      await systemClock.sleep(delay, signal);
    }
    return once();
  };

/** Reads a few of the newest final blocks. */
async function readNewest(
  { target: { chain }, endpoint, rpc, findings }: Context,
  evidence: EvidencePolicy,
): Promise<void> {
  const { number } = headOf(findings);
  for (let back = 0; back < BLOCKS_TO_READ && back <= number; back++) {
    accepted(endpoint, await readBlockFrom({ chain, evidence }, number - back, rpc, endpoint.host));
  }
}

/** @throws EndpointError when the response is not acceptable */
function accepted<T>(endpoint: Endpoint, attempt: Attempt<T>): T {
  if ('value' in attempt) return attempt.value;
  const kind = attempt.fault ?? 'invalid block';
  throw new EndpointError(endpoint, quote(endpoint, attempt.refused), { kind });
}

function headOf({ finalized }: Context['findings']) {
  if (!finalized) throw new Error('the finalized block check runs first');
  return finalized;
}
