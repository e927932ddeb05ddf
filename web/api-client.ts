import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';
import { evidences } from '../core/figures/day-figures.ts';
import { priceEvidences } from '../core/figures/dollars.ts';
import type { DateRange, ShownInterval } from './periods.ts';

const blockSchema = z.object({ number: z.int(), hash: z.string() });

/** Returns text without characters that reorder or hide other text. A proxy may have written it. */
const withoutControls = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

const boundsSchema = z.object({ from: z.string(), to: z.string() });

/** A final day, an hour of one, or a period of final days, as the API returns it. */
const rowSchema = z.object({
  date: z.string().check(z.regex(/^\d{4}-\d\d-\d\d(T\d\d)?$/)),
  transaction_count: z.int(),
  user_transaction_count: z.int(),
  protocol_transaction_count: z.int(),
  fees: z.string(),
  execution_fees: z.string(),
  l1_data_fees: z.string(),
  operator_fees: z.string(),
  blob_fees: z.string(),
  retryable_double_count: z.optional(z.string()),
  base_fees: z.optional(z.string()),
  priority_fees: z.optional(z.string()),
  median_fee: z.optional(boundsSchema),
  p10_fee: z.optional(boundsSchema),
  p90_fee: z.optional(boundsSchema),
  failed_transaction_count: z.optional(z.int()),
  gas_used: z.optional(z.string()),
  blob_count: z.optional(z.int()),
  measures_version: z.optional(z.int()),
  fees_usd: z.optional(z.string()),
  price: z.optional(
    z.object({
      first: z.string(),
      last: z.string(),
      updates: z.int(),
      aggregator: z.optional(z.string()),
      evidence: z.enum(priceEvidences),
    }),
  ),
  unpriced_reason: z.optional(z.pipe(z.string(), z.transform(withoutControls))),
  block_count: z.int(),
  first_block: z.optional(blockSchema),
  last_block: z.optional(blockSchema),
  evidence: z.enum(evidences),
  archive: z.optional(
    z.object({
      name: z.string(),
      audit: z.object({ statement: z.string() }),
      void_since: z.optional(z.string()),
    }),
  ),
  definition_version: z.int(),
  /** 1 until the day is restated. */
  revision: z.int(),
  ingested_at: z.string(),
  day_count: z.optional(z.int()),
  parent_hash: z.optional(z.string()),
  finality: z.optional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('reported'), hosts: z.array(z.string()) }),
      z.object({ kind: z.literal('sync committee'), slot: z.int(), root: z.string() }),
      z.object({ kind: z.literal('fast finality'), source: blockSchema, target: blockSchema }),
    ]),
  ),
  restatements: z.optional(
    z.array(
      z.object({
        revision: z.int(),
        reason: z.pipe(z.string(), z.transform(withoutControls)),
        restated_at: z.string(),
        transaction_count: z.int(),
        fees: z.string(),
      }),
    ),
  ),
});
export type DayRow = z.infer<typeof rowSchema>;

/** The final days, their hours, or complete periods of one chain, ascending. */
export interface ChainDays {
  readonly rows: readonly DayRow[];
  /** The chain's last final day. */
  readonly dataThrough: UtcDay | undefined;
}

/** The part of a view that a request depends on, besides the chain. */
export interface DaysQuery extends DateRange {
  readonly interval: ShownInterval;
}

const statusesSchema = z.array(
  z.object({
    chain: z.string(),
    name: z.string(),
    first_final_day: z.nullable(z.iso.date()),
    last_final_day: z.nullable(z.iso.date()),
    waiting_days: z.nullable(z.int()),
    seconds_behind: z.nullable(z.number()),
  }),
);

/** The state of a chain in this service. Members that are not known are undefined. */
export interface ChainStatus {
  readonly chain: ChainName;
  readonly firstFinalDay: UtcDay | undefined;
  readonly lastFinalDay: UtcDay | undefined;
  /** Days whose blocks are all read, and that become final once the day after them is. */
  readonly waitingDays: number | undefined;
  readonly secondsBehind: number | undefined;
}

export const statusOf = (statuses: readonly ChainStatus[], chain: ChainName): ChainStatus | undefined =>
  statuses.find((status) => status.chain === chain);

const CHAINS_PATH = 'api/chain-insights/chains';

