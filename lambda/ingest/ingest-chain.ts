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
import { type IngestReport, startRunStats } from './report.ts';

/** What one run works on. */
export interface IngestRun {
  readonly chain: Chain;
  /** In the order in which they are asked. */
  readonly upstreams: readonly Upstream[];
  readonly store: ChainStore;
  /** First day to ingest; days before the chain's first are passed over. */
  readonly from: UtcDay;
  /** The only day to ingest, whatever is missing before it. */
  readonly day?: UtcDay | undefined;
  /** Milliseconds since 1970: whatever is under way then is broken off, and the run saves its progress and ends. */
  readonly stopAt: number;
  /** How many blocks must follow a final one, for nodes that lack the `finalized` tag. */
  readonly confirmations?: number | undefined;
  readonly clock?: Clock;
  /** Ends the run at once, as its time does. */
  readonly signal?: AbortSignal;
  /** Is told of each block that is counted. */
  readonly onBlock?: (block: SeenBlock) => void;
}

class OutOfTimeError extends Error {}

/** Time for the last checkpoint, once all else is broken off. */
const SAVE_WITHIN_MS = 10_000;

/**
 * Reads a chain's finalized blocks from where the last run stopped, the oldest missing day first, and publishes each
 * day of which every block is read and checked. It may end anywhere, and be run twice at once: that costs time only.
 */
export async function ingestChain(run: IngestRun): Promise<IngestReport> {
  const { chain, store, day, clock = systemClock, stopAt, signal } = run;
  const from = later(run.from, chain.firstDay);
  const stats = startRunStats(chain.name, clock.now());
  const end = new AbortController();
  const timer = new AbortController();
  const timeIsUp = clock.sleep(
    stopAt - clock.now(),
    AbortSignal.any([timer.signal, ...(signal ? [signal] : [])]),
  );
  // Nobody can break off what the table is asked for: if that takes longer, it is left to itself. It is conditional, and late.
  const cutOff = timeIsUp
    .catch(() => timer.signal.throwIfAborted())
    .then(() => {
      end.abort(new OutOfTimeError());
      return clock.sleep(SAVE_WITHIN_MS, timer.signal);
    })
    .then(() => Promise.reject(new OutOfTimeError()));
  const work = async () => {
    if (day !== undefined) {
      // Without a single call where nothing is to be read.
      stats.final = await finishIfFinal(store, day, from);
      if (stats.final) return 'up to date';
    }
    const context = { clock, signal: end.signal, onFault: stats.countFault };
    const source = await probeEndpoints(
      chain,
      context,
      run.upstreams,
      run.confirmations ?? chain.confirmations,
    );
    stats.head = source.head;
    const days = { source, store, from, stats, onBlock: run.onBlock };
    return day === undefined ? ingestDays(days) : ingestDay(days, day);
  };
  try {
    const outcome = await Promise.race([work(), cutOff]);
    return stats.report(outcome, clock.now());
  } catch (error) {
    if (error instanceof OutOfTimeError) return stats.report('out of time', clock.now());
    // It will be final to a second endpoint when the next run comes.
    if (error instanceof TooEarlyError) return stats.report('up to date', clock.now());
    // Any other is a mistake in this code.
    if (!isAboutBlocks(error) && !(error instanceof TableUnavailableError)) throw error;
    const outcome = error instanceof DayConflictError ? 'conflict' : 'failed';
    return stats.report(outcome, clock.now(), error.message);
  } finally {
    timer.abort();
    end.abort(new Error('the run is over'));
  }
}
