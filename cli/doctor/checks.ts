import { checkChainId, getFinalHead } from '../../core/anchor/probe-endpoints.ts';
import { getHeader } from '../../core/anchor/read-header.ts';
import { readBlockFrom } from '../../core/blocks/nodes/read-block.ts';
import { readRaw } from '../../core/blocks/nodes/read-raw-block.ts';
import { isRawProvable } from '../../core/chains/provable.ts';
import { SECONDS_PER_DAY, type UtcDay } from '../../core/figures/calendar.ts';
import type { EvidencePolicy } from '../../core/figures/day-figures.ts';
import {
  type Endpoint,
  EndpointError,
  type FaultKind,
  quote,
  UNAVAILABLE_KINDS,
} from '../../core/rpc/endpoint.ts';
import type { Attempt } from '../../core/rpc/failover.ts';
import type { Rpc } from '../../core/rpc/json-rpc.ts';
import { getBlock, getReceipts } from '../../core/rpc/methods.ts';
import { firstCompleteDay, isWhole, oldestBlock } from './history.ts';
import { singleTryRpc } from './rpc.ts';
import { type CallLimits, measureLatency, measureLimits } from './speed.ts';
import type { Target } from './targets.ts';

/** The checks of an endpoint, in order. When a required check fails, the rest are skipped. */
export const CHECKS = [
  'chain ID',
  'finalized block',
  'receipts',
  'proof',
  'raw blocks',
  'history',
  'latency',
  'limits',
] as const;
export type Check = (typeof CHECKS)[number];
export const REQUIRED_CHECKS: ReadonlySet<Check> = new Set(['chain ID', 'finalized block', 'receipts']);

export interface FailedCheck {
  readonly check: Check;
  readonly kind: FaultKind | 'stale' | 'timed out';
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
  /** It gives blocks as RLP, which the ingest prefers: fewer bytes and less work than JSON. */
  readonly offers_raw?: boolean;
  readonly history?: BlockHistory;
  /** Average over the last 1,000 blocks. */
  readonly seconds_per_block?: number;
  readonly block_latency_ms?: number;
  readonly receipts_latency_ms?: number;
  readonly limits?: CallLimits;
  readonly failed_checks: readonly FailedCheck[];
}

interface BlockHistory {
  /** The oldest block with receipts, above genesis: nodes without history keep that. */
  readonly block: number;
  /** The first day that can be ingested. */
  readonly since: UtcDay;
  /** The reason why the block before is unavailable. */
  readonly ends_because?: string;
}

/** The results so far; each check adds its own. */
export type Findings = {
  -readonly [Part in keyof Omit<EndpointReport, 'failed_checks'>]: EndpointReport[Part];
};

export interface CheckContext {
  readonly target: Target;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  readonly rpc: Rpc;
  readonly findings: Findings;
}

/** Healthy nodes finalize blocks within minutes, some chains within hours. */
const STALE_AFTER_SECONDS = SECONDS_PER_DAY;
/** The newest block may be empty, which says nothing about receipts. */
const BLOCKS_TO_READ = 5;
const BLOCKS_TO_TIME = 1_000;
const CALLS_TO_TIME = 12;
/** Timed calls rotate over this many blocks, to defeat caches. */
const RECENT_BLOCKS = 100;

