import { startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { Checkpoint } from '../store/checkpoint-item.ts';
import { deleteCheckpoint, getCheckpoint, saveCheckpoint } from '../store/checkpoints.ts';
import { openBlockStream } from './blocks/stream.ts';
import { publishDay } from './complete-day.ts';
import { findDayStart } from './day-boundaries.ts';
import { type DayRun, ingestDay, startOf } from './ingest-day.ts';
import { conflict, type RunEnd } from './outcomes.ts';
import { newestDays } from './plan.ts';
import { isSettled, settleDay } from './recover.ts';
import { restateDays } from './restatements.ts';

/* Days that are read alone, whichever days before them are missing. */

/** Reads the newest complete days, before older missing days. */
export async function readNewestDays(run: DayRun): Promise<RunEnd> {
  const { store, from, source } = run;
  for (const day of await newestDays(store, from, source.head.timestamp)) {
    source.context.signal.throwIfAborted();
    if (await isSettled(store, day, from)) continue;
    const { end } = await readAlone(run, day);
    if (end.kind === 'begins later') break;
    if (end.kind !== 'up to date' && end.kind !== 'not final yet') return end;
  }
  return { kind: 'up to date' };
}

/** Reads one day alone, or restates it, so that many days can be read at once. */
export async function ingestOneDay(run: DayRun, day: UtcDay): Promise<RunEnd> {
  const restated = await restateDays(run, day);
  if (restated.kind !== 'up to date') return restated;
  run.stats.final = await settleDay(run.store, day, run.from);
  if (run.stats.final) return restated;
  const { end, isFinal } = await readAlone(run, day);
  run.stats.final = isFinal;
  if (end.kind !== 'begins later') return end;
  return conflict(`${run.source.chain.name} has no blocks before ${end.day}, the day of its first block.`);
}

/** Reads one day, whichever days before it are missing, and settles it. */
async function readAlone(run: DayRun, day: UtcDay) {
  const end = await readOneDay(run, day);
  const isFinal = await settleDay(run.store, day, run.from);
  // Its start came from timestamps alone, which may be what is wrong: a later run must not continue from it.
  if (end.kind === 'conflict' && !isFinal) await deleteCheckpoint(run.store, { day });
  await run.sendEvents();
  return { end, isFinal };
}

/** The day is before the chain's first block. */
interface BeginsLater {
  readonly kind: 'begins later';
  readonly day: UtcDay;
}

async function readOneDay(run: DayRun, day: UtcDay): Promise<RunEnd | BeginsLater> {
  const { source, store, stats } = run;
  if (startOfDay(day) > source.head.timestamp) return { kind: 'up to date' };
  const stored = await getCheckpoint(store, day);
  const start = await startFrom(run, stored);
  if (start.kind !== 'begun') return start;
  const { progress } = start;
  if (progress.day !== day) return { kind: 'begins later', day: progress.day };
  // Saved before the first block: after a crash right after publication, the checkpoint shows the next run that the day must be settled.
  const checkpoint = stored.progress ? stored : await saveCheckpoint(store, stored, progress);
  if (!checkpoint) return { kind: 'overtaken' };
  stats.reached = progress.notBefore;
  const stream = openBlockStream(source, startOf(progress));
  try {
    const outcome = await ingestDay(run, stream, checkpoint, checkpoint.progress ?? progress);
    if (outcome.kind !== 'complete') return outcome;
    const problem = await publishDay(store, outcome.day, source.context.clock.now());
    if (!problem) stats.days.push(day);
    return problem ?? { kind: 'up to date' };
  } finally {
    await stream.close();
  }
}

/** Continues from saved progress, or finds the start of the day. */
export const startFrom = async ({ source, store }: DayRun, { day, progress }: Checkpoint) =>
  progress ? ({ kind: 'begun', progress } as const) : findDayStart(source, store, day);
