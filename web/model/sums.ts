import { type Amount, changeFrom, compareAmounts, sumAmounts, toNumber } from './amounts.ts';

export type Total = NonNullable<ReturnType<typeof totalOf>>;

/** Sums figures; undefined, which is not 0, where there is none. */
export function totalOf(amounts: readonly (Amount | undefined)[], dates: readonly string[]) {
  const known = amounts.flatMap((amount, index) =>
    amount === undefined ? [] : [{ amount, date: dates[index] ?? '' }],
  );
  const [peak] = known.toSorted((a, b) => compareAmounts(b.amount, a.amount));
  return peak && { sum: sumAmounts(known.map(({ amount }) => amount)), count: known.length, peak };
}

/** In whole units of an amount. */
export const meanOf = ({ sum, count }: Pick<Total, 'sum' | 'count'>): Amount => sum / BigInt(count);

/** The place of a chain among others. Chains that have the same number of figures are ranked by their sums, others by their means. */
export interface Ranked {
  /** From 1. */
  readonly place: number;
  /** Fraction of all chains. */
  readonly share: number;
  readonly basis: 'sum' | 'mean';
}

/** Ranks chains, the highest first. Those without a figure come last, and have no place. */
export function rankedBy<T extends { readonly total: Total | undefined }>(chains: readonly T[]) {
  const counts = new Set(chains.flatMap(({ total }) => total?.count ?? []));
  const basis = counts.size > 1 ? 'mean' : 'sum';
  const basisOf = ({ total }: T): Amount => (!total ? -1n : basis === 'sum' ? total.sum : meanOf(total));
  const all = sumAmounts(chains.map(basisOf).filter((amount) => amount > 0n));
  return chains
    .toSorted((a, b) => compareAmounts(basisOf(b), basisOf(a)))
    .map((chain, index) => {
      if (!chain.total || all === 0n) return chain;
      return { ...chain, rank: { place: index + 1, share: toNumber(basisOf(chain)) / toNumber(all), basis } };
    });
}

export type Span = ReturnType<typeof spanOf>;

export function spanOf(days: readonly (Amount | undefined)[], before: readonly (Amount | undefined)[] = []) {
  const known = days.filter((amount) => amount !== undefined);
  const earlier = before.filter((amount) => amount !== undefined);
  const sum = known.length === 0 ? undefined : sumAmounts(known);
  const mean = sum === undefined ? undefined : meanOf({ sum, count: known.length });
  const isWhole = before.length > 0 && known.length === days.length && earlier.length === before.length;
  const meanBefore = isWhole ? meanOf({ sum: sumAmounts(earlier), count: earlier.length }) : undefined;
  return {
    sum,
    /** Mean of the days that have a figure. */
    mean,
    have: known.length,
    of: days.length,
    /** Change of the mean as a fraction; undefined unless all days of both have a figure. */
    change: mean === undefined || meanBefore === undefined ? undefined : changeFrom(meanBefore, mean),
  };
}

/** Returns, for each day, the mean of it and the six days before, in whole units; undefined unless all seven have a figure. */
export const weekAverages = (amounts: readonly (Amount | undefined)[]): (Amount | undefined)[] =>
  amounts.map((_, index) => {
    const week = amounts.slice(Math.max(0, index - 6), index + 1).filter((one) => one !== undefined);
    return week.length === 7 ? sumAmounts(week) / 7n : undefined;
  });
