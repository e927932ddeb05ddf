import { addDays, dayOf } from '../core/figures/calendar.ts';
import { scheduleIn } from './data-dir.ts';
import type { Settings } from './settings.ts';

/** Days of development chains before today with one block each, of which the first are left for trying out a backfill. */
const QUIET_DAYS = 49;

/** Days with eight blocks each, from the first second to the last. */
const BUSY_DAYS = 7;

/**
 * A development chain whose schedule began again after a day that nobody has ingested: a gap, so that people see one. In days before
 * the first start of the service.
 */
const GAP = { chain: 'BASE', daysBack: 5 } as const;

/** Days before today that are ingested by default: six weeks, for charts worth a look. */
export const DAYS_BACK = 42;

/** Returns the days of the development chains, the first day to ingest, and the gap. */
export function localSchedule({ dataDir, chains, rpcUrls, startDay }: Settings) {
  const today = dayOf(Date.now() / 1000);
  const schedule = scheduleIn(
    dataDir,
    { chains, rpcUrls },
    { firstDay: addDays(today, -BUSY_DAYS - QUIET_DAYS), quietDays: QUIET_DAYS },
  );
  const daysBack = (days: number) => addDays(schedule.firstDay, schedule.quietDays + BUSY_DAYS - days);
  const hasGap = startDay === undefined && chains.includes(GAP.chain) && !rpcUrls.has(GAP.chain);
  const gap = hasGap ? { chain: GAP.chain, day: daysBack(GAP.daysBack) } : undefined;
  return { schedule, from: startDay ?? daysBack(DAYS_BACK), gap };
}
