import { isHashed } from '../anchor/read-header.ts';
import type { Finality, SummedBlock } from '../figures/block.ts';
import { advance, type DayProgress } from '../figures/progress.ts';
import { type Checkpoint, saveCheckpoint } from '../store/days/checkpoints.ts';
import type { DayRun } from './day-run.ts';
import { evidenceOf } from './evidence.ts';

/** The sums of a day that is being read, and those of its last anchored block, to which it returns after a contradiction. */
export interface Ledger {
  readonly checkpoint: () => Checkpoint;
  readonly progress: () => DayProgress;
  readonly count: (block: SummedBlock) => void;
  /** Notes that the last counted block is canonical; and final, if there is a reason. */
  readonly anchor: (finality?: Finality) => void;
  readonly isAnchored: () => boolean;
  /** Returns to the last anchored block, or to the final one if that is itself wrong; discards everything if there is none. */
  readonly retreat: () => void;
  /** Saves changes. Returns false when another run saved the same day since. */
  readonly save: () => Promise<boolean>;
}

/**
 * Creates the ledger of a day.
 * @param stored the checkpoint to continue from
 * @param begun its progress, or that of a day without blocks
 */
export function createLedger(
  { store, network }: Pick<DayRun, 'store' | 'network'>,
  stored: Checkpoint,
  begun: DayProgress,
): Ledger {
  let checkpoint = stored;
  let progress: DayProgress | undefined = begun;
  let { anchored, final } = stored;
  const current = () => progress ?? begun;
  return {
    checkpoint: () => checkpoint,
    progress: current,
    count: (block) => {
      progress = advance(current(), block);
    },
    anchor: (finality) => {
      const sums = current();
      anchored = progress = sums;
      // A proof of an earlier block is worth more than a vote on a later one, which may still be discarded.
      if (!finality || (finality.kind === 'reported' && final && final.finality.kind !== 'reported')) return;
      const before = sums.first && sums.first.number - 1;
      const isStartProven = before === undefined || before < 0 || isHashed(network, before);
      final = {
        progress: sums,
        finality,
        evidence: evidenceOf(sums, isStartProven),
        headTime: network.anchor.timestamp,
      };
    },
    isAnchored: () => anchored !== undefined && anchored === progress,
    retreat: () => {
      if (anchored === progress) {
        if (final?.progress === progress) final = undefined;
        anchored = final?.progress;
      }
      progress = anchored;
    },
    save: async () => {
      const isSaved = checkpoint.progress === progress && checkpoint.anchored === anchored;
      if (isSaved && checkpoint.final === final) return true;
      const saved = await saveCheckpoint(store, checkpoint, { progress, anchored, final });
      if (saved) checkpoint = saved;
      return saved !== undefined;
    },
  };
}