/** Returns the path of a chain's days, relative to the root of the API. */
const daysPath = (chain: ChainName, { start_date, end_date, interval }: DaysQuery): string =>
  `api/chain-insights/days?${new URLSearchParams({ chain, start_date, end_date, ...(interval !== 'day' && { interval }) })}`;

/** Returns a command that requests a chain's days. The key stays in a shell variable. */
export const curlCommand = (root: string, chain: ChainName, query: DaysQuery): string =>
  `curl -s '${new URL(daysPath(chain, query), root)}' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`;

/** Thrown with the detail of an error response, or with a message of this page if there was no valid response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** True if the service refused the key. */
  readonly isKeyRefused: boolean;

  constructor(message: string, isKeyRefused = false) {
    super(message);
    this.isKeyRefused = isKeyRefused;
  }
}

/** A place to send requests to, and the key to send with them. */
export interface Api {
  readonly root: string;
  readonly key: string;
}

const OUTDATED = 'The service sent an unexpected response. Reload the page: it may be outdated.';

/** @throws ApiError, or the reason of the signal when it aborts the request */
export async function fetchDays(
  api: Api,
  chain: ChainName,
  query: DaysQuery,
  signal: AbortSignal,
): Promise<ChainDays> {
  const { headers, data } = await send(daysPath(chain, query), api, z.array(rowSchema), signal);
  return { rows: data, dataThrough: headers.get('X-Data-Through') ?? undefined };
}

/**
 * Returns the chains that both the service and this page know.
 * @throws ApiError, or the reason of the signal when it aborts the request
 */
export async function fetchStatuses(api: Api, signal: AbortSignal): Promise<readonly ChainStatus[]> {
  const { data } = await send(CHAINS_PATH, api, statusesSchema, signal);
  return chainNames.flatMap((chain) =>
    data
      .filter((status) => status.chain === chain)
      .map((status) => ({
        chain,
        firstFinalDay: status.first_final_day ?? undefined,
        lastFinalDay: status.last_final_day ?? undefined,
        waitingDays: status.waiting_days ?? undefined,
        secondsBehind: status.seconds_behind ?? undefined,
      })),
  );
}

const publicDaysSchema = z.object({
  chains: z.array(z.object({ chain: z.string(), rows: z.array(rowSchema) })),
});

/** Returns the days that the service opens to everyone, which need no key; none where it opens none, or where they cannot be read. */
export async function fetchPublicDays(
  root: string,
  signal: AbortSignal,
): Promise<readonly { readonly chain: ChainName; readonly rows: readonly DayRow[] }[]> {
  try {
    const response = await fetch(new URL('public-days.json', root), { signal });
    const { data } = publicDaysSchema.safeParse(response.ok ? await response.json() : undefined);
    return chainNames.flatMap((chain) =>
      (data?.chains ?? []).filter((one) => one.chain === chain).map(({ rows }) => ({ chain, rows })),
    );
  } catch {
    return [];
  }
}

/** In milliseconds. API Gateway itself gives up after half of it. */
const TIMEOUT = 60_000;

async function send<T>(path: string, api: Api, schema: z.ZodMiniType<T>, signal: AbortSignal) {
  const { response, body } = await request(path, api, signal);
  signal.throwIfAborted();
  if (!response.ok) throw toApiError(response, body);
  const { data } = schema.safeParse(body);
  if (!data) throw new ApiError(OUTDATED);
  return { headers: response.headers, data };
}

/** Sends a request. The body of the result is undefined when it is not JSON. */
async function request(path: string, { root, key }: Api, signal: AbortSignal) {
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
    throw new ApiError(`Could not reach the service (${error}). Check the connection, then try again.`);
  }
}

const problemSchema = z.object({
  detail: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

function toApiError({ status, headers }: Response, body: unknown): ApiError {
  if (status === 401 || status === 403)
    return new ApiError(
      'The service did not accept this key. Check that you copied all of it, or ask the operator of the service for a valid one.',
      true,
    );
  const { data } = problemSchema.safeParse(body);
  if (!data) return new ApiError(`The service failed with status ${status} and gave no reason. Try again.`);
  const fields = data.errors?.map(({ field, message }) => `${field} ${message}.`) ?? [];
  const seconds = headers.get('Retry-After');
  const wait = seconds ? [`Try again in ${seconds} s.`] : [];
  return new ApiError(withoutControls([data.detail, ...fields, ...wait].join(' ')));
}
