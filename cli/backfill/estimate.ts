import { formatCount, formatDuration, formatRate, formatTable } from '../print.ts';

export interface Workload {
  readonly days: number;
  readonly blocks: number;
  readonly daysAtOnce: number;
  /** Blocks per second of each day that is ingested. */
  readonly blocksPerSecond: number;
}

export interface Estimate {
  /** Over all days ingested at once. */
  readonly blocks_per_second: number;
  readonly seconds: number;
  /** Run time of the ingest function, over all days. */
  readonly function_hours: number;
}

/** What an operator pays, in any currency. */
export interface Prices {
  readonly pricePerHour?: number;
  readonly pricePerMillionCalls?: number;
}

/** The ingest reads a header and receipts for each block. */
export const CALLS_PER_BLOCK = 2;
/** A run ends 15 seconds before the function's timeout of five minutes. */
const RUN_S = 285;
/** Assumed time to probe the endpoints and read the checkpoint, per run. */
const RUN_START_S = 1;
/** Assumed time to find the first block of a day. */
const SEARCH_S = 5;

export function estimate({ days, blocks, daysAtOnce, blocksPerSecond }: Workload): Estimate {
  const readingS = blocks === 0 ? 0 : blocks / days / blocksPerSecond;
  const runs = Math.max(1, Math.ceil(readingS / RUN_S));
  const secondsPerDay = SEARCH_S + readingS + runs * RUN_START_S;
  return {
    blocks_per_second: blocksPerSecond * Math.min(daysAtOnce, days),
    seconds: secondsPerDay * Math.ceil(days / daysAtOnce),
    function_hours: (secondsPerDay * days) / 3_600,
  };
}

/**
 * Estimates a range, since a sample cannot show how endpoints behave under load: at best they sustain the measured rate for
 * each day in parallel, at worst for all days together.
 * @param speed measured blocks per second
 */
export function estimateRange({
  speed,
  ...work
}: Omit<Workload, 'blocksPerSecond'> & { readonly speed: number }): {
  readonly best: Estimate;
  readonly worst: Estimate;
} {
  const shared = speed / Math.min(work.daysAtOnce, work.days);
  return {
    best: estimate({ ...work, blocksPerSecond: speed }),
    worst: estimate({ ...work, blocksPerSecond: shared }),
  };
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

const formatCost = (cost: number): string =>
  cost < 0.01 ? '<0.01' : cost < 100 ? cost.toFixed(2) : formatCount(Math.round(cost));
