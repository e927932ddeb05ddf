import { type Dated, type MediaType, serializeRows, sliceBody } from '../lambda/api/formats.ts';
import type { SeriesRoute } from '../lambda/api/routes.ts';
import { days } from '../lambda/api/series/days.ts';
import { distribution } from '../lambda/api/series/distribution.ts';
import { fees } from '../lambda/api/series/fees.ts';
import type { SeriesByInterval } from '../lambda/api/series/series.ts';
import { transactionCount } from '../lambda/api/series/transaction-count.ts';
import { exampleDays, exampleDistributions } from './examples.ts';
import { FEES, TRANSACTION_COUNT } from './row-schemas.ts';

export interface SeriesDoc {
  /** Stem of the names of its operations and of its response. */
  readonly name: string;
  /** ID of the schema of its rows. */
  readonly row: string;
  readonly title: string;
  readonly description: string;
  /** Returns the body of a response with the example days. */
  readonly exampleBody: (type: MediaType) => string;
  readonly endpoint: SeriesByInterval;
}

/** @param days example days, with what the series reads */
const fromCode = (endpoint: SeriesByInterval, days: readonly Dated[] = exampleDays) => ({
  endpoint,
  exampleBody: (type: MediaType) => {
    const { columns, rowsOf } = endpoint.day;
    const rows = days.flatMap((day) => rowsOf(day.date, [day]));
    return sliceBody(serializeRows(type, columns, rows), 0, rows.length);
  },
});

export const seriesDocs: Readonly<Record<SeriesRoute['name'], SeriesDoc>> = {
  transaction_count: {
    name: 'TransactionCount',
    row: 'TransactionCountDay',
    title: 'Transactions per day',
    description: TRANSACTION_COUNT,
    ...fromCode(transactionCount),
  },
  fees: { name: 'Fees', row: 'FeesDay', title: 'Fees per day', description: FEES, ...fromCode(fees) },
  days: {
    name: 'Days',
    row: 'DayDetails',
    title: 'Everything about each day',
    description:
      'The figures of the day, their parts, the first and the last block with hashes, and what the figures rest on. With ' +
      'the block range, anyone with a node can recompute the figures. CSV has the same row in flat columns, with ' +
      '`restatement_count` instead of the restatements.',
    ...fromCode(days),
  },
  distribution: {
    name: 'Distribution',
    row: 'FeeBucket',
    title: 'How many transactions paid how much',
    description:
      'The number of transactions in each bucket of fees that has any, the lowest fees first. The buckets are fixed and at ' +
      'most 4% wide, so that counts add up over days and chains with the same coin. Transactions that pay no fee are not ' +
      'counted. There are no hours: the interval `hour` gets 400.',
    ...fromCode(distribution, exampleDistributions),
  },
};
