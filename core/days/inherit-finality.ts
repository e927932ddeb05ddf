import type { UtcDay } from '../figures/calendar.ts';
import { getCoverage } from '../store/chain/coverage.ts';
import { linksOf, listEvidence, putFinality } from '../store/days/days.ts';
import { heirsOf } from '../store/days/heirs.ts';
import type { DayRun } from './day-run.ts';
import { refreshCoverage } from './refresh-coverage.ts';

/** Days that change in one run. The coverage lists at most 64 changed days. */
const MAX_DAYS = 50;

/** Gives some days the proof of finality of the day after them, the latest first. */
export async function inheritFinality({ store, from }: DayRun): Promise<void> {
  const { summary } = (await getCoverage(store)) ?? {};
  if (!summary || summary.heirs === 0) return;
  const heirs = heirsOf(linksOf(await listEvidence(store))).slice(0, MAX_DAYS);
  const changed: UtcDay[] = [];
  for (const heir of heirs) if (await putFinality(store, heir)) changed.push(heir.day);
  if (changed.length > 0) await refreshCoverage(store, from, changed);
}
