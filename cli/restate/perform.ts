import { addDays, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { listRestatements } from '../../lambda/store/restatements.ts';
import { type DayResult, type DayWork, ingestDayFully } from '../ingest-day.ts';

/** The result of a restatement: the days that were read again, or the day at which it stopped. */
export type Performed =
  | { readonly state: 'restated'; readonly days: readonly UtcDay[] }
  | (Exclude<DayResult, { readonly state: 'final' }> & { readonly day: UtcDay });

/** Performs the requested restatement of a day, and of each following day that needs it because the end of the day before moved. */
export async function performRestatement(work: DayWork, first: UtcDay): Promise<Performed> {
  const isPending = async (day: UtcDay) => (await listRestatements(work.served.store, day)).length > 0;
  const days: UtcDay[] = [];
  for (let day = first; days.length === 0 || (await isPending(day)); day = addDays(day, 1)) {
    const result = await ingestDayFully(work, day);
    if (result.state !== 'final') return { ...result, day };
    days.push(day);
  }
  return { state: 'restated', days };
}
