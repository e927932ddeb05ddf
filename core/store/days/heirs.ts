import { addDays } from '../../figures/calendar.ts';
import { isArchived, type StoredEvidence } from './days.ts';

/* Some days become final before their chain can prove it. Later days link to them by hash, so they inherit the proof of those days. */

/**
 * Lists the final days that a day with better evidence follows, the latest first, with that evidence.
 * @param days ascending
 */
export function heirsOf(days: readonly StoredEvidence[]): readonly StoredEvidence[] {
  const heirs: StoredEvidence[] = [];
  let after: StoredEvidence | undefined;
  for (const day of days.filter((one) => !isArchived(one)).toReversed()) {
    const isFollowed = after?.date === addDays(day.date, 1) && after.parent_hash === day.last_block.hash;
    if (after && isFollowed && rankOf(after) > rankOf(day)) {
      after = { ...day, confirmed_by: after.confirmed_by, links_to: after.links_to };
      heirs.push(after);
    } else after = day;
  }
  return heirs;
}

/** Ranks the chain's own evidence above reports of hosts, and these above nothing. */
function rankOf({ links_to, confirmed_by }: StoredEvidence): number {
  if (links_to) return 2;
  return confirmed_by.length > 0 ? 1 : 0;
}
