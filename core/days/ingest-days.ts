import { upstreamsFor } from '../anchor/network.ts';
import { type BlockReader, createBlockReader } from '../blocks/block-stream.ts';
import { addDays, dayOf, type UtcDay } from '../figures/calendar.ts';
import { cutReason } from '../figures/day-figures.ts';
import { absolve, noEndpoint } from '../rpc/failover.ts';
import { beginCoverage } from '../store/chain/commit.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import { fromText, heirsIn, NO_DAYS } from '../store/chain/covered-days.ts';
import { getArchivedDay } from '../store/days/archives.ts';
import {
  type Checkpoint,
  getCheckpoint,
  listRestatements,
  saveCheckpoint,
} from '../store/days/checkpoints.ts';
import { getDay, listFinalDays } from '../store/days/days.ts';
import { listDiscardedDays, listWaitingDays } from '../store/days/waiting-days.ts';
import { restatementState } from '../store/days/write-day.ts';
import type { ChainStore } from '../store/table/table.ts';
import { conflict } from '../transitions/conflict.ts';
import { inherit } from '../transitions/inherit.ts';
import { isRead, readProgressOf } from '../transitions/state.ts';
import type { DayRun, RunOutcome } from './day-run.ts';
import { type DayOutcome, ingestDay } from './ingest-day.ts';
import { endsRun, isRefusal } from './outcomes.ts';

/** Reads the missing days; then those to restate, so that a day that cannot be read again delays no other. */
export async function ingestDays(run: DayRun): Promise<RunOutcome> {
  await using reader = createBlockReader(run.blocks);
  const end = await ingestMissingDays(run, reader);
  if (end.kind === 'overtaken') return end;
  const restated = await restateDays(run, reader);
  if (end.kind !== 'up to date') return restated.kind === 'conflict' ? restated : end;
  if (restated.kind !== 'up to date') return restated;
  await inheritFinality(run);
  return restated;
}

async function ingestMissingDays(run: DayRun, reader: BlockReader): Promise<RunOutcome> {
  const { store, from, network, stats } = run;
  const newest = addDays(dayOf(network.anchor.timestamp), -1);
  let stopped: RunOutcome | undefined;
  let isGoingBack = false;
  for await (const day of daysToRead(store, from, network.anchor.timestamp)) {
    network.context.signal.throwIfAborted();
    const checkpoint = await getCheckpoint(store, day);
    const now = network.context.clock.now();
    const known = stopped && isRefusal(stopped) ? refusalAfter(checkpoint, now - REFUSED_FOR_MS) : undefined;
    const end: DayOutcome = known ?? (await ingestDay(run, reader, checkpoint));
    if (end.kind === 'begins later') {
      await beginCoverage(store, end.day);
      return stopped ?? { kind: 'up to date' };
    }
    if (isRefusal(end)) {
      const [, number = Number.POSITIVE_INFINITY] = / blocks? (\d+)(?:: | to )/.exec(end.reason) ?? [];
      stats.refusedBlock = Math.min(Number(number), stats.refusedBlock);
      const refusal = { reason: cutReason(end.reason), at: new Date(now).toISOString() };
      const latest = known ? undefined : await getCheckpoint(store, day);
      if (latest) await saveCheckpoint(store, latest, { ...latest, refusal });
      for (const upstream of upstreamsFor(network)) absolve(upstream, network.context.clock.now());
    }
    if (endsRun(end)) return end;
    if (end.kind !== 'up to date') {
      // An archived day need not be read again, so it fails no run when no endpoint has its blocks.
      if (end.kind !== 'no endpoint' || !(await getArchivedDay(store, day))) stopped ??= end;
      // Where data is missing, days before it are even less likely to be readable. Those before an unknown fork follow known rules.
      if (isGoingBack && !isRefusal(end)) return stopped ?? { kind: 'up to date' };
    }
    // After the running day, only older days follow.
    isGoingBack ||= day > newest;
  }
  return stopped ?? { kind: 'up to date' };
}

/** While newer days are refused too, a day whose blocks follow no known rule is read again after this time. */
const REFUSED_FOR_MS = 3_600_000;

/** @param since milliseconds since 1970 */
const refusalAfter = ({ refusal }: Checkpoint, since: number) =>
  refusal && Date.parse(refusal.at) > since
    ? { ...noEndpoint('', [], { isRefused: true }), reason: refusal.reason }
    : undefined;

/**
 * Reads one day or restates it, even if the days around it are missing, so that many can be read at once. It waits until the day after
 * it is final.
 */
