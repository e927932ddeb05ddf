import { createHash } from 'node:crypto';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { pluralize } from '../print.ts';

interface ChainDay {
  readonly chain: string;
  readonly day: UtcDay;
}

/**
 * Draws random days, deterministic for a seed. Each day is ranked independently, so the ranking of the others stays the same
 * when more days become final, and an interrupted sample can continue.
 */
export function drawDays<Day extends ChainDay>(days: readonly Day[], seed: number, count: number): Day[] {
  return days
    .map((day) => ({ day, rank: rankOf(day, seed) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ day }) => day);
}

const rankOf = ({ chain, day }: ChainDay, seed: number) =>
  createHash('sha256').update(`${seed} ${chain} ${day}`).digest('hex');

/**
 * Returns a sample without its first days.
 * @throws CommandError when no day remains
 */
export function skipDays<Day>(sample: readonly Day[], skip: number): readonly Day[] {
  if (skip < sample.length) return sample.slice(skip);
  throw new CommandError(
    `--skip ${skip} leaves none of the ${pluralize(sample.length, 'sampled day')}. Skip fewer, or increase --sample.`,
    exitCodes.usage,
  );
}
