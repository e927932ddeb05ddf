import { feeParts, mapPaidAttributes } from '../../core/figures/fee-parts.ts';
import { dayReader } from '../../core/store/day-reader.ts';
import {
  dayRow,
  type PublicDay,
  type PublicRow,
  periodRow,
  publicDayShape,
} from '../../core/store/day-row.ts';
import type { Columns } from './formats.ts';
import { feesHeaders, type Series } from './series.ts';

const figureColumns: Columns<PublicRow> = {
  transaction_count: (row) => row.transaction_count,
  user_transaction_count: (row) => row.user_transaction_count,
  protocol_transaction_count: (row) => row.protocol_transaction_count,
  fees: (row) => row.fees,
  ...mapPaidAttributes((name) => (row: PublicRow) => row[feeParts[name].attribute]),
  block_count: (row) => row.block_count,
  first_block_number: (row) => row.first_block?.number,
  first_block_hash: (row) => row.first_block?.hash,
  last_block_number: (row) => row.last_block?.number,
  last_block_hash: (row) => row.last_block?.hash,
  evidence: (row) => row.evidence,
  definition_version: (row) => row.definition_version,
  revision: (row) => row.revision,
  ingested_at: (row) => row.ingested_at,
};

/** Everything that is published about a day. */
export const days: Series<PublicDay, PublicRow> = {
  read: dayReader(publicDayShape),
  rowOfDay: dayRow,
  rowOfPeriod: periodRow,
  columnsOf: (interval) =>
    interval === 'day'
      ? {
          date: (row) => row.date,
          ...figureColumns,
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
        }
      : { date: (row) => row.date, day_count: (row) => row.day_count, ...figureColumns },
  headersOf: feesHeaders,
};
