import { type Disputed, describeHeads, disputed } from '../anchor/anchor.ts';
import type { AnchoredNetwork, Network } from '../anchor/network.ts';
import { probeEndpoints } from '../anchor/probe-endpoints.ts';
import { type FinalitySettings, proveFinal } from '../anchor/prove-final.ts';
import { findSuspects, suspectDuring } from '../anchor/suspects.ts';
import type { BlockSource } from '../blocks/block-source.ts';
import { nodeBlocks } from '../blocks/nodes/node-blocks.ts';
import type { Chain } from '../chains/chains.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type DayRun, type RunOutcome, type RunStats, startRunStats } from '../days/day-run.ts';
import { keepFirstDay } from '../days/first-day.ts';
import { ingestDays, ingestOneDay } from '../days/ingest-days.ts';
import { priceDays, readFeedOfToday } from '../days/price-days.ts';
import { markVoidFiles } from '../days/prove-archived.ts';
import { proveOn } from '../days/prove-on.ts';
import { publishWaitingDays } from '../days/publish-waiting-days.ts';
import { type SendEvent, sendDueEvents } from '../events/day-events.ts';
import type { SummedBlock } from '../figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '../figures/calendar.ts';
import type { DayFigures } from '../figures/day-figures.ts';
import { OutOfTimeError, withDeadline, within } from '../rpc/deadline.ts';
import type { Trace } from '../rpc/trace.ts';
import type { Upstream } from '../rpc/upstream.ts';
import type { SourceSettings } from '../settings/chain-settings.ts';
import { saveConflict, settleFinality } from '../store/chain/conflicts.ts';
import { getCoverage, OldTableError, refuseOldTable } from '../store/chain/coverage.ts';
import { listRestatements } from '../store/days/checkpoints.ts';
import { getDay } from '../store/days/days.ts';
import { TableUnavailableError } from '../store/table/client.ts';
import type { ChainStore } from '../store/table/table.ts';
import { type TraceCommit, tracedTable } from '../store/table/traced-table.ts';
import { isRead, readProgressOf } from '../transitions/state.ts';
import { endOfTime, type IngestReport, reportOf } from './report.ts';

export interface IngestRun extends SourceSettings {
  readonly chain: Chain;
  /** Only in scheduled runs: others rely on what these have proven to be final. */
  readonly proof?: FinalitySettings | undefined;
  /** In the order in which they are tried. */
  readonly upstreams: readonly Upstream[];
  readonly store: ChainStore;
  /** First day to ingest; days before the chain's first are skipped. Without it, the table keeps the one of the first run. */
  readonly from?: UtcDay | undefined;
  /** The only day to ingest, whatever is missing before it. */
  readonly day?: UtcDay | undefined;
  /** Archived days that scheduled runs begin to prove in 24 hours. */
  readonly provePerDay?: number | undefined;
  /** Reads nothing, and publishes the days that wait: the last step of a backfill. */
  readonly isClosing?: boolean | undefined;
  /** Milliseconds since 1970: all requests are aborted then, and the run saves its progress and ends. */
  readonly stopAt: number;
  readonly clock?: Clock;
  /** Receives the events of final days. Absent in commands: the next run of the service sends them. */
  readonly sendEvent?: SendEvent;
  /** Ends the run at once, like `stopAt`. */
  readonly signal?: AbortSignal;
  /** Returns files to read blocks from; without it, they come from the nodes. */
  readonly blocksOf?: ((network: AnchoredNetwork) => BlockSource) | undefined;
  readonly onBlock?: (block: SummedBlock) => void;
  readonly onDay?: ((day: UtcDay) => void) | undefined;
  /** Receives a line for each request to a node and each commit. */
  readonly trace?: Trace | undefined;
}

/** A run without a block after this time ends when all endpoints cool down: waiting is billed, and the next run is due within minutes. */
const MAX_IDLE_MS = 10_000;
/**
 * Rate limits pass, so a run waits longer for them. If it ended earlier, the next run would use up its calls before its first block, and so
 * would each run after it. With slow hosts that can sustain a call a second, finding the start of a day takes about two minutes.
 */
const MAX_IDLE_FOR_RATE_MS = 180_000;

/** Dollars of earlier days must not delay the figures of the next ones. */
const MAX_PRICING_MS = 60_000;

/**
 * Reads a chain's blocks up to its anchor from where the last run stopped, and publishes each complete day: the newest first, then the
 * missing days before it. A run may end anywhere, and two may overlap: that costs time only.
 */
export async function ingestChain(run: IngestRun): Promise<IngestReport> {
  const { chain, clock = systemClock } = run;
  const stats = startRunStats(chain.name, clock.now(), run.day !== undefined);
  const report = (end: RunOutcome) => reportOf(stats, end, clock.now());
  try {
    const end = await withDeadline(run, clock, (signal) => work(run, clock, stats, signal));
    // It stays visible until someone settles it.
    if (end.kind === 'conflict' || end.kind === 'disputed')
      await saveConflict(run.store, { ...end, since: clock.now() });
    return report(end);
  } catch (error) {
    if (error instanceof OutOfTimeError)
      return report(run.signal?.aborted ? { kind: 'out of time' } : endOfTime(stats));
    if (!(error instanceof TableUnavailableError || error instanceof OldTableError)) throw error;
    return report({ kind: 'failed', reason: error.message });
  }
}

