import type { UtcDay } from '../figures/calendar.ts';

/** A day contradicts what is final. Nothing is overwritten; an operator must decide. */
export interface Conflict {
  readonly kind: 'conflict';
  /** The day whose figures may be wrong. */
  readonly day: UtcDay;
  readonly reason: string;
}

export const conflict = (day: UtcDay, reason: string): Conflict => ({ kind: 'conflict', day, reason });
