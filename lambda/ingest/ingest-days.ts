import { BlockError } from '../chains/block-error.ts';
import { startOfDay } from '../chains/utc-day.ts';
import { NoEndpointError } from '../rpc/retry.ts';
import { getCheckpoint } from '../store/checkpoints.ts';
import { type BlockStream, openBlockStream } from './block-stream.ts';
import { TooEarlyError } from './cross-check.ts';
import { beginDay } from './day-bounds.ts';
import { DayConflictError, oldestMissingDay, publishDay } from './publish.ts';
import { type DayRun, type End, readDay, startOf } from './read-day.ts';
import { OrphanedBlockError } from './reorg.ts';
import { nextRestatement, restateDays } from './restate-days.ts';

/**
 * Reads the missing days up to the head, the oldest first, and then the days to restate, so that a failing restatement blocks
 * no missing day.
 * @throws the error that ends the run, after the progress is saved
 */
export async function ingestDays(run: DayRun): Promise<End> {
  // First completes restatements that a crash interrupted: until then, caches do not know that a day changed.
  await nextRestatement(run);
  try {
    const end = await ingestMissingDays(run);
    if (end !== 'up to date') return end;
  } catch (error) {
    if (!isAboutBlocks(error)) throw error;
    // The cause may be a wrong day before, whose restatement is requested already.
    const second = await restateDays(run).catch((other: unknown) => other);
    // A conflict takes precedence, because only a person can resolve it.
    throw second instanceof DayConflictError ? second : error;
  }
  return restateDays(run);
}

/** Returns whether the cause of an error is an endpoint or a block, not this code, the table or the time limit. */
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
      // A stream at the end of the day before continues, with the blocks that it read ahead.
      if (!stream?.isAt(startOf(progress))) {
        await stream?.close();
        stream = openBlockStream(source, startOf(progress));
      }
      const end = await readDay(run, stream, checkpoint, progress);
      if (typeof end === 'string') return end;
      await publishDay(store, end.complete, end.next, source.context.clock.now());
      stats.days.push(day);
    }
  } finally {
    await stream?.close();
  }
}
