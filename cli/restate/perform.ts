import { addDays, type UtcDay } from '../../lambda/chains/utc-day.ts';
import { getDay } from '../../lambda/store/days.ts';
import { listRestatements } from '../../lambda/store/restatements.ts';
import { type DayResult, type DayWork, ingestDayFully } from '../ingest-day.ts';

/** The result of a restatement: the days that were read again, or the day at which it stopped. */
export type Performed =
  | { readonly state: 'restated'; readonly days: readonly UtcDay[] }
  | (Exclude<DayResult, { readonly state: 'final' }> & { readonly day: UtcDay });

/**
 * Performs the requested restatement of a day. When it moves the day's end, the following day was requested too, and is
 * performed too, and so on.
 */
export async function performRestatement(work: DayWork, first: UtcDay): Promise<Performed> {
  const { store } = work.served;
  const endOf = async (day: UtcDay) => (await getDay(store, day))?.last.hash;
  const days: UtcDay[] = [];
  for (let day = first; ; day = addDays(day, 1)) {
    const before = await endOf(day);
    const result = await ingestDayFully(work, day);
    if (result.state !== 'final') return { ...result, day };
    days.push(day);
    const isNextRequested = (await listRestatements(store, addDays(day, 1))).length > 0;
    if ((await endOf(day)) === before || !isNextRequested) return { state: 'restated', days };
  }
}
