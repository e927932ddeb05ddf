import type { RunStats } from '../days/day-run.ts';
import type { RunOutcome } from '../days/run-outcome.ts';
import type { UtcDay } from '../figures/calendar.ts';
import type { FaultKind } from '../rpc/endpoint.ts';

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

export interface IngestReport {
  readonly chain: string;
  readonly outcome: Outcome;
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  readonly restated: readonly UtcDay[];
  /** Days without dollars, each with the reason; absent without any. */
  readonly unpriced?: readonly string[];
  /** Only in a run for one day: that day is final now. */
  readonly final?: boolean;
  /** Only in a run for one day: every block of it is read, and it becomes final once the day after it is. */
  readonly waiting?: true;
  readonly blocks: number;
  readonly seconds: number;
  readonly blocksPerSecond: number;
  /** Number of the anchor; absent when there was none. */
  readonly head?: number;
  /** Seconds between the last counted block and the anchor. */
  readonly lagSeconds?: number;
  /** Seconds from the anchor to now. It grows when nodes are stuck. */
  readonly headAgeSeconds?: number;
  /** Faults of endpoints, by host and kind. */
  readonly faults: Readonly<Record<string, Partial<Record<FaultKind, number>>>>;
  /** The first response of each endpoint that does not follow from its block's hash, with the field; absent without any. */
  readonly notProven?: readonly string[];
  /** Hosts that gave a wrong block or preceded a crash in the last 24 hours; absent without any. They are asked last. */
  readonly suspects?: readonly string[];
  /** The final block of each host, if the newest is more than an hour ahead of the anchor; else absent. */
  readonly hostsBehind?: string;
  /** The reason that events are not sent; absent when all are. The next run tries again. */
  readonly unsentEvents?: string;
  /** Files have the blocks, and they are damaged, so that no later run over the same files succeeds. */
  readonly damaged?: true;
  /** The cause of a failure, with the last reason of each endpoint. */
  readonly reason?: string;
}

/** A report with the age of the data, as it is logged and returned. */
export interface RunReport extends IngestReport {
  /** Seconds since the end of the newest final day, whatever older days are missing; absent when the table did not answer. */
  readonly dataAgeSeconds?: number;
  /** Final days whose contradictions nobody has settled; absent when the table did not answer. */
  readonly openConflicts?: number;
  /** Seconds since a run last counted a block; only of a run that failed before it counted one. */
  readonly unreadSeconds?: number;
}

/**
 * Returns the end of a run whose time is over. One that read nothing failed: nodes that answer for their final block but give no
 * receipts would otherwise look healthy until the data is old.
 */
export function endOfTime({ chain, blocks, days, restated, lastFaults }: RunStats): RunOutcome {
  if (blocks + days.length + restated.length > 0) return { kind: 'out of time' };
  const faults = [...lastFaults.values()].join('. ') || 'No endpoint answered in time';
  return {
    kind: 'failed',
    reason: `${chain}: the run read no block before its time was over. ${faults}. Check these endpoints, or add another.`,
  };
}

/** @param now milliseconds since 1970 */
export function reportOf(stats: RunStats, end: RunOutcome, now: number): IngestReport {
  const { chain, days, restated, unpriced, state, isOneDay, blocks, head, reached } = stats;
  const { faults, notProven, suspects, hostsBehind, unsentEvents } = stats;
  const seconds = (now - stats.startedAt) / 1_000;
  return {
    chain,
    outcome: outcomeOf(end),
    days,
    restated,
    ...(unpriced.length > 0 && { unpriced }),
    ...(isOneDay && { final: state === 'final' }),
    ...(state === 'waiting' && { waiting: true }),
    blocks,
    seconds,
    blocksPerSecond: seconds > 0 ? Math.round(blocks / seconds) : 0,
    ...(head && { head: head.number, headAgeSeconds: Math.round(now / 1_000 - head.timestamp) }),
    ...(head && reached !== undefined && { lagSeconds: Math.max(0, head.timestamp - reached) }),
    faults,
    ...(notProven.size > 0 && { notProven: [...notProven.values()] }),
    ...(suspects.size > 0 && { suspects: [...suspects] }),
    ...(hostsBehind !== undefined && { hostsBehind }),
    ...(unsentEvents !== undefined && { unsentEvents }),
    ...(end.kind === 'no endpoint' && end.isDamaged && { damaged: true }),
    ...('reason' in end && { reason: end.reason }),
  };
}

function outcomeOf(end: RunOutcome): Outcome {
  const { kind } = end;
  switch (kind) {
    case 'up to date':
      return 'up to date';
    case 'overtaken':
      return 'overtaken by another run';
    case 'out of time':
    case 'failed':
    case 'conflict':
    case 'rule changed':
      return kind;
    case 'no endpoint':
      return end.isRuleChange ? 'rule changed' : 'failed';
    case 'disputed':
    case 'orphaned':
      return 'failed';
  }
}
