import * as z from 'zod/mini';
import type { UtcDay } from '../../figures/calendar.ts';
import type { BlockEvidence } from '../../figures/day-figures.ts';
import { integer, optionalInteger } from './shared-attributes.ts';

/** Sums over all final days, those before `from` included. */
export interface Summary {
  readonly firstDay: UtcDay;
  /** Time at which the last final day became final, ISO 8601. */
  readonly lastFinalAt: string;
  /** `archived` is absent where there is none. */
  readonly daysByEvidence: Readonly<Record<BlockEvidence, number>> & {
    readonly archived?: number | undefined;
  };
  /** The number of days that may inherit better evidence of finality from the day after them. */
  readonly heirs: number;
}

export const summarySchema = z.object({
  first_day: z.string(),
  last_final_at: z.string(),
  days_by_evidence: z.object({ proven: integer, checked: integer, archived: optionalInteger }),
  heirs: integer,
});

type SummaryAttributes = z.output<typeof summarySchema>;

export const summaryOf = (summary: SummaryAttributes): Summary => ({
  firstDay: summary.first_day,
  lastFinalAt: summary.last_final_at,
  daysByEvidence: summary.days_by_evidence,
  heirs: summary.heirs,
});

export const toSummaryAttributes = (summary: Summary): SummaryAttributes => ({
  first_day: summary.firstDay,
  last_final_at: summary.lastFinalAt,
  days_by_evidence: summary.daysByEvidence,
  heirs: summary.heirs,
});
