import type { Chain } from '../chains/chains.ts';
import { later, type UtcDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Upstream } from '../rpc/upstream.ts';
import { type Table, TableUnavailableError } from '../store/table.ts';
import { ingestDays, isAboutBlocks } from './ingest-days.ts';
import { DayConflictError } from './publish.ts';
import { type IngestReport, startTally } from './report.ts';
import { callRoll } from './roll-call.ts';
import { TooEarlyError } from './second-look.ts';

/** What one run works on. */
export interface IngestRun {
  readonly chain: Chain;
  /** In the order in which they are asked. */
  readonly upstreams: readonly Upstream[];
  readonly table: Table;
  /** First day to ingest; days before the chain's first are passed over. */
  readonly from: UtcDay;
  /** Milliseconds since 1970: whatever is under way then is broken off, and the run saves its progress and ends. */
  readonly stopAt: number;
  /** How many blocks must follow a final one, for nodes that lack the `finalized` tag. */
  readonly confirmations?: number | undefined;
  readonly clock?: Clock;
}

class OutOfTimeError extends Error {}

/** Time for the last checkpoint, once all else is broken off. */
const SAVE_WITHIN_MS = 10_000;

/**
 * Reads a chain's finalized blocks from where the last run stopped, the oldest missing day first, and publishes each
 * day of which every block is read and checked. It may end anywhere, and be run twice at once: that costs time only.
 */
export async function ingestChain(run: IngestRun): Promise<IngestReport> {
  const { chain, clock = systemClock, stopAt } = run;
  const tally = startTally(chain.name, clock.now());
  const end = new AbortController();
  const timer = new AbortController();
  const at = (ms: number) => clock.sleep(ms - clock.now(), timer.signal);
  at(stopAt).then(
    () => end.abort(new OutOfTimeError()),
    () => {},
  );
  // Nobody can break off what the table is asked for: if that takes longer, it is left to itself. It is conditional, and late.
  const cutOff = at(stopAt + SAVE_WITHIN_MS).then(() => Promise.reject(new OutOfTimeError()));
  const work = async () => {
    const asking = { clock, signal: end.signal, onFault: tally.countFault };
    const source = await callRoll(chain, asking, run.upstreams, run.confirmations ?? chain.confirmations);
    tally.head = source.head;
    return ingestDays({ source, table: run.table, from: later(run.from, chain.firstDay), tally });
  };
  try {
    const outcome = await Promise.race([work(), cutOff]);
    return tally.report(outcome, clock.now());
  } catch (error) {
    if (error instanceof OutOfTimeError) return tally.report('out of time', clock.now());
    // It will be final to a second endpoint when the next run comes.
    if (error instanceof TooEarlyError) return tally.report('up to date', clock.now());
    // Any other is a mistake in this code.
    if (!isAboutBlocks(error) && !(error instanceof TableUnavailableError)) throw error;
    const outcome = error instanceof DayConflictError ? 'conflict' : 'failed';
    return tally.report(outcome, clock.now(), error.message);
  } finally {
    timer.abort();
    end.abort(new Error('the run is over'));
  }
}
