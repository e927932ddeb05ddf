import * as z from 'zod/mini';
import type { ChainName } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import type { MetricName } from './metrics.ts';
import type { View } from './view.ts';

/** One metric of one chain over a range of days, as the API returns it. */
export interface ChainSeries {
  readonly chain: ChainName;
  readonly rows: readonly {
    readonly date: UtcDay;
    /** An integer, or an exact decimal of the coin, with every digit of the response. */
    readonly value: string;
  }[];
  /** Number of complete days of the range that have no final figure. */
  readonly daysMissing: number;
  /** The chain's last final day. */
  readonly dataThrough: UtcDay | undefined;
}

/** The part of a view that a request depends on, besides the chain. */
export type SeriesQuery = Pick<View, 'metric' | 'start_date' | 'end_date'>;

/** Returns the path of a chain's series, relative to the root of the API. */
export const apiPath = (chain: ChainName, { metric, start_date, end_date }: SeriesQuery): string =>
  `api/chain-insights/${metric}?${new URLSearchParams({ chain, start_date, end_date })}`;

/** Returns a command that requests a chain's series. The key stays in a shell variable. */
export const curlCommand = (root: string, chain: ChainName, query: SeriesQuery): string =>
  `curl -s '${new URL(apiPath(chain, query), root)}' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`;

/** Thrown with the detail of an error response, or with a message of this page if there was no valid response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** One line per invalid field of the request. */
  readonly fields: readonly string[];

  constructor(message: string, fields: readonly string[] = []) {
    super(message);
    this.fields = fields;
  }
}

/** In milliseconds. API Gateway itself gives up after half of it. */
const TIMEOUT = 60_000;

/** @throws ApiError, or the reason of the signal when it aborts the request */
export async function fetchSeries(
  root: string,
  chain: ChainName,
  query: SeriesQuery,
  key: string,
  signal: AbortSignal,
): Promise<ChainSeries> {
  const { response, body } = await send(apiPath(chain, query), root, key, signal);
  signal.throwIfAborted();
  if (!response.ok) throw toApiError(response, body);
  return toSeries(chain, query.metric, response.headers, body);
}

/** Sends a request. The body of the result is undefined when it is not JSON. */
async function send(path: string, root: string, key: string, signal: AbortSignal) {
  try {
    const response = await fetch(new URL(path, root), {
      headers: { 'X-API-Key': key, Accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    const body: unknown = await response.json().catch((error: Error) => {
      if (error.name !== 'SyntaxError') throw error;
    });
    return { response, body };
  } catch (error) {
    signal.throwIfAborted();
    throw new ApiError(`Could not reach the service (${error}). Check the connection, then draw again.`);
  }
}

const rowsSchemas = {
  fees: z.array(z.object({ date: z.iso.date(), fees: z.string() })),
  transaction_count: z.array(z.object({ date: z.iso.date(), transaction_count: z.int() })),
};

/** @throws ApiError when the response is not what the API documents */
function toSeries(chain: ChainName, metric: MetricName, headers: Headers, body: unknown): ChainSeries {
  const { data } = rowsSchemas[metric].safeParse(body);
  const daysMissing = headers.get('X-Days-Missing');
  if (!data || !daysMissing)
    throw new ApiError('The service sent an unexpected response. Reload the page: it may be outdated.');
  return {
    chain,
    rows: data.map(({ date, ...row }) => ({ date, value: Object.values(row).join() })),
    daysMissing: Number(daysMissing),
    dataThrough: headers.get('X-Data-Through') ?? undefined,
  };
}

const problemSchema = z.object({
  detail: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { data } = problemSchema.safeParse(body);
  if (!data) return new ApiError(`The service failed with status ${status} and gave no reason. Draw again.`);
  const seconds = headers.get('Retry-After');
  return new ApiError(
    seconds ? `${data.detail} (Retry-After: ${seconds} s)` : data.detail,
    data.errors?.map(({ field, message }) => `${field} ${message}`),
  );
}
