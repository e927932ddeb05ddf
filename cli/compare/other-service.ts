import * as z from 'zod';
import { connect, fetchJson } from '../../clients/typescript/src/fetch-json.ts';
import { addDays, earlier } from '../../core/figures/calendar.ts';
import type { PublicRow } from '../../core/rows/day-row.ts';
import { comparedCells, type DayCells } from '../../lambda/public/compare-days.ts';
import { readPublicDays, readPublicIndex } from '../../lambda/public/read-files.ts';
import { CommandError, interrupted, usageError } from '../exit-codes.ts';

/** Reads all days of a chain of another service; undefined for a chain without days. */
export type ReadDays = (chain: string) => Promise<readonly DayCells[] | undefined>;

/** Opens the API of another service if there is a key for it, else its public files. @throws CommandError, ChainInsightsError, or Error */
export async function openOther(url: string): Promise<ReadDays> {
  const { protocol = '', username, password, search } = URL.parse(url) ?? {};
  if (!/^https?:$/.test(protocol) || username || password || search)
    throw usageError('--with is not an http or https URL without a user name, a password and a query.');
  const { CHAIN_INSIGHTS_URL: keyUrl, CHAIN_INSIGHTS_KEY: key } = process.env;
  // The key of another service must not be sent to this one.
  if (key && (!keyUrl || URL.parse(keyUrl)?.host === URL.parse(url)?.host)) return openApi(url, key);
  const service = { url, signal: interrupted };
  const { chains } = await readPublicIndex(service).catch(({ message }: Error) => {
    throw new CommandError(
      `${message} With a key of that service in CHAIN_INSIGHTS_KEY, its API is read instead.`,
    );
  });
  return async (name) => {
    const files = chains.find(({ chain }) => chain === name);
    return files && readPublicDays(service, files);
  };
}

const day = z.iso.date();
const chainRows = z.array(
  z.object({ chain: z.string(), first_final_day: day.nullable(), last_final_day: day.nullable() }),
);
const dayRows = z.array(z.looseObject({ date: day }));
/** A response has at most 5 MB, which are about ten years. */
const DAYS_AT_ONCE = 1_000;

async function openApi(url: string, key: string): Promise<ReadDays> {
  const connection = connect({ url, key });
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const { data } = schema.safeParse((await fetchJson(connection, path, { signal: interrupted })).body);
    if (data) return data;
    throw new CommandError(`${url} gave rows of another form for ${path}. Is it a Chain Insights service?`);
  };
  const chains = await read('chains', chainRows);
  return async (name) => {
    const { first_final_day: first, last_final_day: last } = chains.find(({ chain }) => chain === name) ?? {};
    if (!first || !last) return undefined;
    const found: DayCells[] = [];
    for (let from = first; from <= last; from = addDays(from, DAYS_AT_ONCE)) {
      const end_date = earlier(addDays(from, DAYS_AT_ONCE - 1), last);
      const query = new URLSearchParams({ chain: name, start_date: from, end_date });
      const rows = await read(`days?${query}`, dayRows);
      // The members are compared as text, whatever they are.
      found.push(...rows.map((row) => comparedCells(row as unknown as PublicRow)));
    }
    return found;
  };
}
