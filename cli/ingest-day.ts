import { setTimeout as sleep } from 'node:timers/promises';
import type { SeenBlock } from '../lambda/chains/block.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import type { IngestReport } from '../lambda/ingest/report.ts';
import { ingestChain } from '../lambda/ingest/run.ts';
import type { Upstream } from '../lambda/rpc/upstream.ts';
import type { ServedChain } from './service.ts';

export interface DayWork {
  readonly served: ServedChain;
  readonly upstreams: readonly Upstream[];
  /** Stops the ingest; blocks read by then are saved. */
  readonly signal: AbortSignal;
  readonly onBlock: (day: UtcDay, block: SeenBlock) => void;
}

/** The result of ingesting a day. */
export type DayResult =
  | { readonly state: 'final' }
  | { readonly state: 'interrupted' }
  /** `isUnreachable` when no endpoint or the table did not respond, so that other days would fail too. */
  | { readonly state: 'failed'; readonly reason: string; readonly isUnreachable: boolean };

/** The pause before the next run, for example while a scheduled run of the service ingests the same day. */
const PAUSE_MS = 2_000;

/**
 * Ingests or restates one day completely, with the same runs as on AWS. Retries a failing day while each run reads more
 * blocks.
 */
export async function ingestDayFully(work: DayWork, day: UtcDay): Promise<DayResult> {
  const { served, upstreams, signal, onBlock } = work;
  for (;;) {
    const report = await ingestChain({
      ...served,
      ...{ upstreams, day, signal },
      stopAt: Number.POSITIVE_INFINITY,
      onBlock: (block) => onBlock(day, block),
    });
    if (report.final) return { state: 'final' };
    if (signal.aborted) return { state: 'interrupted' };
    const reason = failureReason(report);
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

/** @returns undefined when another run may succeed */
function failureReason({ outcome, blocks, reason = outcome }: IngestReport): string | undefined {
  switch (outcome) {
    case 'out of time':
    case 'overtaken by another run':
      return undefined;
    case 'up to date':
      return 'the chain has not finalized it yet; try again later';
    case 'conflict':
    case 'rule changed':
      return reason;
    case 'failed':
      return blocks > 0 ? undefined : reason;
  }
}
