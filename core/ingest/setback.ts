import { type Disputed, describeHeads, disputed } from '../anchor/anchor.ts';
import type { Source } from '../anchor/network.ts';
import type { DayRun } from '../days/day-run.ts';
import { addDays, startOfDay } from '../figures/calendar.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import { getDay } from '../store/days/days.ts';

/** Hosts may differ that much: finality takes 20 minutes on most chains. */
const MAX_LAG_SECONDS = 3_600;

/**
 * Compares the anchor with the last final day. A node that was wiped, syncs again or has just restarted calls an old block final, and
 * so does one whose network began again: nothing new can be read from it, and a run would look up to date.
 * @returns undefined where the anchor is newer, or less than an hour old
 */
export async function findSetback({ source, store }: DayRun): Promise<Disputed | undefined> {
  const { chain, anchor, context } = source;
  const { last } = (await getCoverage(store)) ?? {};
  const day = last === undefined ? undefined : await getDay(store, last);
  if (!day || anchor.number >= day.last.number) return undefined;
  const isRecent = context.clock.now() / 1_000 - anchor.timestamp <= MAX_LAG_SECONDS;
  if (isRecent && anchor.timestamp < startOfDay(addDays(day.day, 1))) return undefined;
  return disputed(
    `${chain.name} ${day.day} is final and ends with block ${day.last.number}, but the final block is ${anchor.number} now: ` +
      `${describeHeads(source)}. A node was wiped, is syncing again, or has just restarted. Wait until it has synced, or remove it.`,
  );
}

/** Returns the final blocks of the hosts if the newest is more than an hour ahead of the anchor: too few hosts confirm it. */
export function describeLag(source: Source): string | undefined {
  const newest = Math.max(...source.voters.map(({ head }) => head?.timestamp ?? 0));
  return newest - source.anchor.timestamp > MAX_LAG_SECONDS ? describeHeads(source) : undefined;
}
