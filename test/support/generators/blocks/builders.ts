import { createHash } from 'node:crypto';
import { type BlockHeader, type BlockRef, reportedBy } from '#core/figures/block.ts';
import type { UtcDay } from '#core/figures/calendar.ts';
import type { DayFigures, Provenance } from '#core/figures/day-figures.ts';
import { mapMeasures } from '#core/figures/measures.ts';
import { type DayProgress, startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import type { FinalSums } from '#core/store/days/checkpoints.ts';

/** Returns a hash that depends only on the seed. */
export const hashOf = (seed: string | number): string =>
  `0x${createHash('sha256').update(String(seed)).digest('hex')}`;

/** Refers to a block whose hash depends only on its number. */
export const blockAt = (number: number): BlockRef => ({ number, hash: hashOf(number) });

export const addressOf = (seed: string | number): string => hashOf(seed).slice(0, 42);

export function header(given: Partial<BlockHeader> = {}): BlockHeader {
  return {
    number: 100,
    hash: hashOf('block 100'),
    parentHash: hashOf('block 99'),
    timestamp: 1_790_000_000,
    ...given,
  };
}

/** Figures of a day without blocks, after block 9. */
export const dayFigures = (day: UtcDay, given: Partial<DayFigures> = {}): DayFigures => ({
  day,
  totals: NO_TOTALS,
  parentHash: hashOf(9),
  last: blockAt(9),
  definitionVersion: 1,
  ...given,
});

/** The progress of a day with the blocks from `first` to `last`, each with a transaction. */
export const dayProgress = (day: UtcDay, first: number, last: number, refOf = blockAt) => ({
  ...startDayProgress(day, refOf(first - 1)),
  first: refOf(first),
  last: refOf(last),
  totals: { ...NO_TOTALS, transactions: last - first + 1 },
});

/** The figures of a complete day. */
export const figuresIn = ({ day, totals, parentHash, first, last = blockAt(0) }: DayProgress): DayFigures =>
  dayFigures(day, { totals, parentHash, first, last: { number: last.number, hash: last.hash } });

/** As archives have them. */
export const UNKNOWN_MEASURES = mapMeasures(() => undefined);

/** An arbitrary provenance. */
export const provenance = (given: Partial<Provenance> = {}): Provenance => ({
  softwareVersion: '0.0.0',
  ingestedAt: new Date('2026-11-21T00:05:00Z'),
  hosts: ['a.example'],
  evidence: 'proven',
  provenBlocks: 2,
  finality: reportedBy(['a.example', 'b.example']),
  ...given,
});

/** Returns the sums of a day as final ones that a host reported. */
export const finalSums = (progress: DayProgress, given: Partial<FinalSums> = {}): FinalSums => ({
  progress,
  finality: reportedBy(['a.example']),
  evidence: 'proven',
  headTime: progress.notBefore,
  ...given,
});
