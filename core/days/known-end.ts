import { type BlockRef, type Finality, reportedBy } from '../figures/block.ts';
import { addDays, type UtcDay } from '../figures/calendar.ts';
import { getCheckpoint } from '../store/days/checkpoints.ts';
import { type FinalDay, getFinalDay } from '../store/days/days.ts';
import type { ChainReader } from '../store/table/table.ts';
import type { DayRun } from './day-run.ts';

/** The last block of a day, as a later day names it, and the reason why that one is final. */
export interface KnownEnd extends BlockRef {
  readonly finality: Finality;
}

/** Returns the last block of a day as the day after it names it, if that day is still being read and its first block is anchored. */
export async function endByRunningDay(store: ChainReader, day: UtcDay): Promise<KnownEnd | undefined> {
  const { anchored, anchoredBy: finality = reportedBy([]) } = await getCheckpoint(store, addDays(day, 1));
  return anchored?.first && { number: anchored.first.number - 1, hash: anchored.parentHash, finality };
}

/** Returns the last block of a day as the day after it names it, if that day is final, or being read and anchored. */
export async function knownEndOf({ source, store }: DayRun, day: UtcDay): Promise<KnownEnd | undefined> {
  const after = await getFinalDay(store, addDays(day, 1));
  const end = after ? endBefore(after) : await endByRunningDay(store, day);
  // If a proof is due, a report of hosts is not enough. The day inherits a proof once the days after it have one.
  const isProofDue = source.isProofRequired || (!after && source.anchor.proof !== undefined);
  return isProofDue && end?.finality.kind === 'reported' ? undefined : end;
}

const endBefore = ({ figures: { first, last, parentHash }, finality }: FinalDay): KnownEnd => ({
  number: first ? first.number - 1 : last.number,
  hash: parentHash,
  finality,
});
