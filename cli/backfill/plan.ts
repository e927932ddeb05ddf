import pMap from 'p-map';
import type { AnchoredNetwork } from '../../core/anchor/network.ts';
import { readBlock } from '../../core/blocks/nodes/read-block.ts';
import type { Chain, ChainName } from '../../core/chains/chains.ts';
import { findDayStart } from '../../core/days/find-day-start.ts';
import { addDays, earlier, later, startOfDay, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayProgress } from '../../core/figures/progress.ts';
import { asSentence } from '../../core/printable.ts';
import { queryDays } from '../../core/store/days/days.ts';
import { listWaitingDays } from '../../core/store/days/waiting-days.ts';
import { formatRange, groupIntoRanges, missingDays, yesterday } from '../day-ranges.ts';
import { probeChain, requestContext, upstreamsOf } from '../endpoints.ts';
import { CommandError, interrupted, usageError } from '../exit-codes.ts';
import type { DayOptions } from '../options.ts';
import { formatCount, formatDuration, formatRate, formatTable, pluralize, printNote } from '../print.ts';
import { startProgressBar } from '../progress.ts';
import type { ServedChain } from '../service.ts';

export interface RangeOptions extends DayOptions {
  readonly chain: ChainName;
}

/** Prices in any currency. */
export interface Prices {
  readonly pricePerHour?: number;
  readonly pricePerMillionCalls?: number;
}

/** The ingest reads a header and receipts for each block. */
export const CALLS_PER_BLOCK = 2;
/** The ingest reaches this concurrency on healthy endpoints. */
const CONCURRENCY = 32;
const SAMPLE_SIZE = 96;

/** Limits a range to the chain's first day and yesterday. @throws CommandError when no day remains */
export function backfillRange({ name, firstDay }: Chain, { startDate, endDate }: DayOptions) {
  if (startDate === undefined) throw usageError('Name the first day with --start-date.');
  const last = earlier(endDate ?? yesterday(), yesterday());
  const first = later(startDate, firstDay);
  if (first <= last) return { first, last };
  throw usageError(
    `No day of ${name} in this range is complete. Choose days from ${firstDay} to ${yesterday()} (UTC).`,
  );
}

/** Plans the ingest of the missing days of a range. @returns undefined when all that are finalized are final */
export async function planBackfill(served: ServedChain, options: RangeOptions, daysAtOnce: number) {
  const { first, last } = backfillRange(served.chain, options);
  const final = await queryDays(served.store, first, last);
  const finalDays = final.map(({ day }) => day);
  const missing = missingDays(first, last, finalDays);
  if (missing.length === 0) return undefined;
  printNote(
    `Counting the blocks of ${pluralize(missing.length, 'day')} of ${served.name}, and measuring the endpoints.`,
  );
  // Aborts the probe of slow endpoints when the plan is ready.
  const over = new AbortController();
  try {
    const context = requestContext(AbortSignal.any([interrupted, over.signal]));
    const probe = await probeChain(served, await upstreamsOf(served, undefined), context);
    if (probe.kind !== 'probed') throw notProvided(served.name, probe);
    const { network } = probe;
    const dates = missing.filter((day) => startOfDay(addDays(day, 1)) <= network.anchor.timestamp);
    if (dates.length === 0) return undefined;
    const waiting = (await listWaitingDays(served.store)).map(({ progress }) => progress);
    return await planDays(network, dates, [...final, ...waiting], daysAtOnce);
  } finally {
    over.abort();
  }
}

/** A day of which every block is read. */
type ReadDay = Pick<DayProgress, 'day' | 'totals'>;

async function planDays(
  network: AnchoredNetwork,
  dates: readonly UtcDay[],
  read: readonly ReadDay[],
  daysAtOnce: number,
) {
  const { blocks, numbers } = await countBlocks(network, dates, read);
  using progress = startProgressBar('blocks', numbers.length);
  const sample = await readSample(network, numbers, () => progress.add(1));
  const speed = sample.blocks / sample.seconds;
  return {
    chain: network.chain.name,
    // Finalized days that the table lacks, ascending.
    dates,
    days_at_once: daysAtOnce,
    // Exact, from block numbers.
    blocks,
    json_rpc_calls: blocks * CALLS_PER_BLOCK,
    // A few of these blocks, read to measure the speed.
    sample,
    estimate: estimateRange({ days: dates.length, blocks, daysAtOnce, speed }),
  };
}

/** Counts the blocks of dates, without days that are read already, and numbers some of them, evenly spaced. */
async function countBlocks(network: AnchoredNetwork, dates: readonly UtcDay[], read: readonly ReadDay[]) {
  const [firstDay = '', lastDay = firstDay] = [dates[0], dates.at(-1)];
  const first = await firstBlockOf(network, firstDay);
  const next = await firstBlockOf(network, addDays(lastDay, 1));
  const known = read
    .filter(({ day }) => day >= firstDay && day <= lastDay)
    .reduce((sum, { totals }) => sum + totals.blocks, 0);
  return { blocks: next - first - known, numbers: evenlySpaced(first, next - 1, SAMPLE_SIZE) };
}

