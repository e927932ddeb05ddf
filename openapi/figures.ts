import * as z from 'zod/mini';
import { fees, type Metric, transactionCount } from '../lambda/api/metrics.ts';
import type { Query } from '../lambda/api/query.ts';
import type { Route } from '../lambda/api/routes.ts';

/** What an endpoint serves, told to those who call it. */
export interface Figure {
  readonly metric: Metric;
  /** What the names of its operations and schemas are made of. */
  readonly name: string;
  readonly title: string;
  /** Its meaning and unit. */
  readonly description: string;
  readonly schema: z.ZodMiniType<number | string>;
  /** Its values on the days of the example. */
  readonly examples: readonly (number | string)[];
}

/** The figure of each route. */
export const figures: Readonly<Record<Route['handler'], Figure>> = {
  'get-transaction-count': {
    metric: transactionCount,
    name: 'TransactionCount',
    title: 'Transactions of each day',
    description:
      'How many transactions the blocks of the day hold, as block explorers count them: failed ones too, and those ' +
      'that the protocol itself put there. An integer.',
    schema: z.int().check(z.nonnegative()),
    examples: [1_482_931, 1_519_077, 1_603_458],
  },
  'get-fees': {
    metric: fees,
    name: 'Fees',
    title: 'Fees of each day',
    description:
      'Everything that senders paid on the day for inclusion and execution: execution, L1 data, operator and blob ' +
      'fees, burned base fees too. In whole coins of the chain (`X-Fees-Currency`), as a decimal that is exact to the ' +
      'last of up to 18 digits. It is a string, because a floating-point number would lose digits.',
    schema: z.string().check(z.regex(/^(0|[1-9]\d*)(\.\d{0,17}[1-9])?$/)),
    examples: ['358.558440870590355682', '291.07', '304.000000000000000001'],
  },
};

/** What the examples ask for: four days, of which one is missing. */
export const exampleQuery: Query = { chain: 'ETHEREUM', start_date: '2025-11-17', end_date: '2025-11-20' };

/** Those that have a row. */
export const exampleDays = ['2025-11-17', '2025-11-18', '2025-11-20'] as const;
