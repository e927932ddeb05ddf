import type { SeenBlock } from '../chains/block.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { FaultKind } from '../rpc/endpoint.ts';
import type { RequestContext } from '../rpc/retry.ts';
import type { RunEnd } from './outcomes.ts';

type Outcome =
  | 'up to date'
  | 'out of time'
  | 'overtaken by another run'
  /** The next run may succeed. */
  | 'failed'
  /** A tripwire: the chain's rules changed, and this version must be updated. */
  | 'rule changed'
  /** A day contradicts what is final: an operator must decide. */
  | 'conflict';

/** Returns whether a run could not continue; its report then has a reason. */
export const isFailed = ({ outcome }: IngestReport): boolean =>
  outcome === 'failed' || outcome === 'rule changed' || outcome === 'conflict';

/** A run in one log line. */
export interface IngestReport {
  readonly chain: string;
  readonly outcome: Outcome;
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  readonly restated: readonly UtcDay[];
  /** Only in a run for one day: that day is final now. */
  readonly final?: boolean;
  /** Counted blocks. */
  readonly blocks: number;
  readonly seconds: number;
  readonly blocksPerSecond: number;
  /** Number of the newest finalized block; absent when no endpoint was read. */
  readonly head?: number;
  /** Seconds between the last counted block and the newest finalized one. */
  readonly lagSeconds?: number;
  /** Seconds from the newest finalized block to now. It grows when nodes are stuck. */
  readonly headAgeSeconds?: number;
  /** Faults of endpoints, by host and kind. */
  readonly faults: Readonly<Record<string, Partial<Record<FaultKind, number>>>>;
  /** The first response of each endpoint that does not follow from its block's hash, with the field; absent without any. */
  readonly notProven?: readonly string[];
  /** Hosts that preceded a crash in the last 24 hours; absent without any. They are used only when all are suspects. */
  readonly suspects?: readonly string[];
  /** The reason that events are not sent; absent when all are. The next run tries again. */
  readonly unsentEvents?: string;
  /** The cause of a failure, with the last reason of each endpoint. */
  readonly reason?: string;
}

/** A report with the age of the data, as it is logged and returned. */
export interface RunReport extends IngestReport {
  /** Seconds since the end of the last day up to which all days are final; absent when the table did not answer. */
  readonly dataAgeSeconds?: number;
}

/** Counters of a run, updated on its way. */
export interface RunStats {
  readonly chain: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly days: UtcDay[];
  readonly restated: UtcDay[];
  final?: boolean;
  blocks: number;
  head?: SeenBlock;
  /** Timestamp, seconds, of the last counted block. */
  reached?: number;
  readonly faults: Record<string, Partial<Record<FaultKind, number>>>;
  /** The first reason by host. */
  readonly notProven: Map<string, string>;
  suspects: ReadonlySet<string>;
  unsentEvents?: string | undefined;
  readonly countFault: RequestContext['onFault'];
}

/** @param startedAt milliseconds since 1970 */
export function startRunStats(chain: string, startedAt: number): RunStats {
  const faults: RunStats['faults'] = {};
  const notProven: RunStats['notProven'] = new Map();
  return {
    chain,
    startedAt,
    days: [],
    restated: [],
    blocks: 0,
    faults,
    notProven,
    suspects: new Set(),
    countFault: (host, kind, reason) => {
      faults[host] = { ...faults[host], [kind]: (faults[host]?.[kind] ?? 0) + 1 };
      if ((kind === 'not proven' || kind === 'unknown rule') && !notProven.has(host))
        notProven.set(host, reason);
    },
  };
}

/** @param now milliseconds since 1970 */
export function reportOf(stats: RunStats, end: RunEnd, now: number): IngestReport {
  const { chain, days, restated, final, blocks, head, reached, faults, notProven, suspects, unsentEvents } =
    stats;
  const seconds = (now - stats.startedAt) / 1_000;
  return {
    chain,
    outcome: outcomeOf(end),
    days,
    restated,
    ...(final !== undefined && { final }),
    blocks,
    seconds,
    blocksPerSecond: seconds > 0 ? Math.round(blocks / seconds) : 0,
    ...(head && { head: head.number, headAgeSeconds: Math.round(now / 1_000 - head.timestamp) }),
    ...(head && reached !== undefined && { lagSeconds: Math.max(0, head.timestamp - reached) }),
    faults,
    ...(notProven.size > 0 && { notProven: [...notProven.values()] }),
    ...(suspects.size > 0 && { suspects: [...suspects] }),
    ...(unsentEvents !== undefined && { unsentEvents }),
    ...('reason' in end && { reason: end.reason }),
  };
}

function outcomeOf({ kind }: RunEnd): Outcome {
  switch (kind) {
    case 'up to date':
    // A second endpoint will call the block final by the next run.
    case 'not final yet':
      return 'up to date';
    case 'overtaken':
      return 'overtaken by another run';
    case 'out of time':
    case 'failed':
    case 'conflict':
    case 'rule changed':
      return kind;
    case 'no endpoint':
    case 'disputed':
    case 'orphaned':
      return 'failed';
  }
}
