import { hash } from 'node:crypto';
import type { Chain } from '../../core/chains/chains.ts';
import { startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import type { ArchiveFile } from '../../core/store/days/archives.ts';
import { formatCount } from '../print.ts';
import type { ArchiveRow } from './row.ts';

/*
 * The draw of ranges, and what it supports. Each range has a rank, the hash of the seed and its first block, and the lowest ranks of each
 * stratum are drawn: a simple random sample without replacement, which nobody can choose.
 */

/** Enough to find a fault that spoils 37% of a stratum, with 99% confidence. */
const MIN_OF_STRATUM = 10;

/** @param blockHash of the block that draws: `draw.ts` */
export const seedOf = (fileSha256: string, blockHash: string): string =>
  hash('sha256', `${fileSha256}${blockHash}`);

/** Draws units by the lowest hash of the seed and their name. */
export const drawUnits = <Unit>(
  seed: string,
  units: readonly Unit[],
  count: number,
  nameOf: (unit: Unit) => string | number,
): Unit[] =>
  units
    .map((unit) => ({
      unit,
      rank: Number.parseInt(hash('sha256', `${seed} ${nameOf(unit)}`).slice(0, 12), 16),
    }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ unit }) => unit);

type Draw = Pick<ArchiveFile['draws'][number], 'seed' | 'ranges' | 'days'>;

/**
 * Draws ranges of each stratum, its share and at least ten, and complete days.
 * @param draws the smallest numbers that each adds to the draws before it
 * @param equal the first blocks of the ranges that were found equal
 * @returns the drawn rows that are left to compare; and what was drawn at random, to which the ranges of complete days do not belong
 */
export function drawRows(
  chain: Chain,
  rows: readonly ArchiveRow[],
  { draws, equal }: { readonly draws: readonly Draw[]; readonly equal: readonly number[] },
) {
  const strata = Map.groupBy(rows, (row) => stratumOf(chain, row));
  const dates = [...new Set(rows.map(({ date }) => date))];
  const random = new Set<ArchiveRow>();
  const days = new Set<UtcDay>();
  for (const { seed, ranges, days: wholeDays } of draws) {
    const others = dates.filter((date) => !days.has(date));
    for (const day of drawUnits(seed, others, wholeDays, (date) => date)) days.add(day);
    const all = Math.max(rows.length - random.size, 1);
    for (const of of strata.values()) {
      const left = of.filter((row) => !random.has(row));
      const share = Math.ceil((ranges * left.length) / all);
      const count = Math.max(share, Math.min(ranges, MIN_OF_STRATUM));
      for (const row of drawUnits(seed, left, count, ({ first }) => first)) random.add(row);
    }
  }
  const known = new Set(equal);
  return {
    left: rows.filter((row) => (random.has(row) || days.has(row.date)) && !known.has(row.first)),
    strata: [...strata].map(([name, of]) => {
      return { name, drawn: of.filter((row) => random.has(row)).length, of: of.length };
    }),
    days: { drawn: days.size, of: dates.length },
  };
}

/** Returns the year and the rules of a range. A wrong rule spoils nearly all of a stratum, so that few draws find it. */
function stratumOf({ rules }: Chain, { date, first }: Pick<ArchiveRow, 'date' | 'first'>): string {
  const year = date.slice(0, 4);
  if (rules.family === 'polygon')
    return `${year} ${first < rules.stateSyncTypeFrom ? 'before' : 'after'} state-sync type`;
  const times = forkTimesOf(rules);
  const past = times.filter((time) => startOfDay(date) >= time).length;
  return times.length === 0 ? year : `${year} after ${past} of ${times.length} forks`;
}

function forkTimesOf(rules: Chain['rules']): readonly number[] {
  if ('blobSchedule' in rules) return rules.blobSchedule.map(({ from }) => from);
  if (rules.family !== 'op-stack') return [];
  return [rules.canyonTime, rules.ecotoneTime, rules.fjordTime, rules.isthmusTime, rules.jovianTime];
}

/** The size of a stratum, and the number of its units that were drawn and found equal. */
export interface Sampled {
  readonly drawn: number;
  readonly of: number;
}

export const sumOf = (strata: readonly Sampled[], name: keyof Sampled): number =>
  strata.reduce((sum, one) => sum + one[name], 0);

/**
 * Returns the largest number of differing units that the sample may have missed. A sample with the fraction f of each stratum, or more,
 * misses k of them with a probability of at most (1 − f)^k, however they are spread, and those that it may miss were not drawn.
 * @param confidence such as 0.95
 */
export function maxDiffering(strata: readonly Sampled[], confidence: number): number {
  const fraction = Math.min(...strata.map(({ drawn, of }) => drawn / of));
  const found = Math.ceil(Math.log(1 - confidence) / Math.log1p(-fraction) + 1e-9);
  return Math.min(found - 1, sumOf(strata, 'of') - sumOf(strata, 'drawn'));
}

/**
 * Returns the sentence that equal units support. It speaks of units alone: with R ranges a day, p of them may spoil up to pR of the days.
 * @param confidence such as 0.95
 */
export function statementOf(strata: readonly Sampled[], confidence: number, unit: string): string {
  const [drawn, all] = [sumOf(strata, 'drawn'), sumOf(strata, 'of')];
  const equal = `${formatCount(drawn)} of ${formatCount(drawn)} ${unit}s drawn from ${formatCount(all)} were equal`;
  if (drawn === all) return `${equal}: none differs.`;
  const most = maxDiffering(strata, confidence);
  // Rounded up, so that the sentence never claims more than the bound.
  const percent = Math.ceil((most / all) * 1_000) / 10;
  return `${equal}: with ${Math.round(confidence * 1_000) / 10}% confidence at most ${percent}% of the ${unit}s differ (${formatCount(most)}).`;
}
