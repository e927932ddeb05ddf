/** Dates that each key moves the cursor by. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Returns the action of a key while a chart has the focus, or undefined if it has none. Indexes are those of its dates. */
export function chartKeyAction(key: string, count: number, cursor: number | undefined) {
  const last = count - 1;
  const step = steps[key];
  if (step !== undefined) return { cursor: Math.max(0, Math.min(last, (cursor ?? last) + step)) };
  if (key === 'Enter' || key === ' ') return { pick: cursor ?? last };
  return key === 'Escape' ? ('reset' as const) : undefined;
}
