/** A measurement compared with a baseline from the same run: one line of the results. */
export interface Ratio {
  readonly what: string;
  /** The measured value and the baseline with their units, such as `0.12 ms` and `41 ms`. */
  readonly ours: string;
  readonly other: string;
  /** The quotient that `bound` limits. */
  readonly ratio: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

export const isWithinBound = ({ ratio, bound }: Ratio): boolean =>
  'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted.length % 2 === 1 ? upper : sorted[middle - 1];
  if (upper === undefined || lower === undefined) throw new Error('The median of no values is undefined.');
  return (lower + upper) / 2;
}
