import type { SeenBlock } from '../chains/block.ts';
import type { Chain } from '../chains/chains.ts';
import { later, type UtcDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Upstream } from '../rpc/upstream.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { TableUnavailableError } from '../store/client.ts';
import { TooEarlyError } from './cross-check.ts';
import { probeEndpoints } from './endpoint-probe.ts';
import { ingestDay } from './ingest-day.ts';
import { ingestDays, isAboutBlocks } from './ingest-days.ts';
import { DayConflictError, finishIfFinal } from './publish.ts';
import type { End } from './read-day.ts';
import { type IngestReport, type RunStats, startRunStats } from './report.ts';

export interface IngestRun {
  readonly chain: Chain;
  /** In the order of failover. */
  readonly upstreams: readonly Upstream[];
  readonly store: ChainStore;
  /** First day to ingest; days before the chain's first day are skipped. */
  readonly from: UtcDay;
  /** The only day to ingest, whichever days before it are missing. */
  readonly day?: UtcDay | undefined;
  /** Milliseconds since 1970. Then the run aborts all requests, saves its progress and ends. */
  readonly stopAt: number;
  /** For nodes without the `finalized` tag: the number of blocks that must follow a final one. */
  readonly confirmations?: number | undefined;
  readonly clock?: Clock;
  /** Ends the run, like `stopAt`. */
  readonly signal?: AbortSignal;
  /** Called for each block that is counted. */
  readonly onBlock?: (block: SeenBlock) => void;
}

class OutOfTimeError extends Error {}

/** Time for the last checkpoint, after the run is stopped. */
const SAVE_WITHIN_MS = 10_000;

/**
 * Reads a chain's finalized blocks from where the last run stopped, the oldest missing day first, and publishes each complete
 * day. A run may stop anywhere, and concurrent runs are safe: both cost only time.
 */
export async function ingestChain(run: IngestRun): Promise<IngestReport> {
  const { chain, clock = systemClock } = run;
  const stats = startRunStats(chain.name, clock.now());
  const end = new AbortController();
  const timer = new AbortController();
  const cutOff = stopInTime(run, clock, end, timer.signal);
  try {
    const outcome = await Promise.race([readChain(run, clock, stats, end.signal), cutOff]);
    return stats.report(outcome, clock.now());
  } catch (error) {
    if (error instanceof OutOfTimeError) return stats.report('out of time', clock.now());
    // The next run finds it final on a second endpoint.
    if (error instanceof TooEarlyError) return stats.report('up to date', clock.now());
    // All others are bugs.
    if (!isAboutBlocks(error) && !(error instanceof TableUnavailableError)) throw error;
    const outcome = error instanceof DayConflictError ? 'conflict' : 'failed';
    return stats.report(outcome, clock.now(), error.message);
  } finally {
    timer.abort();
    end.abort(new Error('the run is over'));
  }
}

/**
 * Aborts the run when its time is over or its signal aborts, and rejects some seconds later. A request to the table cannot be
 * aborted; one that takes longer than that is abandoned, which is safe because all writes are conditional.
 */
function stopInTime(
  { stopAt, signal }: IngestRun,
  clock: Clock,
  end: AbortController,
  isOver: AbortSignal,
): Promise<never> {
  const either = AbortSignal.any([isOver, ...(signal ? [signal] : [])]);
  return clock
    .sleep(stopAt - clock.now(), either)
    .catch(() => isOver.throwIfAborted())
    .then(() => {
      end.abort(new OutOfTimeError());
      return clock.sleep(SAVE_WITHIN_MS, isOver);
    })
    .then(() => Promise.reject(new OutOfTimeError()));
}

async function readChain(run: IngestRun, clock: Clock, stats: RunStats, signal: AbortSignal): Promise<End> {
  const { chain, store, day, onBlock, confirmations = chain.confirmations } = run;
  const from = later(run.from, chain.firstDay);
  if (day !== undefined) {
    // Needs no request to an endpoint when the day is final already.
    stats.final = await finishIfFinal(store, day, from);
    if (stats.final) return 'up to date';
  }
  const context = { clock, signal, onFault: stats.countFault };
  const source = await probeEndpoints(chain, context, run.upstreams, confirmations);
  stats.head = source.head;
  const days = { source, store, from, stats, onBlock };
  return day === undefined ? ingestDays(days) : ingestDay(days, day);
}
