import { formatDuration, formatRate, formatTable } from '../print.ts';

interface Workload {
  readonly days: number;
  readonly blocks: number;
  readonly daysAtOnce: number;
  /** Measured blocks per second. */
  readonly speed: number;
}

type Estimate = ReturnType<typeof estimateRange>['best'];

/** Prices in any currency. */
export interface Prices {
  readonly pricePerHour?: number;
  readonly pricePerMillionCalls?: number;
}

/** The ingest reads a header and receipts for each block. */
export const CALLS_PER_BLOCK = 2;

/**
 * Estimates best and worst case, since a sample cannot show how endpoints behave under load: at best they sustain the measured
 * rate for each day in parallel, at worst for all days together.
 */
export function estimateRange({ days, blocks, daysAtOnce, speed }: Workload) {
  const parallel = Math.min(daysAtOnce, days);
  const estimate = (rate: number) => {
    const seconds = blocks === 0 ? 0 : blocks / rate;
    // The rate and the run time of the ingest function are those of all days together.
    return { blocks_per_second: rate, seconds, function_hours: (seconds * parallel) / 3_600 };
  };
  return { best: estimate(speed * parallel), worst: estimate(speed) };
}

/**
 * Returns the cost of the ingest function and the calls; what has no price counts as free.
 * @returns undefined without any price
 */
export function costOf(
  { best, worst }: ReturnType<typeof estimateRange>,
  calls: number,
  { pricePerHour, pricePerMillionCalls }: Prices,
): { readonly best: number; readonly worst: number } | undefined {
  if (pricePerHour === undefined && pricePerMillionCalls === undefined) return undefined;
  const cost = ({ function_hours }: Estimate) =>
    function_hours * (pricePerHour ?? 0) + (calls / 1_000_000) * (pricePerMillionCalls ?? 0);
  return { best: cost(best), worst: cost(worst) };
}

export function showEstimates(
  { best, worst }: ReturnType<typeof estimateRange>,
  cost: ReturnType<typeof costOf>,
): string {
  const row = (title: string, show: (estimate: Estimate) => string) => [title, show(best), show(worst)];
  return formatTable(
    ['', 'at best', 'at worst'],
    [
      row('blocks/s', ({ blocks_per_second }) => formatRate(blocks_per_second)),
      row('duration', ({ seconds }) => formatDuration(seconds)),
      row('function hours', ({ function_hours }) => formatHours(function_hours)),
      ...(cost ? [['cost', formatCost(cost.best), formatCost(cost.worst)]] : []),
    ],
  );
}

const formatHours = (hours: number): string => (hours < 0.05 ? '<0.1' : formatRate(hours));

const formatCost = (cost: number): string => (cost < 0.01 ? '<0.01' : cost.toFixed(2));
