import { createHash } from 'node:crypto';
import type { DayDetails } from '../../core/figures/day-details.ts';
import type { DayFigures } from '../../core/figures/day-figures.ts';
import { toDetailAttributes } from '../../core/store/attributes/detail-attributes.ts';
import { partsOfDay } from '../../core/store/days/compare-figures.ts';

/** A day with its details, which are undefined when it was imported without them. */
export interface DetailedDay extends DayFigures {
  readonly details?: DayDetails | undefined;
}

/** Returns the figures of a day by name. Its hours and its distribution are too many to show, so they are digests. */
export const partsOf = ({ details, ...figures }: DetailedDay) => ({
  ...partsOfDay(figures),
  hours: details && digestOf(toDetailAttributes(details).hours),
  distribution: details && digestOf(toDetailAttributes(details).fee_counts),
});

/** Returns the SHA-256 hash of a value, as hex. */
const digestOf = (value: unknown): string =>
  `0x${createHash('sha256')
    .update(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)))
    .digest('hex')}`;
