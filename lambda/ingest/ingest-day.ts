import { startOfDay, type UtcDay } from '../chains/utc-day.ts';
import type { Checkpoint } from '../store/checkpoint-item.ts';
import { deleteCheckpoint, getCheckpoint, saveCheckpoint } from '../store/checkpoints.ts';
import { getDay } from '../store/days.ts';
import { openBlockStream } from './block-stream.ts';
import { beginDay } from './day-bounds.ts';
import { DayConflictError, finishIfFinal, publishDay } from './publish.ts';
import { type DayRun, type End, readDay, startOf } from './read-day.ts';
import { restateDays } from './restate-days.ts';

/**
 * Reads one day, whichever days before it are missing, and restates it if that is requested. So a backfill can read many days
 * concurrently.
 * @throws the error that ends the run, after the progress is saved
 */
export async function ingestDay(run: DayRun, day: UtcDay): Promise<End> {
  const end = await restateDays(run, day);
  if (end !== 'up to date') return end;
  const { store, from, stats } = run;
  if (!(await getDay(store, day))) {
    const end = await readMissingDay(run, day);
    if (end !== 'final') return end;
  }
  stats.final = await finishIfFinal(store, day, from);
  return 'up to date';
}

async function readMissingDay(run: DayRun, day: UtcDay): Promise<End | 'final'> {
  const { source, store, from, stats } = run;
  const chain = source.chain.name;
  if (startOfDay(day) > source.head.timestamp) return 'up to date';
  let checkpoint: Checkpoint | undefined = await getCheckpoint(store, day);
  if (!checkpoint.progress) {
    const begun = await beginDay(source, store, day);
    if (begun.day !== day) {
      throw new DayConflictError(
        `${chain} has no day ${day}: its first block is of ${begun.day}. Choose a later day.`,
      );
    }
    // Saved before any block is read, so that the next run recognizes a crash right after the publication.
    checkpoint = await saveCheckpoint(store, checkpoint, begun);
  }
  if (!checkpoint?.progress) return 'overtaken by another run';
  stats.reached = checkpoint.progress.notBefore;
  const stream = openBlockStream(source, startOf(checkpoint.progress));
  try {
    const end = await readDay(run, stream, checkpoint, checkpoint.progress);
    if (typeof end === 'string') return end;
    await publishDay(store, end.complete, end.next, source.context.clock.now());
    stats.days.push(day);
    return 'final';
  } catch (error) {
    // The start of the day was found by timestamps and may be wrong, so the next run finds it again.
    if (error instanceof DayConflictError && !(await finishIfFinal(store, day, from))) {
      await deleteCheckpoint(store, { day });
    }
    throw error;
  } finally {
    await stream.close();
  }
}
