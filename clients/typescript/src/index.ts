import type {
  Chain,
  ChainStatus,
  DayDetails,
  FeeBucket,
  FeesDay,
  Interval,
  TransactionCountDay,
} from './api.ts';
import { type Connection, fetchJson } from './fetch-json.ts';

export type * from './api.ts';
export { ChainInsightsError } from './error.ts';
export { coinsOf, weiOf } from './wei.ts';

/** Days of a chain, both ends included: `YYYY-MM-DD` (UTC), `yesterday`, or a number of days before today, such as `30-days-ago`. */
export interface Query {
  /** In any case. */
  readonly chain: Chain | Lowercase<Chain>;
  readonly start_date: string;
  readonly end_date: string;
  /** Length of the time that a row sums up; `day` by default. A range of hours has at most 92 days, and a distribution has no hours. */
  readonly interval?: Interval;
}

/** The rows of a series, ascending. A day that is not final has none, and a period with such a day has none either. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Days of the range without a figure, from the chain's first day to yesterday. */
  readonly daysMissing: number;
  /** The chain's last final day; undefined while no day is final. */
  readonly dataThrough: string | undefined;
  /** The coin of the fees; undefined for transaction counts. */
  readonly currency: string | undefined;
}

/** The API. Every function throws ChainInsightsError. */
export interface ChainInsights {
  readonly transactionCount: (query: Query) => Promise<Rows<TransactionCountDay>>;
  readonly fees: (query: Query) => Promise<Rows<FeesDay>>;
  /** Everything that is published about a day: fee parts, gas, typical fees, dollars, blocks, evidence, finality, restatements. */
  readonly days: (query: Query) => Promise<Rows<DayDetails>>;
  /** Transactions counted by their fee: several rows a day or period, the lowest fees first. */
  readonly distribution: (query: Query) => Promise<Rows<FeeBucket>>;
  /** The chains of the service, and the state of their data. */
  readonly chains: () => Promise<readonly ChainStatus[]>;
}

/**
 * Opens a client. It repeats a request that was throttled, that failed on the way or that the service could not answer: after the
 * seconds in Retry-After, or after a growing pause.
 */
export function chainInsights(connection: Connection): ChainInsights {
  const series =
    <Row>(path: string) =>
    async ({ chain, start_date, end_date, interval }: Query): Promise<Rows<Row>> => {
      const query = { chain, start_date, end_date, ...(interval && { interval }) };
      const { body, headers } = await fetchJson(connection, `${path}?${new URLSearchParams(query)}`);
      return {
        rows: body as Row[],
        daysMissing: Number(headers.get('X-Days-Missing')),
        dataThrough: headers.get('X-Data-Through') ?? undefined,
        currency: headers.get('X-Fees-Currency') ?? undefined,
      };
    };
  return {
    transactionCount: series('transaction_count'),
    fees: series('fees'),
    days: series('days'),
    distribution: series('distribution'),
    chains: async () => (await fetchJson(connection, 'chains')).body as ChainStatus[],
  };
}
