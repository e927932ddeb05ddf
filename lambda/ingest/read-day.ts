import type { SeenBlock } from '../chains/block.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Checkpoint, Progress } from '../store/checkpoint-item.ts';
import { saveCheckpoint } from '../store/checkpoints.ts';
import type { BlockStream } from './block-stream.ts';
import type { Start } from './confirmed-blocks.ts';
import { checkEnd } from './day-bounds.ts';
import type { Source } from './endpoint-probe.ts';
import { advance, isAfter } from './progress.ts';
import type { SummedBlock } from './read-block.ts';
import { OrphanedBlockError } from './reorg.ts';
import type { Outcome, RunStats } from './report.ts';

/** The parts of a run that all its days share. */
export interface DayRun {
  readonly source: Source;
  readonly store: ChainStore;
  /** The first day to ingest. */
  readonly from: UtcDay;
  readonly stats: RunStats;
  readonly onBlock?: ((block: SeenBlock) => void) | undefined;
}

/** The outcome of a run without an error. */
export type End = Exclude<Outcome, 'failed' | 'conflict'>;

const CHECKPOINT_EVERY_MS = 5_000;

/** Returns the position of the next block to read. */
export const startOf = ({ last, notBefore }: Progress): Start => ({ block: last, notBefore });

/**
 * Reads the remaining blocks of a day, and saves the progress every few seconds and when the run ends.
 * @returns the progress of the complete day, whose end is cross-checked, with the first block of a later day
 */
export async function readDay(
  { source, store, stats, onBlock }: DayRun,
  stream: BlockStream,
  start: Checkpoint,
  begun: Progress,
): Promise<End | { complete: Progress; next: SummedBlock }> {
  const { clock } = source.context;
  const save = checkpointSaver(store, start, begun);
  let progress = begun;
  let saveAt = clock.now() + CHECKPOINT_EVERY_MS;
  try {
    for (let block = await stream.peek(); block; block = await stream.peek()) {
      if (isAfter(progress, block)) {
        await checkEnd(source, progress, block);
        return { complete: progress, next: block };
      }
      progress = advance(progress, block);
      stream.take();
      stats.blocks += 1;
      onBlock?.(block);
      if (!start.restatement) stats.reached = block.timestamp;
      if (clock.now() < saveAt) continue;
      if (!(await save(progress))) return 'overtaken by another run';
      saveAt = clock.now() + CHECKPOINT_EVERY_MS;
    }
  } catch (error) {
    // A failure to save costs only time, and must not hide the error that ends the run.
    await save(error instanceof OrphanedBlockError ? undefined : progress).catch(() => {});
    throw error;
  }
  return (await save(progress)) ? 'up to date' : 'overtaken by another run';
}

/** Returns a function that saves progress, unless it is saved already; it returns false when another run has saved. */
function checkpointSaver(store: ChainStore, start: Checkpoint, begun: Progress) {
  let checkpoint = start;
  return async (reached: Progress | undefined): Promise<boolean> => {
    if (reached === begun || reached === checkpoint.progress) return true;
    const saved = await saveCheckpoint(store, checkpoint, reached);
    if (saved) checkpoint = saved;
    return saved !== undefined;
  };
}
