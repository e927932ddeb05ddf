import type { SeenBlock } from '../chains/block.ts';
import type { Chain } from '../chains/chains.ts';
import { startOfDay, type UtcDay } from '../chains/utc-day.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Upstream } from '../rpc/upstream.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { getCheckpoint } from '../store/checkpoints.ts';
import { TableUnavailableError } from '../store/client.ts';
import { type BlockStream, openBlockStream } from './blocks/stream.ts';
import { publishDay } from './complete-day.ts';
import { type SendEvent, sendDueEvents } from './day-events.ts';
import { OutOfTimeError, withDeadline } from './deadline.ts';
import { probeEndpoints, type SourceSettings } from './endpoints.ts';
import { keepFirstDay } from './first-day.ts';
import { type DayRun, ingestDay, startOf } from './ingest-day.ts';
import { ingestOneDay, readNewestDays, startFrom } from './one-day.ts';
import type { RunEnd } from './outcomes.ts';
import { oldestMissingDay } from './plan.ts';
import { settleDay, settleMissingDays, settlePublished, settleRestatements } from './recover.ts';
import { type IngestReport, type RunStats, reportOf, startRunStats } from './report.ts';
import { restateDays } from './restatements.ts';
import { findSuspects, suspectDuring, withoutSuspects } from './suspects.ts';

/** The input of one run. */
export interface IngestRun extends SourceSettings {
  readonly chain: Chain;
  /** In the order in which they are tried. */
  readonly upstreams: readonly Upstream[];
  readonly store: ChainStore;
  /** First day to ingest; days before the chain's first are skipped. Without it, the table keeps the one of the first run. */
  readonly from?: UtcDay | undefined;
  /** The only day to ingest, whatever is missing before it. */
  readonly day?: UtcDay | undefined;
  /** Milliseconds since 1970: all requests are aborted then, and the run saves its progress and ends. */
  readonly stopAt: number;
  readonly clock?: Clock;
  /** Receives the events of final days. Absent in commands: the next run of the service sends them. */
  readonly sendEvent?: SendEvent;
  /** Ends the run at once, like `stopAt`. */
  readonly signal?: AbortSignal;
  /** Called for each counted block. */
  readonly onBlock?: (block: SeenBlock) => void;
}

/**
 * Reads a chain's finalized blocks from where the last run stopped, and publishes each complete day: the newest first, then the
 * missing days before it, the oldest first. A run may end anywhere, and two may overlap: that costs time only.
 */
export async function ingestChain(run: IngestRun): Promise<IngestReport> {
  const { chain, clock = systemClock } = run;
  const stats = startRunStats(chain.name, clock.now());
  try {
    const end = await withDeadline(run, clock, (signal) => work(run, clock, stats, signal));
    return reportOf(stats, end, clock.now());
  } catch (error) {
    if (error instanceof OutOfTimeError) return reportOf(stats, { kind: 'out of time' }, clock.now());
    if (!(error instanceof TableUnavailableError)) throw error;
    return reportOf(stats, { kind: 'failed', reason: error.message }, clock.now());
  }
}

async function work(run: IngestRun, clock: Clock, stats: RunStats, signal: AbortSignal): Promise<RunEnd> {
  const { chain, store, day } = run;
  const from = await keepFirstDay(store, chain, run.from, clock.now());
  const sendEvents = eventSender(run, clock, stats, signal);
  await settleRestatements(store, from, day);
  if (day === undefined) await settleMissingDays(store, from);
  else stats.final = await settleDay(store, day, from);
  await sendEvents();
  // Without a single call if there is nothing to read.
  if (stats.final) return { kind: 'up to date' };
  stats.suspects = await findSuspects(store, clock);
  const onBigResponse = suspectDuring(store, clock);
  const context = { clock, signal, onFault: stats.countFault, onBigResponse };
  const probe = await probeEndpoints(chain, context, withoutSuspects(run.upstreams, stats.suspects), run);
  if (probe.kind !== 'probed') return probe;
  const { source } = probe;
  stats.head = source.head;
  const days: DayRun = { source, store, from, stats, sendEvents, onBlock: run.onBlock };
  return day === undefined ? ingestMissingDays(days) : ingestOneDay(days, day);
}

/** Returns a function that sends the events that are due. After a failure it leaves them to the next run. */
const eventSender =
  ({ store, sendEvent }: IngestRun, { now }: Clock, stats: RunStats, signal: AbortSignal) =>
  async (): Promise<void> => {
    if (!sendEvent || stats.unsentEvents !== undefined) return;
    stats.unsentEvents = await sendDueEvents(store, sendEvent, { signal, now });
  };

/** Reads the missing days; then those to restate, so that a day that cannot be read again delays no other. */
async function ingestMissingDays(run: DayRun): Promise<RunEnd> {
  const newest = await readNewestDays(run);
  // Anything else may pass, and then the newest day delays no other.
  const isBlocked = ['overtaken', 'conflict', 'rule changed'].includes(newest.kind);
  const end = isBlocked ? newest : await readMissingDays(run);
  if (end.kind === 'overtaken') return end;
  if (end.kind === 'up to date') return restateDays(run);
  // The day before may be the wrong one, and its restatement the remedy.
  const restated = await restateDays(run);
  return restated.kind === 'conflict' ? restated : end;
}

async function readMissingDays(run: DayRun): Promise<RunEnd> {
  const { source, store } = run;
  let { from } = run;
  let day = await oldestMissingDay(store, from);
  let stream: BlockStream | undefined;
  try {
    for (;;) {
      source.context.signal.throwIfAborted();
      if (startOfDay(day) > source.head.timestamp) return { kind: 'up to date' };
      const checkpoint = await getCheckpoint(store, day);
      const start = await startFrom(run, checkpoint);
      if (start.kind !== 'begun') return start;
      if (start.progress.day !== day) {
        // The chain begins later than the start date.
        from = start.progress.day;
        day = await settleMissingDays(store, from);
        continue;
      }
      run.stats.reached = start.progress.notBefore;
      // A stream that has reached the end of the day before continues, with all blocks read ahead.
      if (!stream?.isAt(startOf(start.progress))) {
        await stream?.close();
        stream = openBlockStream(source, startOf(start.progress));
      }
      const outcome = await ingestDay(run, stream, checkpoint, start.progress);
      if (outcome.kind !== 'complete') return outcome;
      const problem = await publishDay(store, outcome.day, source.context.clock.now());
      if (problem) return problem;
      run.stats.days.push(day);
      day = await settlePublished(store, from, day);
      await run.sendEvents();
    }
  } finally {
    await stream?.close();
  }
}
