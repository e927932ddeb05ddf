import { type ChainName, defaultChainNames } from '../../core/chains/chains.ts';
import { addDays, type UtcDay } from '../../core/figures/calendar.ts';
import type { DayRow } from '../data/api-client.ts';

/* Invented days, which show visitors what a chart looks like where a stage opens no real ones. The page says that they are invented. */

/** Transactions of a usual day: another number for each chain. */
const usualOf = (place: number): number => 1_300_000 + 1_150_000 * ((place * 5) % 7);

const SAMPLE_DAYS = 60;

/** Returns the days before today of each chain, ascending. */
export const sampleDays = (
  today: UtcDay,
  chains: readonly ChainName[] = defaultChainNames,
): readonly { chain: ChainName; rows: readonly DayRow[] }[] =>
  chains.map((chain, place) => ({
    chain,
    rows: Array.from({ length: SAMPLE_DAYS }, (_, index) =>
      sampleRow(usualOf(place), addDays(today, index - SAMPLE_DAYS), index + 5 * place),
    ),
  }));

function sampleRow(usual: number, date: UtcDay, step: number): DayRow {
  const swing = 1 + 0.12 * Math.sin((2 * Math.PI * step) / 7) + 0.2 * Math.sin(step / 9);
  const transaction_count = Math.round(usual * swing);
  const fees = (transaction_count / 8_000).toFixed(18);
  const none = '0.000000000000000000';
  return {
    date,
    transaction_count,
    user_transaction_count: transaction_count,
    protocol_transaction_count: 0,
    fees,
    execution_fees: fees,
    l1_data_fees: none,
    operator_fees: none,
    blob_fees: none,
    block_count: 7_200,
    first_block: { number: 20_000_000 + 7_200 * step, hash: `0x${'ab'.repeat(32)}` },
    last_block: { number: 20_007_199 + 7_200 * step, hash: `0x${'cd'.repeat(32)}` },
    parent_hash: `0x${'ef'.repeat(32)}`,
    evidence: 'proven',
    definition_version: 1,
    revision: 1,
    ingested_at: `${addDays(date, 1)}T00:20:00Z`,
  };
}
