import type { Finality, SummedBlock } from '../figures/block.ts';
import { advance, type DayProgress } from '../figures/progress.ts';
import { type Checkpoint, saveCheckpoint } from '../store/days/checkpoints.ts';
import type { ChainStore } from '../store/table/table.ts';

/** The sums of a day that is being read, and those of its last anchored block, to which it returns after a contradiction. */
export interface Ledger {
  readonly checkpoint: () => Checkpoint;
  readonly progress: () => DayProgress;
  readonly count: (block: SummedBlock) => void;
  /** Notes that the last counted block is canonical, and why. */
  readonly anchor: (finality: Finality) => void;
  readonly isAnchored: () => boolean;
  /** Returns to the last anchored block; discards everything if there is none, or if it is itself wrong. */
  readonly retreat: () => void;
  /** Saves changes. Returns false when another run saved the same day since. */
  readonly save: () => Promise<boolean>;
}

/**
 * Creates the ledger of a day.
 * @param stored the checkpoint to continue from
 * @param begun its progress, or that of a day without blocks
 */
export function createLedger(store: ChainStore, stored: Checkpoint, begun: DayProgress): Ledger {
  let checkpoint = stored;
  let progress: DayProgress | undefined = begun;
  let { anchored, anchoredBy } = stored;
  const current = () => progress ?? begun;
  return {
    checkpoint: () => checkpoint,
    progress: current,
    count: (block) => {
      progress = advance(current(), block);
    },
    anchor: (finality) => {
      anchored = progress;
      // A proof of an earlier block is worth more for the day before than a vote on a later one.
      if (finality.kind !== 'reported' || !anchoredBy) anchoredBy = finality;
    },
    isAnchored: () => anchored !== undefined && anchored === progress,
    retreat: () => {
      if (anchored === progress) anchored = anchoredBy = undefined;
      progress = anchored;
    },
    save: async () => {
      const isSaved = checkpoint.progress === progress && checkpoint.anchored === anchored;
      if (isSaved && checkpoint.anchoredBy === anchoredBy) return true;
      const saved = await saveCheckpoint(store, checkpoint, { progress, anchored, anchoredBy });
      if (saved) checkpoint = saved;
      return saved !== undefined;
    },
  };
}