async function work(run: IngestRun, clock: Clock, stats: RunStats, signal: AbortSignal): Promise<RunOutcome> {
  const { chain, day, upstreams, sendEvent, trace } = run;
  const traceCommit: TraceCommit | undefined =
    trace && ((commit, outcome) => trace({ chain: chain.name, commit, outcome }));
  const store = traceCommit ? { ...run.store, table: tracedTable(run.store.table, traceCommit) } : run.store;
  await refuseOldTable(store);
  const from = await keepFirstDay(store, chain, run.from, clock.now());
  // After a failure, the events are left to the next run.
  const sendEvents = async () => {
    if (sendEvent && stats.unsentEvents === undefined)
      stats.unsentEvents = await sendDueEvents(store, sendEvent, { signal, now: clock.now });
  };
  await markVoidFiles(store);
  await sendEvents();
  if (day !== undefined && (await listRestatements(store, day)).length === 0) {
    const state = await readProgressOf(store, day);
    // No endpoint is called when there is nothing to read.
    if (isRead(state)) return { kind: 'up to date', state };
  }
  stats.suspects = await findSuspects(store, clock, upstreams);
  const onBigResponse = suspectDuring(store, clock);
  // A command has no time limit, and no next run.
  const mayWait = (isForRate: boolean) =>
    run.stopAt === Number.POSITIVE_INFINITY ||
    stats.blocks > 0 ||
    clock.now() - stats.startedAt < (isForRate ? MAX_IDLE_FOR_RATE_MS : MAX_IDLE_MS);
  const context = { clock, signal, onFault: stats.countFault, onBigResponse, mayWait, trace };
  const areHostsBelieved = run.finality === 'reported';
  if (areHostsBelieved) await settleFinality(store);
  const findProof = areHostsBelieved ? undefined : (polled: Network) => proveFinal(polled, store, run.proof);
  const newest = day === undefined ? await newestDay(store) : undefined;
  const probe = await probeEndpoints(chain, context, upstreams, run, findProof, newest?.last.number);
  if (probe.kind !== 'probed') return probe;
  const { network, forked } = probe;
  stats.head = network.anchor;
  const { blocksOf = nodeBlocks, onBlock, onDay } = run;
  const days: DayRun = { network, blocks: blocksOf(network), store, from, stats, sendEvents, onBlock, onDay };
  const end = await (day === undefined ? ingestAll(run, days, newest) : ingestOneDay(days, day));
  if (!forked) return end;
  stats.refusedBlock = forked.number;
  // The distance to the head of the chain is not known.
  stats.reached = undefined;
  return end.kind === 'up to date' && end.state === undefined ? forked : end;
}

/** @param newest the last final day */
async function ingestAll(run: IngestRun, days: DayRun, newest: DayFigures | undefined) {
  const { isClosing, provePerDay, stopAt } = run;
  const { network, stats } = days;
  const setback = findSetback(network, newest);
  if (setback) return setback;
  stats.hostsBehind = describeHostsBehind(network);
  await readFeedOfToday(days);
  // Prices before it reads, since a run may end anywhere, and again afterwards for the days of this run.
  await within(network.context, MAX_PRICING_MS, (context) =>
    priceDays({ ...days, network: { ...network, context } }),
  );
  // When closing, the hosts vote on the end of a range that nothing follows.
  const end = isClosing ? await publishWaitingDays(days, true) : await ingestDays(days);
  const isDone = end.kind === 'up to date' && !isClosing;
  const contradiction = isDone && provePerDay && (await proveOn(days, provePerDay, stopAt));
  await priceDays(days);
  return contradiction || end;
}

/** Returns the last final day. */
async function newestDay(store: ChainStore): Promise<DayFigures | undefined> {
  const { last_day } = (await getCoverage(store)) ?? {};
  return last_day === undefined ? undefined : getDay(store, last_day);
}

/** The final blocks of hosts may be this far apart, because finality takes 20 minutes on most chains. */
const MAX_BEHIND_SECONDS = 3_600;

/**
 * Compares the anchor with the last final day. A node that was wiped, syncs again or has just restarted calls an old block final, and
 * so does one whose network started over. Without this check, a run would read nothing new from it and look up to date.
 * @returns undefined if the anchor is newer, or less than an hour old
 */
function findSetback(network: AnchoredNetwork, day: DayFigures | undefined): Disputed | undefined {
  const { chain, anchor, context } = network;
  if (!day || anchor.number >= day.last.number) return undefined;
  const isRecent = context.clock.now() / 1_000 - anchor.timestamp <= MAX_BEHIND_SECONDS;
  if (isRecent && anchor.timestamp < startOfDay(addDays(day.day, 1))) return undefined;
  return disputed(
    `${chain.name} ${day.day} is final and ends with block ${day.last.number}, but the final block is ${anchor.number} now: ` +
      `${describeHeads(network)}. A node was wiped, is syncing again, or has just restarted. Wait until it has synced, or remove it.`,
  );
}

/** Returns the final blocks of the hosts if the newest is more than an hour ahead of the anchor: too few hosts confirm it. */
function describeHostsBehind(network: AnchoredNetwork): string | undefined {
  const newest = Math.max(...network.hosts.map(({ head }) => head?.timestamp ?? 0));
  return newest - network.anchor.timestamp > MAX_BEHIND_SECONDS ? describeHeads(network) : undefined;
}
