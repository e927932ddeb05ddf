import { addDays } from '../figures/calendar.ts';
import type { Finality } from '../figures/finality.ts';
import type { DayVersion } from './day-version.ts';

/* A day that became final before its chain could prove that hangs, by hash, from a later day that is proven: it inherits the proof. */

/** A version of a final day, its hashes, and what it hangs from. */
export interface DayLink extends DayVersion {
  readonly lastHash: string;
  readonly parentHash: string | undefined;
  readonly finality: Finality;
}

/**
 * Lists the days that hang from a day with better evidence, which they inherit here, the latest first.
 * @param days ascending
 */
export function heirsOf(days: readonly DayLink[]): readonly DayLink[] {
  const heirs: DayLink[] = [];
  let after: DayLink | undefined;
  for (const link of days.toReversed()) {
    const continues = after?.day === addDays(link.day, 1) && after.parentHash === link.lastHash;
    const isBetter = after !== undefined && rankOf(after.finality) > rankOf(link.finality);
    const finality: Finality = continues && isBetter && after ? after.finality : link.finality;
    after = { ...link, finality };
    if (finality !== link.finality) heirs.push(after);
  }
  return heirs;
}

/** Ranks the chain's own evidence above the word of hosts, and that above none. */
function rankOf(finality: Finality): number {
  if (finality.kind !== 'reported') return 2;
  return finality.hosts.length > 0 ? 1 : 0;
}
