import type { Finality, SummedBlock } from '../figures/block.ts';
import { advance, type DayProgress } from '../figures/progress.ts';
import { type Checkpoint, saveCheckpoint } from '../store/days/checkpoints.ts';
import type { ChainStore } from '../store/table/table.ts';

/** The sums of a day that is being read, and those of its last anchored block, to which it returns after a contradiction. */
export type Ledger = ReturnType<typeof createLedger>;

/**
 * Creates the ledger of a day.
 * @param stored the checkpoint to continue from
 * @param begun its progress, or that of a day without blocks
 */
export function createLedger(store: ChainStore, stored: Checkpoint, begun: DayProgress) {
  let checkpoint = stored;
  let progress: DayProgress | undefined = begun;
  let { anchored, anchoredBy } = stored;
  const current = () => progress ?? begun;
  return {
    checkpoint: () => checkpoint,
    progress: current,
    count: (block: SummedBlock) => {
      progress = advance(current(), block);
    },
    /** Notes that the last counted block is canonical, and why. */
    anchor: (finality: Finality) => {
      anchored = progress;
      // A proof of an earlier block is worth more for the day before than a vote on a later one.
      if (finality.kind !== 'reported' || !anchoredBy) anchoredBy = finality;
    },
    isAnchored: () => anchored !== undefined && anchored === progress,
    /** Returns to the last anchored block; discards everything if there is none, or if it is itself wrong. */
    retreat: () => {
      if (anchored === progress) anchored = anchoredBy = undefined;
      progress = anchored;
    },
    /** Saves changes. Returns false when another run saved the same day since. */
    save: async () => {
      const isSaved = checkpoint.progress === progress && checkpoint.anchored === anchored;
      if (isSaved && checkpoint.anchoredBy === anchoredBy) return true;
      const saved = await saveCheckpoint(store, checkpoint, { progress, anchored, anchoredBy });
      if (saved) checkpoint = saved;
      return saved !== undefined;
    },
  };
}
