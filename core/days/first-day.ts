import type { Chain } from '../chains/chains.ts';
import { addDays, dayOf, later, type UtcDay } from '../figures/calendar.ts';
import { beginCoverage } from '../store/chain/commit.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import type { ChainReader, ChainStore } from '../store/table/table.ts';

/** A chain without a start date begins this many days before its first run. */
const DAYS_BACK = 30;

/** Returns the first day to ingest of a chain that has not run yet. @param now milliseconds since 1970 */
export const newFirstDay = ({ firstDay }: Chain, startDate: UtcDay | undefined, now: number): UtcDay =>
  later(startDate ?? addDays(dayOf(now / 1_000), -DAYS_BACK), firstDay);

/**
 * Returns the first day to ingest. Without a start date, the first run chooses it and the coverage keeps it, so that later deployments do
 * not move it.
 * @param startDate from the stage's settings; a change moves the first day
 * @param now milliseconds since 1970
 */
export async function plannedFirstDay(
  store: ChainReader,
  chain: Chain,
  startDate: UtcDay | undefined,
  now: number,
): Promise<UtcDay> {
  const coverage = startDate === undefined ? await getCoverage(store) : undefined;
  return coverage?.from_day ?? newFirstDay(chain, startDate, now);
}

/** Returns the planned first day, and stores it. */
export async function keepFirstDay(
  store: ChainStore,
  chain: Chain,
  startDate: UtcDay | undefined,
  now: number,
): Promise<UtcDay> {
  const coverage = await getCoverage(store);
  if (coverage && startDate === undefined) return coverage.from_day;
  const from = newFirstDay(chain, startDate, now);
  await beginCoverage(store, from, coverage ? undefined : new Date(now).toISOString());
  return from;
}
