import type { SeenBlock } from '../chains/block.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { FaultKind } from '../rpc/endpoint.ts';

export type Outcome =
  | 'up to date'
  | 'out of time'
  | 'overtaken by another run'
  /** The next run may succeed. */
  | 'failed'
  /** A final day differs from its blocks, or is not contiguous with its neighbours. A person must resolve it. */
  | 'conflict';

/** Returns whether a run ended with an error, which `reason` explains. */
export const isFailed = ({ outcome }: IngestReport): boolean =>
  outcome === 'failed' || outcome === 'conflict';

/** The result of one run, logged in one line. */
export interface IngestReport {
  readonly chain: string;
  readonly outcome: Outcome;
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  /** Days that were restated. */
  readonly restated: readonly UtcDay[];
  /** For a run for one day: whether the day is final now. */
  readonly final?: boolean;
  /** Blocks that were counted. */
  readonly blocks: number;
  readonly seconds: number;
  readonly blocksPerSecond: number;
  /** Number of the newest finalized block; absent when no endpoint answered or no request was needed. */
  readonly head?: number;
  /** Seconds from the last counted block to the newest finalized one. */
  readonly lagSeconds?: number;
  /** Seconds from the newest finalized block to now. It grows when the nodes are stuck. */
  readonly headAgeSeconds?: number;
  /** Faults of endpoints, by host and kind. */
  readonly faults: Readonly<Record<string, Partial<Record<FaultKind, number>>>>;
  /** The error, with the reason of every endpoint. */
  readonly reason?: string;
}

/** The report as the function logs and returns it. */
export interface RunReport extends IngestReport {
  /** Seconds since the end of the last contiguous final day; absent when the table did not answer. */
  readonly dataAgeSeconds?: number;
}

/** The counters of a run. */
export interface RunStats {
  readonly days: UtcDay[];
  readonly restated: UtcDay[];
  final?: boolean;
  blocks: number;
  head?: SeenBlock;
  /** Timestamp of the last counted block, in seconds. */
  reached?: number;
  readonly countFault: (host: string, kind: FaultKind) => void;
  readonly report: (outcome: Outcome, now: number, reason?: string) => IngestReport;
}

/** @param startedAt milliseconds since 1970 */
export function startRunStats(chain: string, startedAt: number): RunStats {
  const faults: Record<string, Partial<Record<FaultKind, number>>> = {};
  const stats: RunStats = {
    days: [],
    restated: [],
    blocks: 0,
    countFault: (host, kind) => {
      faults[host] = { ...faults[host], [kind]: (faults[host]?.[kind] ?? 0) + 1 };
    },
    report: (outcome, now, reason) => {
      const { days, restated, final, blocks, head, reached } = stats;
      const seconds = (now - startedAt) / 1_000;
      return {
        chain,
        outcome,
        days,
        restated,
        ...(final !== undefined && { final }),
        blocks,
        seconds,
        blocksPerSecond: seconds > 0 ? Math.round(blocks / seconds) : 0,
        ...(head && { head: head.number, headAgeSeconds: Math.round(now / 1_000 - head.timestamp) }),
        ...(head && reached !== undefined && { lagSeconds: Math.max(0, head.timestamp - reached) }),
        faults,
        ...(reason !== undefined && { reason }),
      };
    },
  };
  return stats;
}
