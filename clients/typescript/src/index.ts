import type {
  Chain,
  ChainStatus,
  DayDetails,
  FeeBucket,
  FeesDay,
  Interval,
  Today,
  TransactionCountDay,
} from './api.ts';
import { type CamelCased, camelCased } from './camel-case.ts';
import { type ConnectionOptions, connect, fetchJson } from './fetch-json.ts';

export type * from './api.ts';
export type { CamelCased } from './camel-case.ts';
export { ChainInsightsError } from './error.ts';
export type { ConnectionOptions } from './fetch-json.ts';
export { coinsOf, weiOf } from './wei.ts';

/** In any case. */
export type ChainInput = Chain | Lowercase<Chain>;

/** Days, both ends included: `YYYY-MM-DD` (UTC), `yesterday`, or a number of days before today, such as `30-days-ago`. */
export interface Query {
  /** With a list, even of one, each row begins with its `chain`. */
  readonly chain: ChainInput | readonly ChainInput[];
  readonly startDate: string;
  readonly endDate: string;
  /** Length of the time that a row sums up; `day` by default. A range of hours has at most 92 days, and a distribution has no hours. */
  readonly interval?: Interval;
  /** Leaves out days with weaker evidence, which then count as missing. `checked` keeps proven days too. */
  readonly evidence?: 'proven' | 'checked';
}

export interface RequestOptions<Row> {
  /** Cancels the request and its repetitions, which then throw the signal's reason. */
  readonly signal?: AbortSignal;
  /** An earlier result of the same query. If nothing has changed, it is returned, and the service sends no rows. */
  readonly previous?: Rows<Row>;
}

/** The rows of a series, ascending. A day that is not final has none, and a period with such a day has none either. */
export interface Rows<Row> {
  readonly rows: readonly CamelCased<Row>[];
  /** Days of the range that are over and have no figure, from the first day of each chain on. */
  readonly daysMissing: number;
  /** Days of the range that are not over yet, today (UTC) included. */
  readonly daysNotOver: number;
  /** Days of the rows that come from an audited archive and are not proven; of transaction counts and fees, whose rows do not say so. */
  readonly daysArchived: number;
  /** The chain's last final day; undefined while no day is final, and of several chains. */
  readonly dataThrough: string | undefined;
  /** The coin of the fees; undefined for transaction counts, and of several chains. */
  readonly currency: string | undefined;
  /** The entity tag, for `previous`. */
  readonly etag: string | undefined;
}

/** As `Query`, with the fields of the rows besides `date` and `chain`; by default all, but for dollars in rows of fees. */
export interface FieldsQuery<Field extends string> extends Query {
  readonly fields?: readonly Field[];
}

export type DaysQuery<Field extends keyof DayDetails> = FieldsQuery<Field>;

type Read<Row> = (query: Query, options?: RequestOptions<Row>) => Promise<Rows<Row>>;

type FieldOf<Row> = Exclude<keyof Row, 'chain'> & string;

type ReadFields<Row extends { date: string; chain?: Chain }> = <Field extends FieldOf<Row> = FieldOf<Row>>(
  query: FieldsQuery<Field>,
  options?: RequestOptions<Pick<Row, Field | 'date' | 'chain'>>,
) => Promise<Rows<Pick<Row, Field | 'date' | 'chain'>>>;

type RequestSignal = Pick<RequestOptions<never>, 'signal'>;

interface TodayRead {
  (chain: ChainInput, options?: RequestSignal): Promise<CamelCased<Today>>;
  (chains: readonly ChainInput[], options?: RequestSignal): Promise<readonly CamelCased<Today>[]>;
}

/** The API. Every function throws ChainInsightsError. */
export interface ChainInsights {
  readonly transactionCount: Read<TransactionCountDay>;
  /** With `fees_usd` among the fields, rows have dollars where they are known. */
  readonly fees: ReadFields<FeesDay>;
  /** Everything that is published about a day: fee parts, gas, typical fees, dollars, blocks, evidence, finality, restatements. */
  readonly days: ReadFields<DayDetails>;
  /** Transactions counted by their fee: several rows a day or period, the lowest fees first. */
  readonly distribution: Read<FeeBucket>;
  /** The running day (UTC) through its last final block, or without sums until one is final. With a list of chains, a list. */
  readonly today: TodayRead;
  /** The chains of the service, and the state of their data. With `evidence`, days with weaker evidence count as missing. */
  readonly chains: (
    options?: RequestSignal & Pick<Query, 'evidence'>,
  ) => Promise<readonly CamelCased<ChainStatus>[]>;
}

/**
 * Opens a client. It repeats a request that was throttled, that failed on the way or that the service could not answer: after the
 * seconds in Retry-After, or after a growing pause.
 * @throws ChainInsightsError if the URL or the key is missing or cannot be used
 */
export function chainInsights(options: ConnectionOptions = {}): ChainInsights {
  const connection = connect(options);
  const series =
    <Row>(path: string) =>
    async (query: FieldsQuery<string>, options: RequestOptions<Row> = {}): Promise<Rows<Row>> => {
      const { chain, startDate, endDate, interval, evidence, fields } = query;
      const { signal, previous } = options;
      const range = {
        chain: String(chain),
        start_date: startDate,
        end_date: endDate,
        ...(interval && { interval }),
        ...(evidence && { evidence }),
        ...(fields && { fields: fields.join() }),
      };
      const { body, headers } = await fetchJson(connection, `${path}?${new URLSearchParams(range)}`, {
        signal,
        etag: previous?.etag,
      });
      if (body === undefined && previous) return previous;
      const rows = camelCased(body) as CamelCased<Row>[];
      // The API names the chains of rows only in responses with several.
      const unnamed =
        typeof chain !== 'string' && chain.length === 1 ? String(chain).toUpperCase() : undefined;
      return {
        rows: unnamed === undefined ? rows : rows.map((row) => ({ chain: unnamed, ...row })),
        daysMissing: Number(headers.get('X-Days-Missing')),
        daysNotOver: Number(headers.get('X-Days-Not-Over')),
        daysArchived: Number(headers.get('X-Days-Archived')),
        dataThrough: headers.get('X-Data-Through') ?? undefined,
        currency: headers.get('X-Fees-Currency') ?? undefined,
        etag: headers.get('ETag') ?? undefined,
      };
    };
  const today = async (chain: ChainInput | readonly ChainInput[], { signal }: RequestSignal = {}) => {
    const query = new URLSearchParams({ chain: String(chain) });
    const { body } = await fetchJson(connection, `today?${query}`, { signal });
    return camelCased(typeof chain === 'string' ? body : [body].flat());
  };
  return {
    transactionCount: series('transaction_count'),
    fees: series('fees'),
    days: series('days'),
    distribution: series('distribution'),
    today: today as TodayRead,
    chains: async ({ signal, evidence } = {}) => {
      const path = evidence ? `chains?evidence=${evidence}` : 'chains';
      const { body } = await fetchJson(connection, path, { signal });
      return camelCased(body) as CamelCased<ChainStatus>[];
    },
  };
}
