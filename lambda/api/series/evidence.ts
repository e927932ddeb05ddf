import * as z from 'zod/mini';
import { type BlockEvidence, evidences, isAsStrong } from '../../../core/figures/day-figures.ts';
import { dayReader } from '../../../core/store/days/day-reader.ts';
import type { Dated } from '../formats.ts';
import type { AnySeries, Series } from './series.ts';

/* The evidence of days, for series whose rows do not have it. It is read only where a stage has archived days, or a query asks for it. */

const createReader = () => dayReader({ evidence: z.enum(evidences) });

let reader: ReturnType<typeof createReader> | undefined;

/** Creates the schema at the first request that needs it, because it would slow every cold start. */
const readEvidence: ReturnType<typeof createReader> = (...range) => {
  reader ??= createReader();
  return reader(...range);
};

export const archivedDays: Series<Dated, Dated> = {
  read: async (store, first, last) => {
    const days = await readEvidence(store, first, last);
    return days.filter(({ evidence }) => evidence === 'archived');
  },
  rowsOf: (_, days) => days,
  columns: {},
};

/** Returns a series without the days whose evidence is weaker than a query demands. */
export const withEvidence = (series: AnySeries, least: BlockEvidence): AnySeries => ({
  ...series,
  read: async (store, first, last) => {
    // Before the figures: a day that is proven meanwhile may have had other ones.
    const known = await readEvidence(store, first, last);
    const days: readonly Dated[] = await series.read(store, first, last);
    const dates = new Set(known.flatMap(({ date, evidence }) => (isAsStrong(evidence, least) ? [date] : [])));
    return days.filter(({ date }) => dates.has(date));
  },
});