/** Each check adds to the findings, or throws an EndpointError or StaleHeadError. */
export const checkers: Readonly<Record<Check, (context: CheckContext) => Promise<void>>> = {
  'chain ID': ({ endpoint, rpc }) => checkChainId(rpc, endpoint),

  'finalized block': async ({ target: { chain, confirmations }, endpoint, rpc, findings }) => {
    const head = await getFinalHead(
      rpc,
      { chain, evidence: 'checked' },
      confirmations ?? chain.confirmations,
    );
    const { number, timestamp } = accepted(endpoint, head);
    findings.finalized = { number, timestamp };
    if (Date.now() / 1_000 - timestamp > STALE_AFTER_SECONDS) throw new StaleHeadError(timestamp);
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

  'raw blocks': async ({ target: { chain }, endpoint, rpc, findings }) => {
    const { number } = headOf(findings);
    if (endpoint.isJsonOnly || !isRawProvable(chain.rules, number)) return;
    findings.offers_raw = false;
    const read = await readRaw({ chain }, number, rpc);
    if (read) accepted(endpoint, read);
    findings.offers_raw = read !== undefined;
  },

  history: async ({ target, endpoint, rpc, findings }) => {
    const head = headOf(findings);
    let oldest = head;
    let reason: string | undefined;
    const rules = {
      chain: target.chain,
      evidence: findings.is_proven ? target.evidence : 'checked',
    } as const;
    const block = await oldestBlock(head.number, async (number) => {
      try {
        const read = accepted(endpoint, await readBlockFrom(rules, number, rpc, endpoint.host));
        if (number < oldest.number) oldest = read;
        return true;
      } catch (error) {
        reason = reasonUnavailable(error);
        return false;
      }
    });
    const since = firstCompleteDay(oldest, target.chain.firstDay);
    findings.history = {
      block,
      since,
      ...(reason !== undefined && !isWhole(block) && { ends_because: reason }),
    };
    const before = Math.max(block, head.number - BLOCKS_TO_TIME);
    if (before === head.number) return;
    const { timestamp } = accepted(endpoint, await getHeader(rpc, rules, before));
    findings.seconds_per_block = (head.timestamp - timestamp) / (head.number - before);
  },

  latency: async ({ rpc, findings }) => {
    const numberAt = recentBlocks(findings);
    findings.block_latency_ms = await measureLatency(CALLS_TO_TIME, (index) =>
      getBlock(rpc, numberAt(index)),
    );
    findings.receipts_latency_ms = await measureLatency(CALLS_TO_TIME, (index) =>
      getReceipts(rpc, numberAt(index)),
    );
  },

  limits: async ({ endpoint, signal, findings }) => {
    const rpc = singleTryRpc(endpoint, signal);
    const numberAt = recentBlocks(findings);
    // The ingest makes both calls for each block.
    const call = (index: number) =>
      index % 2 === 0 ? getBlock(rpc, numberAt(index / 2)) : getReceipts(rpc, numberAt((index - 1) / 2));
    findings.limits = await measureLimits(call, (error) => {
      if (error instanceof EndpointError) return error.message;
      throw error;
    });
  },
};

/** Reads a few of the newest final blocks. */
async function readNewest(
  { target: { chain }, endpoint, rpc, findings }: CheckContext,
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
  throw new EndpointError(endpoint, quote(endpoint, attempt.refused), {
    kind: attempt.fault ?? 'invalid block',
  });
}

/** The newest finalized block is too old: the node is stuck or still syncing. */
export class StaleHeadError extends Error {
  constructor(timestamp: number) {
    super(`its newest finalized block is from ${new Date(timestamp * 1_000).toISOString()}`);
  }
}

function headOf({ finalized }: Findings) {
  if (!finalized) throw new Error('the finalized block check runs first');
  return finalized;
}

/** Returns a function that maps call indexes to the numbers of recent blocks, in turn. */
function recentBlocks(findings: Findings): (index: number) => number {
  const { number } = headOf(findings);
  const count = Math.min(RECENT_BLOCKS, number - (findings.history?.block ?? number) + 1);
  return (index) => number - (index % count);
}

const NOT_READABLE_KINDS: ReadonlySet<FaultKind> = new Set([
  ...UNAVAILABLE_KINDS,
  'invalid response',
  'invalid block',
  'not proven',
  'unknown rule',
]);

/**
 * Returns why an endpoint cannot provide a valid block.
 * @throws the error when it says nothing about the block, such as a timeout
 */
function reasonUnavailable(error: unknown): string {
  if (error instanceof EndpointError && NOT_READABLE_KINDS.has(error.kind)) return error.message;
  throw error;
}
