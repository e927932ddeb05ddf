import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import type { DateRange, ShownInterval } from '../model/periods.ts';
import { type DayRow, rowSchema, withoutControls } from './rows.ts';

/** The final days, their hours, or complete periods of one chain, ascending. */
export type ChainDays = Awaited<ReturnType<typeof fetchDays>>;

export interface ChainQuery extends DateRange {
  readonly chain: ChainName;
  readonly interval: ShownInterval;
  /** Fields of the rows; all where it is undefined. */
  readonly fields?: readonly string[];
}

const statusSchema = z.object({
  chain: z.string(),
  first_final_day: z.nullable(z.iso.date()),
  last_final_day: z.nullable(z.iso.date()),
});

/** The state of a chain in this service. Members that are not known are null. */
export type ChainStatus = Readonly<z.infer<typeof statusSchema>> & { readonly chain: ChainName };

export const statusOf = (statuses: readonly ChainStatus[], chain: ChainName): ChainStatus | undefined =>
  statuses.find((status) => status.chain === chain);

/** Returns the path of a chain's days, relative to the root of the API. */
function daysPath({ chain, start_date, end_date, interval, fields }: ChainQuery): string {
  const query = {
    chain,
    start_date,
    end_date,
    ...(interval !== 'day' && { interval }),
    ...(fields && { fields: fields.join() }),
  };
  return `api/chain-insights/days?${new URLSearchParams(query).toString().replaceAll('%2C', ',')}`;
}

/** Returns a command that requests a chain's days. The key stays in a shell variable. */
export const curlCommand = (root: string, query: ChainQuery): string =>
  `curl -s '${new URL(daysPath(query), root)}' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`;

/** Thrown with the detail of an error response, or with a message of this page if there was no valid response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
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
export async function fetchDays(api: Api, query: ChainQuery, signal: AbortSignal) {
  const { headers, data } = await send(daysPath(query), api, z.array(rowSchema), signal);
  return { rows: data, dataThrough: headers.get('X-Data-Through') ?? undefined };
}

/**
 * Returns the chains that both the service and this page know.
 * @throws ApiError, or the reason of the signal when it aborts the request
 */
export async function fetchStatuses(api: Api, signal: AbortSignal): Promise<readonly ChainStatus[]> {
  const { data } = await send('api/chain-insights/chains', api, z.array(statusSchema), signal);
  return knownIn(data);
}

/** Returns those of some objects whose chain this page knows, in its order. */
const knownIn = <T extends { readonly chain: string }>(of: readonly T[]): (T & { chain: ChainName })[] =>
  chainNames.flatMap((chain) => of.filter((one) => one.chain === chain).map((one) => ({ ...one, chain })));

/** Days of a chain that a visitor without a key may see. */
export interface OpenChain {
  readonly chain: ChainName;
  readonly rows: readonly DayRow[];
}

const publicDaysSchema = z.object({
  chains: z.array(z.object({ chain: z.string(), rows: z.array(rowSchema) })),
});

/** Returns the days that the service opens to everyone, which need no key; none where it opens none, or where they cannot be read. */
export async function fetchPublicDays(root: string, signal: AbortSignal): Promise<readonly OpenChain[]> {
  try {
    const response = await fetch(new URL('public-days.json', root), { signal });
    const { data } = publicDaysSchema.safeParse(response.ok ? await response.json() : undefined);
    return knownIn(data?.chains ?? []).filter(({ rows }) => rows.length > 0);
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
