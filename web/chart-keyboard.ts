import type uPlot from 'uplot';
import { SECONDS_PER_DAY } from '../lambda/chains/utc-day.ts';
import type { Zoom } from './chart.ts';

/** Days that each key moves the cursor by. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -7,
  PageDown: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Factors that each key scales the visible range by. */
const factors: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2, '−': 2 };

/** Lets the keyboard move the cursor and zoom while a chart has the focus. */
export function addKeyboardControls(chart: uPlot, setZoom: (zoom: Zoom | undefined) => void): void {
  chart.root.parentElement?.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key in steps) moveCursor(chart, steps[key] ?? 0);
    else if (key in factors) setZoom(scaledZoom(chart, factors[key] ?? 1));
    else if (key === 'Escape' || key === '0') setZoom(undefined);
    else return;
    event.preventDefault();
  });
}

const visibleRange = ({ scales: { x } }: uPlot): Zoom => ({ min: x?.min ?? 0, max: x?.max ?? 0 });

function moveCursor(chart: uPlot, step: number): void {
  const days = Array.from(chart.data[0], Number);
  const { min, max } = visibleRange(chart);
  const [first, last] = [days.findIndex((day) => day >= min), days.findLastIndex((day) => day <= max)];
  const from = chart.cursor.idx ?? (step < 0 ? last + 1 : first - 1);
  const day = days[Math.max(first, Math.min(last, from + step))] ?? 0;
  chart.setCursor({ left: chart.valToPos(day, 'x'), top: 0 });
}

/** Returns a scaled range around the cursor, or around the middle, or undefined when it contains all days. */
function scaledZoom(chart: uPlot, factor: number): Zoom | undefined {
  const days = Array.from(chart.data[0], Number);
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const { min, max } = visibleRange(chart);
  const center = days[chart.cursor.idx ?? -1] ?? (min + max) / 2;
  const half = Math.max(SECONDS_PER_DAY, ((max - min) / 2) * factor);
  const zoom = { min: Math.max(first, center - half), max: Math.min(last, center + half) };
  return zoom.min === first && zoom.max === last ? undefined : zoom;
}