export async function ingestOneDay(run: DayRun, day: UtcDay): Promise<RunOutcome> {
  const { store, network } = run;
  await using reader = createBlockReader(run.blocks);
  const restated = await restateDays(run, reader, day);
  if (restated.kind !== 'up to date') return restated;
  if (await getDay(store, day))
    return { kind: 'up to date', state: (await nextRestatement(store, day)) ? 'waiting' : 'final' };
  const end = await ingestDay({ ...run, isAlone: true }, reader, await getCheckpoint(store, day));
  if (end.kind !== 'begins later') return end;
  const reason = `${network.chain.name} has no blocks before ${end.day}, the day of its first block.`;
  return { kind: 'failed', reason };
}

/**
 * Reads the days again whose restatement was requested, the latest first.
 * @param day only this day
 * @returns `up to date` when none is open
 */
async function restateDays(run: DayRun, reader: BlockReader, day?: UtcDay): Promise<RunOutcome> {
  const tried: UtcDay[] = [];
  let stopped: RunOutcome = { kind: 'up to date' };
  for (;;) {
    run.network.context.signal.throwIfAborted();
    const open = await nextRestatement(run.store, day, tried);
    if (!open) return stopped;
    tried.push(open.day);
    const end: DayOutcome = await ingestDay(run, reader, open);
    if (end.kind === 'begins later') {
      return conflict(
        open.day,
        `${run.network.chain.name} ${open.day} is final, but the chain begins on ${end.day}. If the endpoints are right, delete ${open.day}.`,
      );
    }
    if (end.kind === 'overtaken') return end;
    // A day that cannot be read again delays no other.
    if (end.kind !== 'up to date') stopped = end;
  }
}

/** Days that inherit in one run. With more, caches would read all days again. */
const MAX_HEIRS = 40;

/** Gives some days the proof of finality of the day after them, the latest first. */
async function inheritFinality({ store }: DayRun): Promise<void> {
  for (let count = 0; count < MAX_HEIRS; count++) {
    const coverage = await getCoverage(store);
    const [heir] = heirsIn((coverage && fromText(coverage.days)) ?? NO_DAYS);
    if (heir === undefined || !(await inherit(store, heir))) return;
  }
}

/**
 * Yields the days to read: the newest complete day, so that no gap delays a new day; the running day; then the missing days before
 * them, the newest first, so that each becomes final at once; then days of backfills that must be read again. If the day before the
 * newest complete one has begun and was not refused, that comes first: otherwise a chain that takes more than 24 hours to read a day would
 * never complete one.
 * @param head timestamp of the anchor, in seconds
 */
export async function* daysToRead(
  store: ChainStore,
  from: UtcDay,
  head: number,
): AsyncGenerator<UtcDay, void> {
  const today = dayOf(head);
  const newest = addDays(today, -1);
  const dayBefore = addDays(newest, -1);
  const { progress: begun, refusal } = await getCheckpoint(store, dayBefore);
  const isFirst = begun && !refusal && !(await getArchivedDay(store, dayBefore));
  for (const day of [...(isFirst ? [dayBefore] : []), newest, today]) {
    if (day >= from && !isRead(await readProgressOf(store, day))) yield day;
  }
  const coverage = await getCoverage(store);
  const isCovered = coverage?.from_day === from && coverage.through_day >= dayBefore;
  for (let day = dayBefore; !isCovered && day >= from; day = addDays(day, -1)) {
    // Read again each time: waiting days, and days of other runs, may be final by now. Archived days are proven later, if at all.
    const [final, waiting] = await Promise.all([listFinalDays(store, from, true), listWaitingDays(store)]);
    const read = new Set([...final, ...waiting.map(({ progress }) => progress.day)]);
    while (day >= from && read.has(day)) day = addDays(day, -1);
    if (day >= from) yield day;
  }
  // Days of a backfill may be before `from`, or archived.
  for (const day of (await listDiscardedDays(store)).toReversed())
    if (day < from || (await getArchivedDay(store, day))) yield day;
}

/**
 * Returns the open restatement of the latest day: the end of a day follows from the day after it.
 * @param day only this day, also one that an operator restates by hand
 * @param except days that this run has tried
 */
export async function nextRestatement(
  store: ChainStore,
  day?: UtcDay,
  except: readonly UtcDay[] = [],
): Promise<Checkpoint | undefined> {
  for (const checkpoint of (await listRestatements(store, day)).toReversed()) {
    const { restatement } = checkpoint;
    if (except.includes(checkpoint.day)) continue;
    if (!restatement || (restatement.isByHand && day === undefined)) continue;
    if ((await restatementState(store, checkpoint.day, restatement)) === 'open')
      return { ...checkpoint, restatement };
  }
  return undefined;
}
