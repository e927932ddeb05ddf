import type { RunOutcome, RunStats } from '../days/day-run.ts';
import { type ReportedOutcome, reportedOutcome } from '../days/outcomes.ts';
import type { UtcDay } from '../figures/calendar.ts';

/** The result of a run. */
export interface IngestReport {
  readonly chain: string;
  readonly outcome: ReportedOutcome;
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  readonly restated: readonly UtcDay[];
  /** Days without dollars, each with the reason; absent without any. */
  readonly unpriced?: readonly string[];
  /** Only in a run for one day: that day is final now. */
  readonly final?: boolean;
  /** Only in a run for one day: every block of it is read, and it becomes final once the day after it is. */
  readonly waiting?: boolean;
  readonly blocks: number;
  readonly seconds: number;
  readonly blocksPerSecond: number;
  /** Number of the anchor; absent when there was none. */
  readonly head?: number;
  /** Seconds from the anchor to now, which grow when nodes are stuck. */
  readonly headAgeSeconds?: number;
  /** Seconds between the last counted block and the anchor. */
  readonly lagSeconds?: number;
  /** Faults of endpoints, by host and kind. */
  readonly faults: RunStats['faults'];
  /** The first response of each endpoint that does not follow from its block's hash, with the field; absent without any. */
  readonly notProven?: readonly string[];
  /** Hosts that gave a wrong block or preceded a crash in the last 24 hours; absent without any. They are asked last. */
  readonly suspects?: readonly string[];
  /** The final block of each host, if the newest is more than an hour ahead of the anchor; else absent. */
  readonly hostsBehind?: string;
  /** The reason that events are not sent; absent when all are. The next run tries again. */
  readonly unsentEvents?: string;
  /** Files have the blocks, and they are damaged, so that no later run over the same files succeeds. */
  readonly damaged?: boolean;
  /** Hosts contradict each other, or call a block final that is before the last final day. */
  readonly disputed?: boolean;
  /** The first block that follows no rule that is known here; absent without any. */
  readonly refusedBlock?: number;
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
  /** A fork within three days that this version does not follow, as a host states it. Raises the alarm of the chain. */
  readonly unknownFork?: string;
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
  const { unpriced, blocks, head, reached, notProven, suspects, hostsBehind, unsentEvents, refusedBlock } =
    stats;
  const state = end.kind === 'up to date' ? end.state : undefined;
  const seconds = (now - stats.startedAt) / 1_000;
  return {
    chain: stats.chain,
    outcome: reportedOutcome(end),
    days: stats.days,
    restated: stats.restated,
    ...(unpriced.length > 0 && { unpriced }),
    ...(stats.isOneDay && { final: state === 'final' }),
    ...(state === 'waiting' && { waiting: true }),
    blocks,
    seconds,
    blocksPerSecond: seconds > 0 ? Math.round(blocks / seconds) : 0,
    ...(head && { head: head.number, headAgeSeconds: Math.round(now / 1_000 - head.timestamp) }),
    ...(head && reached !== undefined && { lagSeconds: Math.max(0, head.timestamp - reached) }),
    faults: stats.faults,
    ...(notProven.size > 0 && { notProven: [...notProven.values()] }),
    ...(suspects.size > 0 && { suspects: [...suspects] }),
    ...(hostsBehind !== undefined && { hostsBehind }),
    ...(unsentEvents !== undefined && { unsentEvents }),
    ...(end.kind === 'no endpoint' && end.isDamaged && { damaged: true }),
    ...(end.kind === 'disputed' && { disputed: true }),
    ...(Number.isFinite(refusedBlock) && { refusedBlock }),
    ...('reason' in end && { reason: end.reason }),
  };
}
