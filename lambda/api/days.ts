import { feeParts, mapPaidAttributes } from '../../core/figures/fee-parts.ts';
import { dayReader } from '../../core/store/day-reader.ts';
import {
  type CountedDay,
  dayRow,
  hourRow,
  type PublicDay,
  type PublicHour,
  type PublicRow,
  periodRow,
  publicDayShape,
  publicTotalsShape,
  publicVersionsShape,
} from '../../core/store/day-row.ts';
import { readDetail } from '../../core/store/detail-reader.ts';
import { feeCountsSchema } from '../../core/store/fee-counts.ts';
import { hourReader } from '../../core/store/hour-reader.ts';
import type { Columns } from './formats.ts';
import { type Endpoint, feesHeaders, hourly, type Series } from './series.ts';

const figureColumns: Columns<PublicRow> = {
  transaction_count: (row) => row.transaction_count,
  user_transaction_count: (row) => row.user_transaction_count,
  protocol_transaction_count: (row) => row.protocol_transaction_count,
  fees: (row) => row.fees,
  ...mapPaidAttributes((name) => (row: PublicRow) => row[feeParts[name].attribute]),
  block_count: (row) => row.block_count,
};

const blockColumns: Columns<PublicRow> = {
  first_block_number: (row) => row.first_block?.number,
  first_block_hash: (row) => row.first_block?.hash,
  last_block_number: (row) => row.last_block?.number,
  last_block_hash: (row) => row.last_block?.hash,
};

const versionColumns: Columns<PublicRow> = {
  evidence: (row) => row.evidence,
  definition_version: (row) => row.definition_version,
  revision: (row) => row.revision,
  ingested_at: (row) => row.ingested_at,
};

const finalityColumns: Columns<PublicRow> = {
  parent_hash: (row) => row.parent_hash,
  finality: (row) => row.finality?.kind,
  finality_hosts: (row) => (row.finality?.kind === 'reported' ? row.finality.hosts.join(' ') : ''),
  finality_slot: (row) => (row.finality?.kind === 'sync committee' ? row.finality.slot : ''),
  finality_hash: ({ finality }) =>
    finality?.kind === 'sync committee'
      ? finality.root
      : finality?.kind === 'fast finality'
        ? finality.source.hash
        : '',
  restatement_count: (row) => row.restatements?.length ?? 0,
};

const measureColumns: Columns<PublicRow> = {
  failed_transaction_count: (row) => row.failed_transaction_count,
  base_fees: (row) => row.base_fees,
  priority_fees: (row) => row.priority_fees,
  gas_used: (row) => row.gas_used,
  blob_count: (row) => row.blob_count,
  retryable_double_count: (row) => row.retryable_double_count,
  measures_version: (row) => row.measures_version,
};

const distributionColumns: Columns<PublicRow> = {
  median_fee_from: (row) => row.median_fee?.from,
  median_fee_to: (row) => row.median_fee?.to,
  p10_fee_from: (row) => row.p10_fee?.from,
  p10_fee_to: (row) => row.p10_fee?.to,
  p90_fee_from: (row) => row.p90_fee?.from,
  p90_fee_to: (row) => row.p90_fee?.to,
  distribution_version: (row) => row.distribution_version,
};

/** Quotes a sentence, which may have commas: RFC 4180. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const dollarColumns: Columns<PublicRow> = {
  fees_usd: (row) => row.fees_usd,
  price_first: (row) => row.price?.first,
  price_last: (row) => row.price?.last,
  price_updates: (row) => row.price?.updates,
  price_aggregator: (row) => row.price?.aggregator,
  price_evidence: (row) => row.price?.evidence,
};

const readDays = dayReader(publicDayShape);

const day: Series<PublicDay, PublicRow> = {
  read: readDays,
  rowsOf: (_, days) => days.map(dayRow),
  columns: {
    date: (row) => row.date,
    ...figureColumns,
    ...blockColumns,
    ...versionColumns,
    ...finalityColumns,
    ...measureColumns,
    ...distributionColumns,
    ...dollarColumns,
    unpriced_reason: ({ unpriced_reason }) => unpriced_reason && quoted(unpriced_reason),
  },
  headersOf: feesHeaders,
};

const period: Series<CountedDay, PublicRow> = {
  read: async (store, first, last) => {
    const [days, countsOf] = await Promise.all([
      readDays(store, first, last),
      readDetail(store, { first, last }, 'fee_counts', feeCountsSchema),
    ]);
    return days.map((one) => ({ ...one, feeCounts: countsOf({ day: one.date, revision: one.revision }) }));
  },
  rowsOf: (date, days) => [periodRow(date, days)],
  columns: {
    date: (row) => row.date,
    day_count: (row) => row.day_count,
    ...figureColumns,
    ...blockColumns,
    ...versionColumns,
    ...measureColumns,
    ...distributionColumns,
    ...dollarColumns,
  },
  headersOf: feesHeaders,
};

const hours: Omit<Series<PublicHour, PublicRow>, 'read'> = {
  rowsOf: (_, of) => of.map(hourRow),
  columns: { date: (row) => row.date, ...figureColumns, ...versionColumns, ...measureColumns },
  headersOf: feesHeaders,
};

/** Everything that is published about a day. */
export const days: Endpoint = {
  day,
  period,
  hour: hourly(hours, hourReader(publicTotalsShape, publicVersionsShape)),
};
