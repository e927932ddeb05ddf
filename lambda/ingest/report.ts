import type { SeenBlock } from '../chains/block.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { FaultKind } from '../rpc/endpoint.ts';

export type Outcome =
  | 'up to date'
  | 'out of time'
  | 'overtaken by another run'
  /** The next run may do better. */
  | 'failed'
  /** A final day has other figures than its blocks give now, or does not join its neighbours: a person must look. */
  | 'conflict';

/** Whether it could not go on. It then says why. */
export const isFailed = ({ outcome }: IngestReport): boolean =>
  outcome === 'failed' || outcome === 'conflict';

/** What one run did, in one line. */
export interface IngestReport {
  readonly chain: string;
  readonly outcome: Outcome;
  /** Days that became final. */
  readonly days: readonly UtcDay[];
  /** Days that were read again on purpose. */
  readonly restated: readonly UtcDay[];
  /** Of a run for one day: whether that is final now. */
  readonly final?: boolean;
  /** Blocks that were counted, how long the run took, and the one by the other. */
  readonly blocks: number;
  readonly seconds: number;
  readonly blocksPerSecond: number;
  /** The newest finalized block, and how many seconds before it the last counted block lies; absent when no endpoint could say, or nothing is to be read yet. */
  readonly head?: number;
  readonly lagSeconds?: number;
  /** Seconds from the newest finalized block to now: one that grows tells of nodes that are stuck. */
  readonly headAgeSeconds?: number;
  /** What endpoints did wrong, by host and kind. */
  readonly faults: Readonly<Record<string, Partial<Record<FaultKind, number>>>>;
  /** Why it failed: every endpoint's reason, the table's, or that of the parameter with the endpoints. */
  readonly reason?: string;
}

/** The same, as it is logged and returned once the table was asked how far the days go. */
export interface RunReport extends IngestReport {
  /** Seconds since the last of the days ended up to which all are final; absent when the table could not say. */
  readonly dataAgeSeconds?: number;
}

/** What a run keeps count of on its way. */
export interface RunStats {
  readonly days: UtcDay[];
  readonly restated: UtcDay[];
  final?: boolean;
  blocks: number;
  head?: SeenBlock;
  /** Timestamp, seconds, up to which blocks are counted. */
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
