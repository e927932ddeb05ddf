import { createHash } from 'node:crypto';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { pluralize } from '../print.ts';

interface ChainDay {
  readonly chain: string;
  readonly day: UtcDay;
}

/**
 * Random days, the same for the same seed. Each day has its place in the draw by itself, so one that becomes final later
 * hardly changes which others are drawn, and a sample can be gone on with.
 */
export function drawDays<Day extends ChainDay>(days: readonly Day[], seed: number, count: number): Day[] {
  return days
    .map((day) => ({ day, place: placeOf(day, seed) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, count)
    .map(({ day }) => day);
}

/**
 * The days of a draw that are left to verify.
 * @param skip how many were verified before
 * @throws CommandError when none is left
 */
export function withoutFirst<Day>(drawn: readonly Day[], skip: number): readonly Day[] {
  if (skip < drawn.length) return drawn.slice(skip);
  throw new CommandError(
    `--skip ${skip} leaves none of the ${pluralize(drawn.length, 'day')} that --sample draws: skip fewer, or draw more.`,
    exitCodes.usage,
  );
}

const placeOf = ({ chain, day }: ChainDay, seed: number) =>
  createHash('sha256').update(`${seed} ${chain} ${day}`).digest('hex');
