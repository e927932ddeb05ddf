import type { RunOutcome, RunStats } from '../days/day-run.ts';
import { reportedOutcome } from '../days/outcomes.ts';

export type IngestReport = Readonly<ReturnType<typeof reportOf>>;

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
export function reportOf(stats: RunStats, end: RunOutcome, now: number) {
  const { unpriced, blocks, head, reached, notProven, suspects, hostsBehind, unsentEvents, refusedBlock } =
    stats;
  const state = end.kind === 'up to date' ? end.state : undefined;
  const seconds = (now - stats.startedAt) / 1_000;
  return {
    chain: stats.chain,
    outcome: reportedOutcome(end),
    // Days that became final.
    days: stats.days,
    restated: stats.restated,
    // Days without dollars, each with the reason; absent without any.
    ...(unpriced.length > 0 && { unpriced }),
    // Only in a run for one day: that day is final now.
    ...(stats.isOneDay && { final: state === 'final' }),
    // Only in a run for one day: every block of it is read, and it becomes final once the day after it is.
    ...(state === 'waiting' && { waiting: true }),
    blocks,
    seconds,
    blocksPerSecond: seconds > 0 ? Math.round(blocks / seconds) : 0,
    // Number of the anchor, and the seconds from the anchor to now, which grow when nodes are stuck; absent when there was none.
    ...(head && { head: head.number, headAgeSeconds: Math.round(now / 1_000 - head.timestamp) }),
    // Seconds between the last counted block and the anchor.
    ...(head && reached !== undefined && { lagSeconds: Math.max(0, head.timestamp - reached) }),
    // Faults of endpoints, by host and kind.
    faults: stats.faults,
    // The first response of each endpoint that does not follow from its block's hash, with the field; absent without any.
    ...(notProven.size > 0 && { notProven: [...notProven.values()] }),
    // Hosts that gave a wrong block or preceded a crash in the last 24 hours; absent without any. They are asked last.
    ...(suspects.size > 0 && { suspects: [...suspects] }),
    // The final block of each host, if the newest is more than an hour ahead of the anchor; else absent.
    ...(hostsBehind !== undefined && { hostsBehind }),
    // The reason that events are not sent; absent when all are. The next run tries again.
    ...(unsentEvents !== undefined && { unsentEvents }),
    // Files have the blocks, and they are damaged, so that no later run over the same files succeeds.
    ...(end.kind === 'no endpoint' && end.isDamaged && { damaged: true }),
    // Hosts contradict each other, or call a block final that is before the last final day.
    ...(end.kind === 'disputed' && { disputed: true }),
    // The first block that follows no rule that is known here; absent without any.
    ...(Number.isFinite(refusedBlock) && { refusedBlock }),
    // The cause of a failure, with the last reason of each endpoint.
    ...('reason' in end && { reason: end.reason }),
  };
}
