import type { Source } from '../core/anchor/network.ts';
import { findDayStart } from '../core/days/find-day-start.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import type { NoEndpoint } from '../core/rpc/failover.ts';

/** Finds the number of the first block at or after the beginning of a day; after the anchor, that of the next block. */
export async function findFirstBlock(
  source: Source,
  day: UtcDay,
): Promise<{ readonly kind: 'found'; readonly number: number } | NoEndpoint> {
  const found = await findDayStart(source, day, source.anchor);
  return found.kind === 'found' ? { kind: 'found', number: (found.before?.number ?? -1) + 1 } : found;
}
