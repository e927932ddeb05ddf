import type * as z from 'zod/mini';
import { startOfDay } from '../core/figures/calendar.ts';
import { NO_FEES } from '../core/figures/fee-parts.ts';
import { startDayProgress } from '../core/figures/progress.ts';
import { NO_TOTALS, type Totals } from '../core/figures/totals.ts';
import type { chainRow } from '../core/rows/chain-row.ts';
import type { PublicDay } from '../core/rows/day-row.ts';
import { todayRow } from '../core/rows/today-row.ts';
import type { querySchema } from '../lambda/api/query.ts';

/* The invented data of all examples. */

/** Four days, one of which is missing. */
export const exampleQuery = {
  chain: 'ETHEREUM',
  start_date: '2025-11-17',
  end_date: '2025-11-20',
  interval: 'day',
} as const satisfies z.input<typeof querySchema>;

const noL2Fees = { l1_data_fees: 0n, operator_fees: 0n };

const common = {
  ...noL2Fees,
  retryable_double_count: 0n,
  protocol_transaction_count: 0,
  evidence: 'proven',
  definition_version: 1,
  measures_version: 1,
  distribution_version: 1,
  revision: 1,
} as const;

const reported = { confirmed_by: ['a.example', 'b.example'] };

const hashOf = (byte: string) => `0x${byte.repeat(32)}`;

/** @param digit of the hashes: one more than that of the day before */
const blocks = (first: number, last: number, digit: number) => ({
  block_count: last - first + 1,
  parent_hash: hashOf(`${digit - 1}b`),
  first_block: { number: first, hash: hashOf(`${digit}a`) },
  last_block: { number: last, hash: hashOf(`${digit}b`) },
});

/** The days of the example query that have a row. The last one is restated. */
export const exampleDays: readonly PublicDay[] = [
  {
    ...common,
    date: '2025-11-17',
    transaction_count: 1_482_931,
    execution_fees: 358_557_206_302_700_232_226n,
    blob_fees: 1_234_567_890_123_456n,
    priority_fees: 92_351_000_000_000_000_000n,
    gas_used: 161_204_118_327n,
    failed_transaction_count: 24_190n,
    blob_count: 31_877n,
    fee_quantiles: { p10: 790, median: 812, p90: 861 },
    fees_usd: '1101873.4729105883712204510043268',
    price: {
      first: '3094.2715',
      last: '3021.08',
      updates: 41,
      aggregator: '0x7d4e742018fb52e48b08be73d041c18b21de6fb5',
      evidence: 'proven',
    },
    ...blocks(23_812_001, 23_819_160, 1),
    confirmed_by: [],
    links_to: { slot: 13_041_728, root: hashOf('be') },
    ingested_at: '2025-11-18T00:16:31.204Z',
  },
  {
    ...common,
    ...reported,
    date: '2025-11-18',
    transaction_count: 1_519_077,
    execution_fees: 291_060_000_000_000_000_000n,
    blob_fees: 10_000_000_000_000_000n,
    priority_fees: 71_900_000_000_000_000_000n,
    gas_used: 161_377_902_551n,
    failed_transaction_count: 25_803n,
    blob_count: 32_004n,
    fee_quantiles: { p10: 786, median: 809, p90: 858 },
    ...blocks(23_819_161, 23_826_324, 2),
    ingested_at: '2025-11-19T00:16:28.911Z',
  },
  {
    ...common,
    ...reported,
    date: '2025-11-20',
    transaction_count: 1_603_458,
    execution_fees: 304_000_000_000_000_000_000n,
    blob_fees: 1n,
    priority_fees: 80_120_000_000_000_000_000n,
    gas_used: 160_990_415_002n,
    failed_transaction_count: 22_951n,
    blob_count: 30_550n,
    fee_quantiles: { p10: 787, median: 811, p90: 859 },
    ...blocks(23_833_491, 23_840_648, 4),
    revision: 2,
    ingested_at: '2025-11-21T09:02:10.377Z',
    restated: [
      {
        ...noL2Fees,
        revision: 1,
        reason: 'blobs of one block were left out',
        restated_at: '2025-11-21T09:02:10.377Z',
        transaction_count: 1_603_458,
        execution_fees: 304_000_000_000_000_000_000n,
        blob_fees: 0n,
      },
    ],
  },
];

/** Their distributions, cut to three buckets. */
export const exampleDistributions = exampleDays.map(({ date, transaction_count }) => ({
  date,
  feeCounts: new Map([
    [790, 148_294],
    [812, transaction_count - 296_588],
    [861, 148_294],
  ]),
}));

export const exampleChain: ReturnType<typeof chainRow> = {
  chain: 'ETHEREUM',
  name: 'Ethereum',
  chain_id: 1,
  coin: 'ETH',
  first_day: '2015-07-30',
  first_final_day: '2025-11-17',
  last_final_day: '2025-11-20',
  missing_days: 1,
  waiting_days: 0,
  days_by_evidence: { proven: 3, checked: 0 },
  last_final_at: '2025-11-21T00:16:30.118Z',
  seconds_behind: 948,
  proven_block: { number: 23_840_710, hash: hashOf('5c') },
  scheduled: [],
  conflicts: [],
};

const TODAY = '2025-11-21';

const unknownDay = { kind: 'not final', waiting: undefined, final: undefined } as const;

const hourOf = (transactions: number, execution: bigint): Totals => ({
  blocks: 299,
  transactions,
  protocolTransactions: 0,
  fees: { ...NO_FEES, execution, blob: 1n },
  measures: {
    gasUsed: 6_700_110_420n,
    failedTransactions: 970n,
    priorityFees: execution / 4n,
    blobs: 1_311n,
  },
});

const firstHour = hourOf(63_204, 11_204_000_000_000_000_000n);

/** The day after the example query, at 01:12 UTC. */
export const exampleToday = todayRow(
  exampleQuery.chain,
  TODAY,
  {
    progress: {
      ...startDayProgress(TODAY, { number: 23_840_648, hash: hashOf('4b') }),
      first: { number: 23_840_649, hash: hashOf('5a') },
      last: { number: 23_841_008, hash: hashOf('5d') },
      notBefore: startOfDay(TODAY) + 4_331,
      totals: { ...hourOf(75_918, 13_390_000_000_000_000_000n), blocks: 360 },
      hours: [firstHour, ...Array<Totals>(23).fill(NO_TOTALS)],
      feeCounts: new Map([
        [790, 7_592],
        [812, 60_734],
        [861, 7_592],
      ]),
    },
    finality: { kind: 'sync committee', slot: 13_064_160, root: hashOf('ce') },
    evidence: 'proven',
    headTime: startOfDay(TODAY) + 4_331,
  },
  [unknownDay, unknownDay],
);
