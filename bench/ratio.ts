/** Something measured against its floor, in the same run: a line of the table. */
export interface Ratio {
  readonly what: string;
  /** What was measured and what it is compared with, with their units, such as `0.12 ms` and `41 ms`. */
  readonly ours: string;
  readonly other: string;
  /** How ours stands to the other, as `bound` means it. */
  readonly ratio: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
}

export const isKept = ({ ratio, bound }: Ratio): boolean =>
  'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted.length % 2 === 1 ? upper : sorted[middle - 1];
  if (upper === undefined || lower === undefined) throw new Error('the median of no values');
  return (lower + upper) / 2;
}
