/** The effect of a key on a chart. Indexes are those of its dates; a zoom without a range shows all of them. */
export type ChartKeyAction =
  | { readonly cursor: number | undefined }
  | { readonly pick: number }
  | { readonly zoom: readonly [first: number, last: number] | undefined };

/** Dates that each key moves the cursor by. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -7,
  PageDown: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Returns the action of a key while a chart has the focus, or undefined if it has none. */
export function chartKeyAction(
  key: string,
  count: number,
  cursor: number | undefined,
): ChartKeyAction | undefined {
  const last = count - 1;
  const step = steps[key];
  if (step !== undefined)
    return { cursor: Math.max(0, Math.min(last, (cursor ?? (step < 0 ? count : -1)) + step)) };
  if (key === 'Enter' || key === ' ') return { pick: cursor ?? last };
  if (key === '+' || key === '=') return { zoom: zoomIn(count, cursor ?? Math.floor(last / 2)) };
  if (key === '-' || key === '−' || key === 'Escape' || key === '0') return { zoom: undefined };
  return undefined;
}

/** Returns half of the dates around an index, at least two. */
function zoomIn(count: number, center: number): [first: number, last: number] {
  const half = Math.max(2, Math.ceil(count / 2));
  const first = Math.max(0, Math.min(count - half, center - Math.floor(half / 2)));
  return [first, Math.min(count - 1, first + half - 1)];
}
