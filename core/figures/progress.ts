import type { BlockRef, SummedBlock } from './block.ts';
import { addDays, HOURS_PER_DAY, SECONDS_PER_HOUR, startOfDay, type UtcDay } from './calendar.ts';
import type { DayDetails, DayFigures, Provenance } from './day-figures.ts';
import { type DollarSums, joinDollars } from './dollars.ts';
import { countFees, NO_FEE_COUNTS } from './fee-buckets.ts';
import { addTotals, NO_TOTALS } from './totals.ts';

/** The parent hash of genesis. */
export const NO_PARENT = `0x${'0'.repeat(64)}`;

/**
 * Returns the progress of a day without blocks.
 * @param before the last block before the day; with its host if it was searched for; absent when the day begins with genesis
 */
export const startDayProgress = (day: UtcDay, before: DayProgress['last']): DayProgress => ({
  day,
  parentHash: before?.hash ?? NO_PARENT,
  last: before && { number: before.number, hash: before.hash, host: before.host },
  notBefore: startOfDay(day),
  totals: NO_TOTALS,
  hours: Array.from({ length: HOURS_PER_DAY }, () => NO_TOTALS),
  feeCounts: NO_FEE_COUNTS,
  provenBlocks: 0,
  hosts: [],
});

/** Returns whether a block belongs to a later day, so that the day is complete. */
export const isAfter = ({ day }: DayProgress, { timestamp }: SummedBlock): boolean =>
  timestamp >= startOfDay(addDays(day, 1));

/** Returns the progress after the day's next block. */
export function advance(progress: DayProgress, block: SummedBlock): DayProgress {
  const { day, first, totals, hours, feeCounts, dollars, provenBlocks, hosts } = progress;
  const { number, hash, timestamp, host } = block;
  const { fees } = block.totals;
  const hasPriceOfRule = block.isProven && (fees.blob > 0n || fees.l1Data > 0n);
  const hour = Math.floor((timestamp - startOfDay(day)) / SECONDS_PER_HOUR);
  return {
    ...progress,
    first: first ?? { number, hash },
    last: { number, hash, host },
    notBefore: timestamp,
    totals: addTotals(totals, block.totals),
    hours: hours.with(hour, addTotals(hours[hour] ?? NO_TOTALS, block.totals)),
    feeCounts: countFees(feeCounts, block.feeBuckets),
    dollars: dollars && addDollars(dollars, block),
    provenBlocks: provenBlocks + (block.isProven ? 1 : 0),
    hosts: hosts.includes(host) ? hosts : [...hosts, host].toSorted(),
    ...(hasPriceOfRule && { priceToCompare: block.isPriceStated ? undefined : number }),
  };
}

/** Adds the dollars of a block. If the block is not proven, its day has no dollars. */
const addDollars = (sums: DollarSums, { number, dollars }: SummedBlock): DollarSums =>
  dollars ? joinDollars(sums, dollars) : { ...sums, doubt: sums.doubt ?? `not proven: block ${number}` };

/** The state of reading a day: everything that a later run needs to continue. The day has no `first` block until one is read. */
export interface DayProgress
  extends DayDetails,
    Pick<DayFigures, 'day' | 'parentHash' | 'first' | 'totals'>,
    Pick<Provenance, 'hosts' | 'provenBlocks'> {
  /** The last block read, with its host. Until the day's first block is read, it is of an earlier day. Absent only before genesis. */
  readonly last?: (BlockRef & { readonly host?: string | undefined }) | undefined;
  /** Lowest valid timestamp of the next block, in seconds. */
  readonly notBefore: number;
  /** The last block with a price of blobs or of L1 data that no receipt has confirmed; absent if receipts state it. */
  readonly priceToCompare?: number | undefined;
}
