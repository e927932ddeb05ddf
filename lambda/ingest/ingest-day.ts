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
 * Reads one day alone, whatever is missing before it, or reads it again where that is asked for: so that many days can be
 * read at once.
 * @throws what ends the run; its progress is saved
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
      throw new DayConflictError(`${chain} begins on ${begun.day}, so it has no such day`);
    }
    // Saved even if the day is read in no time: it is what a crash right after the publication is known by.
    checkpoint = await saveCheckpoint(store, checkpoint, begun);
  }
  if (!checkpoint?.progress) return 'overtaken by another run';
  stats.reached = checkpoint.progress.notBefore;
  const stream = openBlockStream(source, startOf(checkpoint.progress));
  try {
    const end = await readDay(run, stream, checkpoint, checkpoint.progress);
    if (typeof end === 'string') return end;
    await publishDay(store, end.whole, end.next, source.context.clock.now());
    stats.days.push(day);
    return 'final';
  } catch (error) {
    // It began where timestamps said, and that may be what does not fit: it is not gone on from.
    if (error instanceof DayConflictError && !(await finishIfFinal(store, day, from))) {
      await deleteCheckpoint(store, { day });
    }
    throw error;
  } finally {
    await stream.close();
  }
}
