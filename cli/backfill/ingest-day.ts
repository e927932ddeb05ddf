import { setTimeout as sleep } from 'node:timers/promises';
import type { SummedBlock } from '../../core/figures/block.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import type { IngestReport } from '../../core/ingest/report.ts';
import { type IngestRun, ingestChain } from '../../core/ingest/run.ts';
import { getCheckpoint, listRestatements } from '../../core/store/days/checkpoints.ts';
import { traceOf } from '../../local/trace.ts';
import type { ServedChain } from '../service.ts';

export interface DayWork {
  readonly served: ServedChain;
  readonly upstreams: IngestRun['upstreams'];
  /** Stops the ingest; blocks read by then are saved. */
  readonly signal: AbortSignal;
  readonly onBlock: (day: UtcDay, block: SummedBlock) => void;
  /** Returns files to read from in place of the endpoints. */
  readonly blocksOf?: IngestRun['blocksOf'];
}

export type DayResult =
  | { readonly state: 'final' }
  /** Every block of it is read, and it becomes final once the day after it is. */
  | { readonly state: 'waiting' }
  | { readonly state: 'interrupted' }
  /** The files end within the day; the blocks that they have of it are read. */
  | { readonly state: 'begun' }
  /** `isUnreachable` when no endpoint or the table did not respond, so that other days would fail too. */
  | { readonly state: 'failed'; readonly reason: string; readonly isUnreachable: boolean };

/** The pause before the next run, for example while a scheduled run of the service ingests the same day. */
const PAUSE_MS = 2_000;

/** Ingests or restates one day with the same runs as on AWS. Retries it while each run reads more blocks. */
export async function ingestDayFully(work: DayWork, day: UtcDay): Promise<DayResult> {
  const { served, upstreams, signal, onBlock, blocksOf } = work;
  let reached = -1;
  for (;;) {
    const report = await ingestChain({
      ...served,
      upstreams,
      day,
      signal,
      stopAt: Number.POSITIVE_INFINITY,
      blocksOf,
      onBlock: (block) => onBlock(day, block),
      trace: traceOf(process.env),
    });
    if (report.final) return { state: 'final' };
    if (report.waiting) return { state: 'waiting' };
    if (signal.aborted) return { state: 'interrupted' };
    if (blocksOf && report.outcome === 'up to date') return { state: 'begun' };
    const before = reached;
    if (report.outcome === 'failed' && report.blocks > 0) reached = await lastRead(served, day);
    const reason = failureReason(report, reached > before && !report.damaged);
    if (reason !== undefined) {
      return {
        state: 'failed',
        reason,
        isUnreachable: report.outcome === 'failed' && report.head === undefined,
      };
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** Returns the number of the last block of a day that is saved: a run may discard what it read. */
async function lastRead({ store }: ServedChain, day: UtcDay): Promise<number> {
  const [restatement] = await listRestatements(store, day);
  const { progress } = restatement ?? (await getCheckpoint(store, day));
  return progress?.last?.number ?? -1;
}

/** @returns undefined when another run may succeed */
function failureReason({ outcome, reason = outcome }: IngestReport, isFurther: boolean): string | undefined {
  if (outcome === 'out of time' || outcome === 'overtaken by another run') return undefined;
  if (outcome === 'up to date') return 'the chain has not finalized it yet; try again later';
  return outcome === 'failed' && isFurther ? undefined : reason;
}
