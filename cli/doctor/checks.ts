import { BlockError } from '../../lambda/chains/block-error.ts';
import { addDays, dayOf, later, SECONDS_PER_DAY, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { checkChainId, getFinalHead } from '../../lambda/ingest/endpoint-probe.ts';
import { readBlockFrom } from '../../lambda/ingest/read-block.ts';
import {
  type Endpoint,
  EndpointError,
  type FaultKind,
  UNAVAILABLE_KINDS,
} from '../../lambda/rpc/endpoint.ts';
import type { Rpc } from '../../lambda/rpc/json-rpc.ts';
import { getHeader, getReceipts } from '../../lambda/rpc/methods.ts';
import { singleTryRpc } from './rpc.ts';
import { type CallLimits, measureLatency, measureLimits } from './speed.ts';
import type { Target } from './targets.ts';

/** The checks of an endpoint, in order. When a required check fails, the rest are skipped. */
export const CHECKS = ['chain ID', 'finalized block', 'receipts', 'history', 'latency', 'limits'] as const;
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
  readonly history?: BlockHistory;
  /** Average over the last 1,000 blocks. */
  readonly seconds_per_block?: number;
  readonly header_latency_ms?: number;
  readonly receipts_latency_ms?: number;
  readonly limits?: CallLimits;
  readonly failed_checks: readonly FailedCheck[];
}

interface BlockHistory {
  /** The oldest block with receipts. */
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
/** The newest block may be empty, which proves nothing about receipts. */
const BLOCKS_TO_READ = 5;
const BLOCKS_TO_TIME = 1_000;
const CALLS_TO_TIME = 12;
/** Timed calls rotate over this many blocks, to defeat caches. */
const RECENT_BLOCKS = 100;

/** Each check adds to the findings, or throws an EndpointError, BlockError or StaleHeadError. */
export const checkers: Readonly<Record<Check, (context: CheckContext) => Promise<void>>> = {
  'chain ID': ({ endpoint, rpc }) => checkChainId(rpc, endpoint),

  'finalized block': async ({ target: { chain, confirmations }, rpc, findings }) => {
    const { number, timestamp } = await getFinalHead(rpc, chain, confirmations ?? chain.confirmations);
    findings.finalized = { number, timestamp };
    if (Date.now() / 1_000 - timestamp > STALE_AFTER_SECONDS) throw new StaleHeadError(timestamp);
  },

  receipts: async ({ target, endpoint, rpc, findings }) => {
    const { number } = headOf(findings);
    for (let back = 0; back < BLOCKS_TO_READ && back <= number; back++) {
      await readBlockFrom(target, number - back, rpc, endpoint.host);
    }
    findings.has_receipts = true;
  },

  history: async ({ target, endpoint, rpc, findings }) => {
    const head = headOf(findings);
    let oldest = head;
    let reason: string | undefined;
    const block = await oldestBlock(head.number, async (number) => {
      const read = await readBlockFrom(target, number, rpc, endpoint.host).catch((error: unknown) => {
        reason = reasonUnavailable(error);
      });
      if (read && number < oldest.number) oldest = read;
      return read !== undefined;
    });
    const since = firstCompleteDay(oldest, target.chain.firstDay);
    findings.history = { block, since, ...(reason !== undefined && block > 0 && { ends_because: reason }) };
    const before = Math.max(block, head.number - BLOCKS_TO_TIME);
    if (before === head.number) return;
    const { timestamp } = await getHeader(rpc, before);
    findings.seconds_per_block = (head.timestamp - timestamp) / (head.number - before);
  },

  latency: async ({ rpc, findings }) => {
    const numberAt = recentBlocks(findings);
    findings.header_latency_ms = await measureLatency(CALLS_TO_TIME, (index) =>
      getHeader(rpc, numberAt(index)),
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
      index % 2 === 0 ? getHeader(rpc, numberAt(index / 2)) : getReceipts(rpc, numberAt((index - 1) / 2));
    findings.limits = await measureLimits(call, (error) => {
      if (error instanceof EndpointError) return error.message;
      throw error;
    });
  },
};

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

/**
 * Returns why an endpoint cannot provide a valid block.
 * @throws the error when it says nothing about the block, such as a timeout
 */
function reasonUnavailable(error: unknown): string {
  if (error instanceof BlockError) return error.message;
  const isUnavailable =
    error instanceof EndpointError &&
    (UNAVAILABLE_KINDS.has(error.kind) || error.kind === 'invalid response');
  if (!isUnavailable) throw error;
  return error.message;
}

/**
 * Finds the oldest available block by binary search. Nodes prune from the oldest block on, so availability is monotonic.
 * @param head number of an available block
 */
export async function oldestBlock(
  head: number,
  isAvailable: (number: number) => Promise<boolean>,
): Promise<number> {
  let missing = -1;
  let available = head;
  let next = 0;
  while (available > missing + 1) {
    if (await isAvailable(next)) available = next;
    else missing = next;
    next = missing + Math.floor((available - missing) / 2);
  }
  return available;
}

/**
 * Returns the first day that can be ingested from an oldest block on: the day after it, since a day's first block is
 * identified by the block before; or the chain's first day if that block is genesis.
 */
export const firstCompleteDay = (
  { number, timestamp }: { readonly number: number; readonly timestamp: number },
  firstDay: UtcDay,
): UtcDay => later(firstDay, number === 0 ? dayOf(timestamp) : addDays(dayOf(timestamp), 1));
