import { formatEther } from 'viem';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { DEFINITION_VERSION, type Provenance } from '#core/figures/day-figures.ts';
import { boundsOf, bucketOf } from '#core/figures/fee-buckets.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { SOFTWARE_VERSION } from '#core/software-version.ts';
import { type StoredDay, toDayItem } from '#core/store/days/day-item.ts';
import { randomFrom } from '#test/support/generators/random/random.ts';
import { type RandomChain, randomChain } from '#test/support/generators/random/random-chain.ts';

/** A chain of generated blocks with real hashes and the rules of the real chain, and its days. */
export interface KnownChain {
  readonly name: 'ETHEREUM' | 'BSC';
  readonly world: RandomChain;
  readonly days: readonly UtcDay[];
}

/** Families whose real rules have no fork within a random chain. */
const FAMILIES = { ETHEREUM: 'ethereum', BSC: 'bsc' } as const;

/** Complete days of each chain. */
const DAYS = 11;
/** The first days, which a backfill reads. The schedule reads the others. */
export const BACKFILL_DAYS = 6;

/** Seeds of usable chains. The search starts here, because most chains are not usable. */
const FIRST_SEED = { ETHEREUM: 0, BSC: 6 } as const;

/** Generates a chain whose days end two days before today. */
export async function knownChain(name: KnownChain['name'], today: UtcDay): Promise<KnownChain> {
  const firstDay = addDays(today, -1 - DAYS);
  const days = Array.from({ length: DAYS }, (_, index) => addDays(firstDay, index));
  for (let seed: number = FIRST_SEED[name]; ; seed++) {
    const span = { firstDay, days: DAYS, keepsRules: true };
    const world = await randomChain(FAMILIES[name], randomFrom(seed, name), span);
    if (isUsable(world, days)) return { name, world, days };
  }
}

function isUsable(world: RandomChain, days: readonly UtcDay[]): boolean {
  // The false day of the backfill has blocks, and so have the days around it.
  const nearby = days.slice(BACKFILL_DAYS - 2, BACKFILL_DAYS + 1);
  return nearby.every((day) => expectedDay(world, day).blocks > 1);
}

function expectedDay({ expected }: RandomChain, day: UtcDay) {
  const found = expected.get(day);
  if (!found) throw new Error(`The generated chain has no figures of ${day}.`);
  return found;
}

/** Returns the rows that the endpoints serve for some days, without the members that depend on the run of the ingest. */
export const expectedRows = ({ world }: KnownChain, days: readonly UtcDay[]) => {
  const figures = days.map((date) => ({ date, ...expectedDay(world, date) }));
  return {
    transaction_count: figures.map(({ date, transactions }) => ({ date, transaction_count: transactions })),
    fees: figures.map(({ date, fees }) => ({ date, fees: formatEther(totalFees(fees)) })),
    days: figures.map((day) => ({
      date: day.date,
      transaction_count: day.transactions,
      user_transaction_count: day.transactions - day.protocolTransactions,
      protocol_transaction_count: day.protocolTransactions,
      fees: formatEther(totalFees(day.fees)),
      execution_fees: formatEther(day.fees.execution),
      l1_data_fees: formatEther(day.fees.l1Data),
      operator_fees: formatEther(day.fees.operator),
      blob_fees: formatEther(day.fees.blob),
      block_count: day.blocks,
      ...(day.first && { first_block: day.first }),
      last_block: day.last,
      ...measuresOf(day),
      ...typicalFees(day),
    })),
    distribution: figures.flatMap(({ date, feeCounts }) =>
      sortedCounts(feeCounts).map(([from, count]) => ({
        date,
        ...amountsOf(from),
        transaction_count: count,
      })),
    ),
  };
};

type ExpectedDay = ReturnType<typeof expectedDay>;

/** Returns the measures of a day that its blocks state. */
function measuresOf({ fees, measures }: Pick<ExpectedDay, 'fees' | 'measures'>) {
  const { gasUsed, failedTransactions, priorityFees, blobs } = measures;
  return {
    // Only Arbitrum counts any twice.
    retryable_double_count: '0',
    ...(gasUsed !== undefined && { gas_used: String(gasUsed) }),
    ...(failedTransactions !== undefined && { failed_transaction_count: Number(failedTransactions) }),
    ...(blobs !== undefined && { blob_count: Number(blobs) }),
    ...(priorityFees !== undefined && {
      priority_fees: formatEther(priorityFees),
      base_fees: formatEther(fees.execution - priorityFees),
    }),
  };
}

const sortedCounts = (counts: ExpectedDay['feeCounts']) =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));

function amountsOf(fee: bigint) {
  const { from, to } = boundsOf(bucketOf(fee));
  return { from: formatEther(from), to: formatEther(to) };
}

function typicalFees({ feeCounts }: ExpectedDay) {
  const each = sortedCounts(feeCounts).flatMap(([from, count]) => Array.from({ length: count }, () => from));
  const at = (percent: number) => amountsOf(each[Math.ceil((percent * each.length) / 100) - 1] ?? 0n);
  return each.length === 0 ? {} : { median_fee: at(50), p10_fee: at(10), p90_fee: at(90) };
}

/** Returns the rows of the hours of some days. */
export const expectedHours = ({ world }: KnownChain, days: readonly UtcDay[]) =>
  days.flatMap((date) =>
    expectedDay(world, date).hours.map(({ transactions, fees, ...hour }, index) => ({
      date: `${date}T${String(index).padStart(2, '0')}`,
      transaction_count: transactions,
      fees: formatEther(totalFees(fees)),
      block_count: hour.blocks,
      ...measuresOf({ fees, ...hour }),
    })),
  );

const DAYS_PER_WEEK = 7;

/** Returns the fees of the ISO weeks of which every day is in a list of contiguous days. */
export function expectedWeeks({ world }: KnownChain, days: readonly UtcDay[]) {
  const isMonday = (day: UtcDay) => new Date(day).getUTCDay() === 1;
  return days.flatMap((date, index) => {
    const week = days.slice(index, index + DAYS_PER_WEEK);
    if (!isMonday(date) || week.length < DAYS_PER_WEEK) return [];
    const sum = week.reduce((total, day) => total + totalFees(expectedDay(world, day).fees), 0n);
    return [{ date, fees: formatEther(sum) }];
  });
}

/** Returns a day as the table stores it. Nobody has proven it. */
export function storedDay({ name, world }: KnownChain, day: UtcDay): StoredDay {
  const { first, last, parentHash, provenBlocks: _, ...totals } = expectedDay(world, day);
  const provenance: Provenance = {
    softwareVersion: SOFTWARE_VERSION,
    ingestedAt: new Date(),
    hosts: ['generated.example'],
    evidence: 'checked',
    provenBlocks: 0,
    finality: reportedBy([]),
  };
  const figures = { day, totals, parentHash, first, last, definitionVersion: DEFINITION_VERSION };
  const item = toDayItem(figures, provenance, 1);
  return { ...item, chain: name, endpoint_hosts: [...item.endpoint_hosts], confirmed_by: [] };
}

/** Returns a false copy of a day: it begins one block early, so the day before cannot end where it should. */
export function falseDay(chain: KnownChain, date: UtcDay): StoredDay {
  const day = storedDay(chain, date);
  const { number, hash } = day.first_block ?? day.last_block;
  return {
    ...day,
    first_block: { number: number - 1, hash },
    block_count: day.block_count + 1,
    transaction_count: day.transaction_count + 1,
  };
}