/** Returns the number of the first block at or after the beginning of a day; after the anchor, that of the next block. */
async function firstBlockOf(network: AnchoredNetwork, day: UtcDay): Promise<number> {
  const found = await findDayStart(network, day, network.anchor);
  if (found.kind !== 'found') throw notProvided(network.chain.name, found);
  return (found.before?.number ?? -1) + 1;
}

const notProvided = (chain: string, { reason }: { readonly reason: string }) =>
  new CommandError(
    `Nothing was started: the endpoints of ${chain} do not provide the blocks. ${asSentence(reason)} ` +
      'Old days need archive nodes: docs/operate/settings.md#nodes-of-your-own.',
  );

const SPEED_SAMPLE_SIZE = 16;

/** Measures the blocks per second at some blocks of a range, evenly spaced. @throws CommandError when endpoints do not have them */
export async function measureSpeed(network: AnchoredNetwork, first: number, last: number): Promise<number> {
  const { blocks, seconds } = await readSample(network, evenlySpaced(first, last, SPEED_SAMPLE_SIZE));
  return blocks / seconds;
}

/** Reads some blocks and measures how long it takes. */
async function readSample(network: AnchoredNetwork, numbers: readonly number[], onBlock?: () => void) {
  const startedAt = performance.now();
  await pMap(
    numbers,
    async (number) => {
      const block = await readBlock(network, number);
      if (block.kind === 'no endpoint') throw notProvided(network.chain.name, block);
      onBlock?.();
    },
    { concurrency: CONCURRENCY },
  );
  return { blocks: numbers.length, seconds: (performance.now() - startedAt) / 1_000 };
}

export function evenlySpaced(first: number, last: number, count: number): number[] {
  const length = Math.max(0, last - first + 1);
  if (length <= count) return Array.from({ length }, (_, index) => first + index);
  return Array.from({ length: count }, (_, index) =>
    Math.round(first + (index * (last - first)) / (count - 1)),
  );
}

/**
 * Estimates best and worst case, since a sample cannot show how endpoints behave under load: at best they sustain the measured
 * rate for each day in parallel, at worst for all days together.
 * @param speed measured blocks per second
 */
export function estimateRange(workload: Record<'days' | 'blocks' | 'daysAtOnce' | 'speed', number>) {
  const { days, blocks, daysAtOnce, speed } = workload;
  const parallel = Math.min(daysAtOnce, days);
  const estimate = (rate: number) => {
    const seconds = blocks === 0 ? 0 : blocks / rate;
    // The rate and the run time of the ingest function are those of all days together.
    return { blocks_per_second: rate, seconds, function_hours: (seconds * parallel) / 3_600 };
  };
  return { best: estimate(speed * parallel), worst: estimate(speed) };
}

type Estimates = ReturnType<typeof estimateRange>;

/** Returns the cost of the ingest function and the calls; what has no price counts as free. @returns undefined without any price */
export function costOf({ best, worst }: Estimates, calls: number, prices: Prices) {
  const { pricePerHour, pricePerMillionCalls } = prices;
  if (pricePerHour === undefined && pricePerMillionCalls === undefined) return undefined;
  const cost = ({ function_hours }: Estimates['best']) =>
    function_hours * (pricePerHour ?? 0) + (calls / 1_000_000) * (pricePerMillionCalls ?? 0);
  return { best: cost(best), worst: cost(worst) };
}

function showEstimates({ best, worst }: Estimates, cost: ReturnType<typeof costOf>): string {
  const row = (title: string, show: (one: Estimates['best']) => string) => [title, show(best), show(worst)];
  const money = (value: number) => (value < 0.01 ? '<0.01' : value.toFixed(2));
  return formatTable(
    ['', 'at best', 'at worst'],
    [
      row('blocks/s', ({ blocks_per_second }) => formatRate(blocks_per_second)),
      row('duration', ({ seconds }) => formatDuration(seconds)),
      row('function hours', ({ function_hours: hours }) => (hours < 0.05 ? '<0.1' : formatRate(hours))),
      ...(cost ? [['cost', money(cost.best), money(cost.worst)]] : []),
    ],
  );
}

export function showPlan(plan: Awaited<ReturnType<typeof planDays>>, cost: ReturnType<typeof costOf>) {
  const { chain, dates, days_at_once, blocks, json_rpc_calls, sample, estimate } = plan;
  const ranges = groupIntoRanges(dates);
  const atOnce = Math.min(days_at_once, dates.length);
  const speed = formatRate(sample.blocks / sample.seconds);
  return [
    `${chain}: ${pluralize(dates.length, 'missing day')}, ${formatCount(blocks)} blocks, ${formatCount(json_rpc_calls)} JSON-RPC calls.`,
    ranges.length <= 8
      ? ranges.map(formatRange).join(', ')
      : `${ranges.length} ranges from ${dates[0]} to ${dates.at(-1)}`,
    `Days ingested at once: ${atOnce}.`,
    '',
    showEstimates(estimate, cost),
    '',
    `Measured from this machine: ${sample.blocks} of these blocks in ${sample.seconds.toFixed(1)} s, ${speed} blocks/s.`,
    'At best, the endpoints sustain this rate for each day at once; at worst, for all of them together. From AWS, it may differ.',
    'Starts of runs, retries, Step Functions and DynamoDB come on top: docs/operate/cost.md.',
  ].join('\n');
}
