import { addDays, type UtcDay } from '../figures/calendar.ts';
import type { Finality } from '../figures/finality.ts';

/* A day that became final before its chain could prove that hangs, by hash, from a later day that is proven: it inherits the proof. */

/** A final day, its hashes, and what it hangs from. */
export interface DayLink {
  readonly day: UtcDay;
  readonly lastHash: string;
  readonly parentHash: string | undefined;
  readonly finality: Finality;
}

export interface Heir {
  readonly day: UtcDay;
  /** Of its last block, which the day after it names. */
  readonly lastHash: string;
  readonly finality: Finality;
}

/**
 * Lists the days that hang from a day with better evidence, the latest first.
 * @param days ascending
 */
export function heirsOf(days: readonly DayLink[]): readonly Heir[] {
  const heirs: Heir[] = [];
  let after: DayLink | undefined;
  for (const link of days.toReversed()) {
    const continues = after?.day === addDays(link.day, 1) && after.parentHash === link.lastHash;
    const isBetter = after !== undefined && rankOf(after.finality) > rankOf(link.finality);
    const finality: Finality = continues && isBetter && after ? after.finality : link.finality;
    if (finality !== link.finality) heirs.push({ day: link.day, lastHash: link.lastHash, finality });
    after = { ...link, finality };
  }
  return heirs;
}

/** Ranks the chain's own evidence above the word of hosts, and that above none. */
function rankOf(finality: Finality): number {
  if (finality.kind !== 'reported') return 2;
  return finality.hosts.length > 0 ? 1 : 0;
}
