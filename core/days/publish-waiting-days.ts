import { addDays, dayOf } from '../figures/calendar.ts';
import { startDayProgress } from '../figures/progress.ts';
import { listDiscardedDays, listWaitingDays } from '../store/days/waiting-days.ts';
import { readProgressOf } from '../transitions/state.ts';
import { type DayRun, orphaned, type RunOutcome } from './day-run.ts';
import { decideEnd } from './end.ts';
import { feedOfDay } from './price-days.ts';
import { type CompleteDay, publishDay } from './publish-day.ts';
import { undoWaitingDay } from './undo.ts';

/** After this time, the hosts vote on the block after the last waiting day of a range. */
const MAX_WAIT_MS = 24 * 3_600_000;

/**
 * Publishes the waiting days whose end the day after or the hosts confirm, the latest first. Discards those whose end is contradicted;
 * they are read again.
 * @param isClosing also lets the hosts vote on the last day of each range, however long it has waited
 */
export async function publishWaitingDays(run: DayRun, isClosing = false): Promise<RunOutcome> {
  const problem = await publishDays(run, confirmedDays(run, isClosing));
  if (problem) return problem;
  const { store, network } = run;
  const discarded = isClosing ? await listDiscardedDays(store) : [];
  if (discarded.length === 0) return { kind: 'up to date' };
  const reason = `${network.chain.name} ${discarded.join(', ')}: a block was contradicted after it was read. The next run reads on.`;
  return orphaned(reason);
}

/** Yields the waiting days whose end is confirmed, and discards those whose end is contradicted. */
async function* confirmedDays(run: DayRun, isClosing: boolean): AsyncGenerator<CompleteDay> {
  const { store, network } = run;
  const still = new Set<string>();
  for (const waiting of (await listWaitingDays(store)).toReversed()) {
    network.context.signal.throwIfAborted();
    const { progress, since } = waiting;
    const { day } = progress;
    const isLast = !still.has(addDays(day, 1));
    const isDue = isClosing || network.context.clock.now() - since > MAX_WAIT_MS;
    const end = await decideEnd(run, waiting, isLast && isDue ? 'after a wait' : 'not yet');
    if (end.kind === 'to wait for') still.add(day);
    else if (end.kind === 'contradicted') await undoWaitingDay(run, day, end);
    else yield { progress, finality: end.finality };
  }
}

/**
 * Yields the days before a final day without blocks that have none either: private networks may be idle for years. They end with
 * the same block, for the same reason.
 */
export async function* emptyDaysBefore(
  run: DayRun,
  { progress, finality }: CompleteDay,
): AsyncGenerator<CompleteDay, void> {
  const { store, from, network, blocks } = run;
  const { last } = progress;
  const read = last && (await blocks.readKnown(last));
  // Without it, these days are read one by one.
  if (read?.kind !== 'fetched') return;
  const dayOfLast = dayOf(read.value.timestamp);
  for (let day = addDays(progress.day, -1); day >= from && day > dayOfLast; day = addDays(day, -1)) {
    network.context.signal.throwIfAborted();
    if ((await readProgressOf(store, day)) !== 'unread') return;
    yield { progress: (await feedOfDay(run, startDayProgress(day, last))).progress, finality };
  }
}

/** Publishes complete days. @returns why one is not published */
export async function publishDays(
  run: DayRun,
  days: AsyncIterable<CompleteDay>,
): Promise<RunOutcome | undefined> {
  for await (const day of days) {
    const problem = await publishDay(run, day);
    if (problem) return problem;
  }
  return undefined;
}
