import type { SeenBlock } from '../chains/block.ts';
import type { UtcDay } from '../chains/utc-day.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { Checkpoint, Progress } from '../store/checkpoint-item.ts';
import { saveCheckpoint } from '../store/checkpoints.ts';
import type { BlockStream } from './block-stream.ts';
import { OrphanedBlockError, type Start } from './confirmed-blocks.ts';
import { checkEnd } from './day-bounds.ts';
import type { Source } from './endpoint-probe.ts';
import { advance, isAfter } from './progress.ts';
import type { SummedBlock } from './read-block.ts';
import type { Outcome, RunStats } from './report.ts';

/** What the days of a run have in common. */
export interface DayRun {
  readonly source: Source;
  readonly store: ChainStore;
  /** The first day to ingest. */
  readonly from: UtcDay;
  readonly stats: RunStats;
  readonly onBlock?: ((block: SeenBlock) => void) | undefined;
}

/** Why a run ends that nothing went wrong with. */
export type End = Exclude<Outcome, 'failed' | 'conflict'>;

const CHECKPOINT_EVERY_MS = 5_000;

/** Where the blocks begin that are still to be read. */
export const startOf = ({ last, notBefore }: Progress): Start => ({ block: last, notBefore });

/**
 * Reads the rest of a day, and saves its progress every few seconds and when the run ends.
 * @returns the progress when the day is whole; its last block and the one after it have been looked at again
 */
export async function readDay(
  { source, store, stats, onBlock }: DayRun,
  stream: BlockStream,
  start: Checkpoint,
  begun: Progress,
): Promise<End | { whole: Progress; next: SummedBlock }> {
  const { clock } = source.context;
  let checkpoint = start;
  let progress = begun;
  let saveAt = clock.now() + CHECKPOINT_EVERY_MS;
  const save = async (reached: Progress | undefined) => {
    if (reached === begun || reached === checkpoint.progress) return true;
    const saved = await saveCheckpoint(store, checkpoint, reached);
    if (saved) checkpoint = saved;
    return saved !== undefined;
  };
  try {
    for (let block = await stream.peek(); block; block = await stream.peek()) {
      if (isAfter(progress, block)) {
        await checkEnd(source, progress, block);
        return { whole: progress, next: block };
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
    // What is lost without this save is time only; why the run ends is what must be told.
    await save(error instanceof OrphanedBlockError ? undefined : progress).catch(() => {});
    throw error;
  }
  return (await save(progress)) ? 'up to date' : 'overtaken by another run';
}
