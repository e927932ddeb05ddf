import uPlot from 'uplot';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const scientific = new Intl.NumberFormat('en', { notation: 'scientific', maximumSignificantDigits: 3 });

/** Formats a tick of the value axis. uPlot passes null for a tick without a label. */
export function formatTickValue(value: number | null): string {
  if (value === null) return '';
  if (value >= 10_000) return compact.format(value);
  // The axis has no room for more zeros.
  const { format } = value > 0 && value < 0.0001 ? scientific : plain;
  return format(value);
}

/** Returns the range of the value axis. A linear one starts at 0, so that heights compare. */
export function axisRange(
  min: number | null,
  max: number | null,
  isLog: boolean,
): [number | null, number | null] {
  if (min === null || max === null) return isLog ? [1, 10] : [0, 1];
  if (isLog) return uPlot.rangeLog(min, max, 10, false);
  return [0, max === 0 ? 1 : max * 1.06];
}
