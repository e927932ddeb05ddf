import type { DayDetails, DayFigures, Provenance } from '../figures/day-figures.ts';
import type { Conflict } from './conflict.ts';

/** The figures of a day with what else is stored of it. */
export interface DayContent {
  readonly figures: DayFigures;
  readonly provenance: Provenance;
  readonly details: DayDetails;
}

/** The outcome of a publication. */
export type Published =
  | { readonly kind: 'published' }
  /** The day is final with other figures, or is not contiguous with the final days around it. */
  | Conflict
  /** The day was archived with other figures than these. It is restated, and its file is void. */
  | { readonly kind: 'archive refuted'; readonly conflict: Conflict };
