import * as z from 'zod/mini';
import type { UtcDay } from '../../../core/figures/calendar.ts';
import { feeParts, mapPaidAttributes } from '../../../core/figures/fee-parts.ts';
import { printable } from '../../../core/printable.ts';
import {
  type CountedDay,
  dayRow,
  hourRow,
  type PublicDay,
  type PublicHour,
  type PublicRow,
  periodRow,
  publicDayShape,
} from '../../../core/rows/day-row.ts';
import { versionsShape } from '../../../core/store/attributes/day-attributes.ts';
import { totalsShape } from '../../../core/store/attributes/shared-attributes.ts';
import { dayReader } from '../../../core/store/days/day-reader.ts';
import type { ChainReader } from '../../../core/store/table/table.ts';
import { type Columns, plainColumns } from '../formats.ts';
import { fieldChoice, querySchema } from '../query.ts';
import { dayFields } from './day-fields.ts';
import { withFeeCounts } from './distribution.ts';
import { hourReader } from './hours.ts';
import { hourly, type Series, type SeriesByInterval } from './series.ts';

export const dayFieldsSchema = fieldChoice(dayFields);
export const daysQuerySchema = z.object({ ...querySchema.shape, fields: z.optional(dayFieldsSchema) });

const plain = plainColumns<PublicRow>;

const figureColumns: Columns<PublicRow> = {
  ...plain('transaction_count', 'user_transaction_count', 'protocol_transaction_count', 'fees'),
  ...mapPaidAttributes((name) => (row: PublicRow) => row[feeParts[name].attribute]),
  ...plain('block_count'),
};

const blockColumns: Columns<PublicRow> = {
  first_block_number: (row) => row.first_block?.number,
  first_block_hash: (row) => row.first_block?.hash,
  last_block_number: (row) => row.last_block?.number,
  last_block_hash: (row) => row.last_block?.hash,
};

const versionColumns = plain('evidence', 'definition_version', 'revision', 'ingested_at');

const finalityColumns: Columns<PublicRow> = {
  ...plain('parent_hash'),
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
  ...plain('failed_transaction_count', 'base_fees', 'priority_fees', 'gas_used', 'blob_count'),
  ...plain('retryable_double_count', 'measures_version'),
};

const distributionColumns: Columns<PublicRow> = {
  median_fee_from: (row) => row.median_fee?.from,
  median_fee_to: (row) => row.median_fee?.to,
  p10_fee_from: (row) => row.p10_fee?.from,
  p10_fee_to: (row) => row.p10_fee?.to,
  p90_fee_from: (row) => row.p90_fee?.from,
  p90_fee_to: (row) => row.p90_fee?.to,
  ...plain('distribution_version'),
};

/** Quotes text that people or files wrote, on one line. */
const quoted = (text: string): string => `"${printable(text).replaceAll('"', '""')}"`;

const dollarColumns: Columns<PublicRow> = {
  ...plain('fees_usd'),
  price_first: (row) => row.price?.first,
  price_last: (row) => row.price?.last,
  price_updates: (row) => row.price?.updates,
  price_aggregator: (row) => row.price?.aggregator,
  price_evidence: (row) => row.price?.evidence,
};

const archiveColumns: Columns<PublicRow> = {
  archive: ({ archive }) => archive && quoted(archive.name),
  archive_file: ({ archive }) => archive?.file_sha256,
  archive_audit: ({ archive }) =>
    archive && quoted(archive.void_since ? `void since ${archive.void_since}` : archive.audit.statement),
};

const readDays = dayReader(publicDayShape);

/** Reads the rows of the final days from `first` to `last`, both included, ascending. */
export const readDayRows = async (store: ChainReader, first: UtcDay, last: UtcDay): Promise<PublicRow[]> =>
  (await readDays(store, first, last)).map(dayRow);

const day: Series<PublicDay, PublicRow> = {
  read: readDays,
  rowsOf: (_, days) => days.map(dayRow),
  columns: {
    ...plain('date'),
    ...figureColumns,
    ...blockColumns,
    ...versionColumns,
    ...finalityColumns,
    ...measureColumns,
    ...distributionColumns,
    ...dollarColumns,
    unpriced_reason: ({ unpriced_reason }) => unpriced_reason && quoted(unpriced_reason),
    ...archiveColumns,
  },
};

const period: Series<CountedDay, PublicRow> = {
  read: withFeeCounts(readDays),
  rowsOf: (date, days) => [periodRow(date, days)],
  columns: {
    ...plain('date', 'day_count'),
    ...figureColumns,
    ...blockColumns,
    ...versionColumns,
    ...measureColumns,
    ...distributionColumns,
    ...dollarColumns,
  },
};

const hours: Omit<Series<PublicHour, PublicRow>, 'read'> = {
  rowsOf: (_, of) => of.map(hourRow),
  columns: { ...plain('date'), ...figureColumns, ...versionColumns, ...measureColumns },
};

/** Everything that is published about a day. */
export const days: SeriesByInterval = {
  day,
  period,
  hour: hourly(hours, hourReader(totalsShape, versionsShape)),
  schema: daysQuerySchema,
  hasFees: true,
};
