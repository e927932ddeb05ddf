import { createHash } from 'node:crypto';

/*
 * The draw of ranges, and what it supports. Each range has a rank, the hash of the seed and its first block, and the lowest ranks of each
 * stratum are drawn: a simple random sample without replacement, which nobody can choose.
 */

/** Enough to find a fault that spoils 37 % of a stratum, with 99 % confidence. */
const MIN_OF_STRATUM = 10;

/** @param blockHash of the newest final block at the time of the draw */
export const seedOf = (fileSha256: string, blockHash: string): string => sha256(`${fileSha256}${blockHash}`);

export const rankOf = (seed: string, unit: number | string): string => sha256(`${seed} ${unit}`);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns how many of each stratum to draw: its share of `wanted`, and at least ten. @param left the units that are not drawn yet */
export function allocate(left: ReadonlyMap<string, number>, wanted: number): ReadonlyMap<string, number> {
  const all = [...left.values()].reduce((sum, units) => sum + units, 0);
  return new Map(
    [...left].map(([name, units]) => {
      const share = Math.ceil((wanted * units) / Math.max(all, 1));
      return [name, Math.min(units, Math.max(share, Math.min(wanted, MIN_OF_STRATUM)))];
    }),
  );
}

export function lowestRanks<Unit>(count: number) {
  let kept: { readonly rank: string; readonly unit: Unit }[] = [];
  const cut = () => {
    kept = kept.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, count);
  };
  return {
    add: (rank: string, unit: Unit): void => {
      kept.push({ rank, unit });
      // Sorting seldom costs less than keeping the list sorted.
      if (kept.length > 2 * count + 64) cut();
    },
    end: (): Unit[] => {
      cut();
      return kept.map(({ unit }) => unit);
    },
  };
}

/** The size of a stratum, and the number of its units that were drawn and found equal. */
export interface Sampled {
  readonly drawn: number;
  readonly of: number;
}

/**
 * Returns the smallest number of differing units that the sample finds with this confidence, however they are spread over the strata. A
 * stratum with k of them is missed with probability C(N − k, n) / C(N, n), and the liar puts each where it is missed most easily: the
 * logarithm is concave in k, so taking the best place for one after another is the best for all.
 * @param confidence such as 0.95
 */
export function detectable(strata: readonly Sampled[], confidence: number): number {
  const limit = Math.log(1 - confidence) - 1e-9;
  const left = strata.map(({ drawn, of }) => ({ drawn, of, hidden: 0 }));
  let missed = 0;
  for (let differing = 1; ; differing++) {
    let best: (typeof left)[number] | undefined;
    let gain = Number.NEGATIVE_INFINITY;
    for (const stratum of left) {
      const { drawn, of, hidden } = stratum;
      const step = Math.log(Math.max(0, of - drawn - hidden) / (of - hidden));
      if (step > gain) [best, gain] = [stratum, step];
    }
    missed += gain;
    if (!best || missed <= limit) return differing;
    best.hidden++;
  }
}

/**
 * Returns the sentence that equal units support. It speaks of units alone: with R ranges a day, p of them may spoil up to pR of the days.
 * @param confidence such as 0.95
 * @param unit singular
 */
export function statementOf(strata: readonly Sampled[], confidence: number, unit: string): string {
  const sum = (of: (one: Sampled) => number) => strata.reduce((total, one) => total + of(one), 0);
  const [drawn, all] = [sum((one) => one.drawn), sum((one) => one.of)];
  const count = (value: number) => value.toLocaleString('en-US');
  const equal = `${count(drawn)} of ${count(drawn)} ${unit}s drawn from ${count(all)} were equal`;
  if (drawn === all) return `${equal}: none differs.`;
  const most = detectable(strata, confidence) - 1;
  // Rounded up, so that the sentence never claims more than the bound.
  const percent = Math.ceil((most / all) * 1_000) / 10;
  return `${equal}: with ${Math.round(confidence * 1_000) / 10} % confidence at most ${percent} % of the ${unit}s differ (${count(most)}).`;
}
