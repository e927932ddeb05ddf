import type { Disputed } from '../anchor/anchor.ts';
import type { AnchoredNetwork } from '../anchor/network.ts';
import type { BlockSource } from '../blocks/block-source.ts';
import type { BlockHeader, SummedBlock } from '../figures/block.ts';
import type { UtcDay } from '../figures/calendar.ts';
import type { RequestContext } from '../rpc/deadline.ts';
import type { FaultKind } from '../rpc/endpoint.ts';
import type { NoEndpoint } from '../rpc/failover.ts';
import type { ChainStore } from '../store/table/table.ts';
import type { Conflict } from '../transitions/conflict.ts';

/** Everything that the days of one run share. */
export interface DayRun {
  readonly network: AnchoredNetwork;
  /** The nodes, or files that stand in for them. */
  readonly blocks: BlockSource;
  readonly store: ChainStore;
  readonly from: UtcDay;
  readonly stats: RunStats;
  readonly sendEvents: () => Promise<void>;
  readonly onBlock?: ((block: SummedBlock) => void) | undefined;
  readonly onDay?: ((day: UtcDay) => void) | undefined;
  /** True when days are read apart from each other, many at once: each waits for the day after it, even if the hosts support its end. */
  readonly isAlone?: boolean;
}

export interface RunStats {
  readonly chain: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly days: UtcDay[];
  readonly restated: UtcDay[];
  readonly unpriced: string[];
  readonly isOneDay: boolean;
  blocks: number;
  head?: BlockHeader;
  /** Timestamp, seconds, of the last counted block. */
  reached?: number | undefined;
  readonly faults: Record<string, Partial<Record<FaultKind, number>>>;
  /** The first reason by host. */
  readonly notProven: Map<string, string>;
  readonly lastFaults: Map<string, string>;
  suspects: ReadonlySet<string>;
  hostsBehind?: string | undefined;
  unsentEvents?: string | undefined;
  /** The first block that follows no rule that is known here; infinite without any. */
  refusedBlock: number;
  readonly countFault: RequestContext['onFault'];
}

/** @param startedAt milliseconds since 1970 */
export function startRunStats(chain: string, startedAt: number, isOneDay: boolean): RunStats {
  const stats: RunStats = {
    chain,
    startedAt,
    days: [],
    restated: [],
    unpriced: [],
    isOneDay,
    blocks: 0,
    refusedBlock: Number.POSITIVE_INFINITY,
    faults: {},
    notProven: new Map(),
    lastFaults: new Map(),
    suspects: new Set(),
    countFault: (host, kind, reason) => {
      const { faults, notProven } = stats;
      stats.lastFaults.set(host, reason);
      faults[host] = { ...faults[host], [kind]: (faults[host]?.[kind] ?? 0) + 1 };
      if ((kind === 'not proven' || kind === 'unknown rule') && !notProven.has(host))
        notProven.set(host, reason);
    },
  };
  return stats;
}

/** The reason why a day or a run ends. */
export type RunOutcome =
  /** Every block up to the anchor is read: of one day, with its state if it is complete, or of all days. */
  | { readonly kind: 'up to date'; readonly state?: 'final' | 'waiting' }
  /** Another run saved progress of the same day. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'out of time' }
  /** The table or the endpoints' parameter cannot be read, or an older version wrote the table. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A tripwire: the chain follows rules that this version does not know. Retrying does not help, an update does. */
  | { readonly kind: 'rule changed'; readonly reason: string }
  | NoEndpoint
  | Disputed
  | Orphaned
  | Conflict;

/** Counted blocks were discarded. They are read again, and the endpoint that gave them is asked last for 24 hours. */
export type Orphaned = { readonly kind: 'orphaned'; readonly reason: string };

export const orphaned = (reason: string): Orphaned => ({ kind: 'orphaned', reason });
