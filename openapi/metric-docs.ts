import * as z from 'zod/mini';
import { fees, transactionCount } from '../lambda/api/metrics.ts';
import type { Query } from '../lambda/api/query.ts';
import type { Route } from '../lambda/api/routes.ts';

/**
 * The documentation of each metric. `name` is the stem of the names of its operations and schemas; `examples` are the values
 * on `exampleDays`.
 */
export const metricDocs = {
  'get-transaction-count': {
    metric: transactionCount,
    name: 'TransactionCount',
    title: 'Transactions per day',
    description:
      "The number of transactions in the day's blocks, as block explorers count them: failed transactions and those " +
      'that the protocol itself inserted are included. An integer.',
    schema: z.int().check(z.nonnegative()),
    examples: [1_482_931, 1_519_077, 1_603_458],
  },
  'get-fees': {
    metric: fees,
    name: 'Fees',
    title: 'Fees per day',
    description:
      'Everything that senders paid on the day for inclusion and execution: execution, L1 data, operator and blob ' +
      'fees, including burned base fees. The unit is the coin of the chain (`X-Fees-Currency`). The value is an exact ' +
      'decimal with up to 18 fractional digits, sent as a string because a floating-point number would lose digits.',
    schema: z.string().check(z.regex(/^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/)),
    examples: ['358.558440870590355682', '291.07', '304.000000000000000001'],
  },
} satisfies Readonly<Record<Route['handler'], object>>;

export type MetricDoc = (typeof metricDocs)[Route['handler']];

/** The query of all examples: four days, one of which is missing. */
export const exampleQuery: Query = { chain: 'ETHEREUM', start_date: '2025-11-17', end_date: '2025-11-20' };

/** The days of the example query that have a row. */
export const exampleDays = ['2025-11-17', '2025-11-18', '2025-11-20'] as const;
