import type { UtcDay } from '../chains/utc-day.ts';
import type { Checkpoint, Restatement } from '../store/checkpoint-item.ts';
import { listRestatements, restatementState } from '../store/restatements.ts';
import { openBlockStream } from './block-stream.ts';
import { beginDay } from './day-bounds.ts';
import { DayConflictError, finishRestatement, restateDay } from './publish.ts';
import { type DayRun, type End, readDay, startOf } from './read-day.ts';

/**
 * Restates the days for which that is requested, the earliest first.
 * @param day the only day to restate; all when absent
 */
export async function restateDays(run: DayRun, day?: UtcDay): Promise<End> {
  for (;;) {
    run.source.context.signal.throwIfAborted();
    const checkpoint = await nextRestatement(run, day);
    if (!checkpoint) return 'up to date';
    const end = await readAgain(run, checkpoint);
    if (end) return end;
  }
}

type OpenRestatement = Checkpoint & { readonly restatement: Restatement };

/** Reads a day again; returns undefined when its figures are replaced. */
async function readAgain(run: DayRun, checkpoint: OpenRestatement): Promise<End | undefined> {
  const { source, store, stats } = run;
  const { name } = source.chain;
  const { day, restatement } = checkpoint;
  const progress = checkpoint.progress ?? (await beginDay(source, store, day));
  if (progress.day !== day) {
    throw new DayConflictError(
      `${name} ${day} is final, but the first block of the chain is of ${progress.day}. Check the endpoints.`,
    );
  }
  const stream = openBlockStream(source, startOf(progress));
  try {
    const end = await readDay(run, stream, checkpoint, progress);
    if (typeof end === 'string') return end;
    await restateDay(store, end.complete, restatement, source.context.clock.now());
    stats.restated.push(day);
    return undefined;
  } finally {
    await stream.close();
  }
}

/**
 * Returns the next open restatement, after completing those whose day is replaced already.
 * @param day the only day to restate; all when absent
 */
export async function nextRestatement(run: DayRun, day?: UtcDay): Promise<OpenRestatement | undefined> {
  const { store, from } = run;
  for (const checkpoint of await listRestatements(store, day)) {
    const { restatement } = checkpoint;
    if (!restatement) continue;
    const state = await restatementState(store, checkpoint.day, restatement);
    if (state === 'open') {
      if (restatement.isByHand && day === undefined) continue;
      return { ...checkpoint, restatement };
    }
    const isEndMoved = state !== 'void' && state.isEndMoved;
    await finishRestatement(store, checkpoint.day, restatement, { isEndMoved, from });
    // This may have requested the restatement of the next day.
    return nextRestatement(run, day);
  }
  return undefined;
}
