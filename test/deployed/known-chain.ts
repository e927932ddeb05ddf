import { formatEther } from 'viem';
import { reportedBy } from '#core/figures/block.ts';
import { addDays, type UtcDay } from '#core/figures/calendar.ts';
import { DEFINITION_VERSION, type Provenance } from '#core/figures/day-figures.ts';
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
      // Only Arbitrum counts any twice.
      retryable_double_count: '0',
      block_count: day.blocks,
      ...(day.first && { first_block: day.first }),
      last_block: day.last,
    })),
  };
};

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
