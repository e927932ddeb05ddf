import * as z from 'zod/mini';
import { ChainInsightsError } from '../../clients/typescript/src/error.ts';
import { connect, fetchJson } from '../../clients/typescript/src/fetch-json.ts';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import type { DateRange, ShownInterval } from '../model/periods.ts';
import { type DayRow, type RunningRow, rowSchema, runningSchema } from './rows.ts';

/** The final days, their hours, or complete periods of one chain, ascending. */
export interface ChainDays {
  readonly rows: readonly DayRow[];
}

export interface RowsQuery extends DateRange {
  readonly interval: ShownInterval;
  /** Fields of the rows; all where it is undefined. */
  readonly fields?: readonly string[];
}

export interface ChainQuery extends RowsQuery {
  readonly chain: ChainName;
}

const statusSchema = z.object({
  chain: z.string(),
  first_final_day: z.nullable(z.iso.date()),
  last_final_day: z.nullable(z.iso.date()),
  // Absent from services before 2.
  scheduled: z.optional(
    z.array(
      z.object({
        name: z.nullable(z.string()),
        at: z.iso.datetime(),
        host: z.string(),
        followed: z.boolean(),
      }),
    ),
  ),
});

/** The state of a chain in this service. Members that are not known are null. */
export type StatusOfChain = Readonly<z.infer<typeof statusSchema>> & { readonly chain: ChainName };

export const statusOf = (statuses: readonly StatusOfChain[], chain: ChainName): StatusOfChain | undefined =>
  statuses.find((status) => status.chain === chain);

function daysPath(chains: readonly ChainName[], { start_date, end_date, interval, fields }: RowsQuery) {
  const query = {
    chain: chains.join(),
    start_date,
    end_date,
    ...(interval !== 'day' && { interval }),
    ...(fields && { fields: fields.join() }),
  };
  return `days?${new URLSearchParams(query).toString().replaceAll('%2C', ',')}`;
}

/** Returns a command that requests the days of some chains. The key stays in a shell variable. */
export const curlCommand = (root: string, chains: readonly ChainName[], query: RowsQuery): string =>
  `curl -s '${new URL(`api/chain-insights/${daysPath(chains, query)}`, root)}' -H "X-API-Key: $CHAIN_INSIGHTS_KEY"`;

export interface Api {
  readonly root: string;
  readonly key: string;
}

/**
 * Returns the rows of each chain, in one request.
 * @param chains at least one; all of them are chains that the service reads
 * @throws ChainInsightsError, or the reason of the signal when it aborts the request
 */
export async function fetchDays(
  api: Api,
  chains: readonly ChainName[],
  query: RowsQuery,
  signal: AbortSignal,
): Promise<ReadonlyMap<ChainName, ChainDays>> {
  const data = await read(daysPath(chains, query), api, z.array(rowSchema), signal);
  // Rows of a single chain do not name it.
  const isOf = (chain: ChainName) => (row: DayRow) => chains.length === 1 || row.chain === chain;
  return new Map(chains.map((chain) => [chain, { rows: data.filter(isOf(chain)) }]));
}

/** Returns the running day of each chain, in one request. @param chains as of `fetchDays` @throws as `fetchDays` */
export async function fetchToday(
  api: Api,
  chains: readonly ChainName[],
  signal: AbortSignal,
): Promise<readonly RunningRow[]> {
  const schema = z.union([runningSchema, z.array(runningSchema)]);
  return [await read(`today?chain=${chains.join()}`, api, schema, signal)].flat();
}

/** Returns the chains that both the service and this page know. @throws as `fetchDays` */
export async function fetchStatuses(api: Api, signal: AbortSignal): Promise<readonly StatusOfChain[]> {
  return knownIn(await read('chains', api, z.array(statusSchema), signal));
}

/** Returns those of some objects whose chain this page knows, in its order. */
const knownIn = <T extends { readonly chain: string }>(of: readonly T[]): (T & { chain: ChainName })[] =>
  chainNames.flatMap((chain) => of.filter((one) => one.chain === chain).map((one) => ({ ...one, chain })));

/** Days of a chain that a visitor without a key may see. */
export type OpenChain = Awaited<ReturnType<typeof fetchPublicDays>>[number];

const publicDaysSchema = z.object({
  chains: z.array(z.object({ chain: z.string(), rows: z.array(rowSchema) })),
});

/** Returns the days that the service opens to everyone, which need no key; none where it opens none, or where they cannot be read. */
export async function fetchPublicDays(root: string) {
  try {
    const response = await fetch(new URL('public-days.json', root));
    const { data } = publicDaysSchema.safeParse(response.ok ? await response.json() : undefined);
    return knownIn(data?.chains ?? []).filter(({ rows }) => rows.length > 0);
  } catch {
    return [];
  }
}

async function read<T>(path: string, { root, key }: Api, schema: z.ZodMiniType<T>, signal: AbortSignal) {
  // The page has a button to try again.
  const { body } = await fetchJson(connect({ url: root, key, retries: 0 }), path, { signal });
  const { data } = schema.safeParse(body);
  if (data) return data;
  throw new ChainInsightsError('Unexpected response. Reload the page: it may be outdated.', 200);
}

export const isKeyRefused = ({ status }: ChainInsightsError): boolean => status === 401 || status === 403;

/** Says for people what the client says for programs. */
export function errorText(error: ChainInsightsError): string {
  if (error.status === undefined) return 'Could not reach the service. Check the connection, then try again.';
  return isKeyRefused(error)
    ? 'The service did not accept this key. Check that you copied all of it, or ask the operator of the service for a valid one.'
    : error.message;
}
