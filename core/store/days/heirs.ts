import type { Finality } from '../../figures/block.ts';
import { addDays } from '../../figures/calendar.ts';
import type { DayVersion } from './day-version.ts';

/* Some days become final before their chain can prove it. Later days link to them by hash, so they inherit the proof of those days. */

/** A version of a final day, the hashes that link it to its neighbors, and the reason why it is final. */
export interface DayLink extends DayVersion {
  readonly lastHash: string;
  readonly parentHash: string;
  readonly finality: Finality;
}

/**
 * Lists the days that a day with better evidence follows, the latest first, with that evidence.
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

/** Ranks the chain's own evidence above reports of hosts, and these above nothing. */
function rankOf(finality: Finality): number {
  if (finality.kind !== 'reported') return 2;
  return finality.hosts.length > 0 ? 1 : 0;
}
