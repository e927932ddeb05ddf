import { BlockError } from '../chains/block-error.ts';
import { startOfDay } from '../chains/utc-day.ts';
import { NoEndpointError } from '../rpc/retry.ts';
import { getCheckpoint } from '../store/checkpoints.ts';
import { type BlockStream, openBlockStream } from './block-stream.ts';
import { OrphanedBlockError } from './confirmed-blocks.ts';
import { TooEarlyError } from './cross-check.ts';
import { beginDay } from './day-bounds.ts';
import { DayConflictError, oldestMissingDay, publishDay } from './publish.ts';
import { type DayRun, type End, readDay, startOf } from './read-day.ts';
import { nextRestatement, restateDays } from './restate-days.ts';

/**
 * Reads the missing days, the oldest first, up to the head; then those that are to be restated, so that one that cannot be
 * read again holds up no other.
 * @throws what ends the run; its progress is saved
 */
export async function ingestDays(run: DayRun): Promise<End> {
  // What a crash left undone comes first: whoever keeps days in memory does not know yet that one has changed.
  await nextRestatement(run);
  try {
    const end = await ingestMissingDays(run);
    if (end !== 'up to date') return end;
  } catch (error) {
    if (!isAboutBlocks(error)) throw error;
    // The day before may be the wrong one, and be asked to be restated for that very reason.
    const second = await restateDays(run).catch((other: unknown) => other);
    // What ended the run is told, unless the other is what a person must hear of.
    throw second instanceof DayConflictError ? second : error;
  }
  return restateDays(run);
}

/** Whether endpoints or what was read of them before are the reason, and not this code, the table or the time. */
export const isAboutBlocks = (error: unknown): error is Error =>
  [BlockError, NoEndpointError, OrphanedBlockError, DayConflictError, TooEarlyError].some(
    (kind) => error instanceof kind,
  );

async function ingestMissingDays(run: DayRun): Promise<End> {
  const { source, store, stats } = run;
  let { from } = run;
  let stream: BlockStream | undefined;
  try {
    for (;;) {
      source.context.signal.throwIfAborted();
      const day = await oldestMissingDay(store, from);
      if (startOfDay(day) > source.head.timestamp) return 'up to date';
      const checkpoint = await getCheckpoint(store, day);
      const progress = checkpoint.progress ?? (await beginDay(source, store, day));
      if (progress.day !== day) {
        // The chain begins later than the start date.
        from = progress.day;
        continue;
      }
      stats.reached = progress.notBefore;
      // A stream that has come to the end of the day before goes on, with all that is read ahead.
      if (!stream?.isAt(startOf(progress))) {
        await stream?.close();
        stream = openBlockStream(source, startOf(progress));
      }
      const end = await readDay(run, stream, checkpoint, progress);
      if (typeof end === 'string') return end;
      await publishDay(store, end.whole, end.next, source.context.clock.now());
      stats.days.push(day);
    }
  } finally {
    await stream?.close();
  }
}
