import { reportedBy } from '#core/figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { queryDays } from '#core/store/days/days.ts';
import { chainStore, type Table } from '#core/store/table/table.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import type { RawBlock } from '#test/support/generators/blocks/seal.ts';
import { publishDay } from '#test/support/tables/put-day.ts';
import { sampleChain, sampleSums } from './sample-chain.ts';

/** The first complete day of the sample blocks. */
export const DAY: UtcDay = '2026-11-18';

/** Returns a timestamp of a day after the first. */
export const at = (days: number, seconds: number): number => startOfDay(addDays(DAY, days)) + seconds;

/** Genesis the day before; blocks 1 to 4 on the first day, 5 to 7 on the second, none on the third, then 8 and 9. */
export const sampleTimes: readonly number[] = [
  at(-1, 80_000),
  ...[at(0, 0), at(0, 12), at(0, 12), at(0, 86_399)],
  ...[at(1, 5), at(1, 40_000), at(1, 80_000)],
  ...[at(3, 0), at(3, 12)],
];
export const sampleBlocks = sampleChain(sampleTimes);

/** The sample chain with a wrong gas price in a receipt of block 2, 1 wei instead of 2, which only a proof detects. */
export const oneWrongFee: readonly RawBlock[] = sampleBlocks.map((block, number) => ({
  ...block,
  receipts: block.receipts.map((receipt, index) =>
    number === 2 && index === 0 ? { ...receipt, effectiveGasPrice: '0x1' } : receipt,
  ),
}));

/** The expected figures of the complete days. */
export const completeDays = [
  { day: '2026-11-18', blocks: 4, ...sampleSums(1, 4), range: [1, 4] },
  { day: '2026-11-19', blocks: 3, ...sampleSums(5, 7), range: [5, 7] },
  { day: '2026-11-20', blocks: 0, transactions: 0, fees: 0n, range: [undefined, 7] },
];

/** Reads the stored figures in the form of `completeDays`. */
export async function storedDays(table: Table): Promise<typeof completeDays> {
  const days = await queryDays(chainStore(table, 'ETHEREUM'), '0000-01-01', '9999-12-31');
  return days.map(({ day, totals, first, last }) => ({
    day,
    blocks: totals.blocks,
    transactions: totals.transactions,
    fees: totalFees(totals.fees),
    range: [first?.number, last.number],
  }));
}

/** The number and hash of a sample block; of one that does not exist, any hash. */
export const sampleBlock = (number: number) => ({
  number,
  hash: sampleBlocks[number]?.header.hash ?? hashOf(`sample ${number}`),
});

/** Publishes a day of sample blocks with wrong sums: zeros. */
export async function publishWrongly(table: Table, day: UtcDay, first: number, last: number): Promise<void> {
  const progress = {
    ...startDayProgress(day, sampleBlock(first - 1)),
    first: sampleBlock(first),
    last: sampleBlock(last),
    hosts: ['old.example'],
  };
  const complete = { progress, finality: reportedBy(['old.example']) };
  const conflict = await publishDay(chainStore(table, 'ETHEREUM'), complete, 0);
  if (conflict) throw new Error(conflict.reason);
}
