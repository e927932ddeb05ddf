import { setTimeout as sleep } from 'node:timers/promises';
import type { SeenBlock } from '../lambda/chains/block.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import { ingestChain } from '../lambda/ingest/ingest-chain.ts';
import type { IngestReport } from '../lambda/ingest/report.ts';
import type { Upstream } from '../lambda/rpc/upstream.ts';
import type { ServedChain } from './service.ts';

export interface DayWork {
  readonly served: ServedChain;
  readonly upstreams: readonly Upstream[];
  /** Ends the work; what is read is saved. */
  readonly signal: AbortSignal;
  readonly onBlock: (day: UtcDay, block: SeenBlock) => void;
}

/** How a day came out. */
export type DayEnd =
  | { readonly state: 'final' }
  | { readonly state: 'interrupted' }
  /** `isUnreachable` when no node and no table could be asked for anything: other days would fare the same. */
  | { readonly state: 'failed'; readonly reason: string; readonly isUnreachable: boolean };

/** The service's own schedule may be reading the same day; then it is waited for. */
const PAUSE_MS = 2_000;

/**
 * Reads one day until it is final, or again where that is asked for, by the same runs as on AWS. A day that fails is tried
 * again as long as it gets ahead.
 */
export async function ingestDayFully(work: DayWork, day: UtcDay): Promise<DayEnd> {
  const { served, upstreams, signal, onBlock } = work;
  for (;;) {
    const report = await ingestChain({
      ...{
        chain: served.chain,
        upstreams,
        store: served.store,
        from: served.from,
        confirmations: served.confirmations,
      },
      ...{ day, stopAt: Number.POSITIVE_INFINITY, signal, onBlock: (block) => onBlock(day, block) },
    });
    if (report.final) return { state: 'final' };
    if (signal.aborted) return { state: 'interrupted' };
    const reason = whyNotFinal(report);
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

/** @returns undefined when another run may do better */
function whyNotFinal({ outcome, blocks, reason = outcome }: IngestReport): string | undefined {
  switch (outcome) {
    case 'out of time':
    case 'overtaken by another run':
      return undefined;
    case 'up to date':
      return 'it is not finalized yet: try again later';
    case 'conflict':
      return reason;
    case 'failed':
      return blocks > 0 ? undefined : reason;
  }
}
