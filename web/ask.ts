import * as z from 'zod/mini';
import type { ChainName } from '../lambda/chains/chains.ts';
import type { UtcDay } from '../lambda/chains/utc-day.ts';
import type { Metric } from './metrics.ts';
import type { View } from './view.ts';

/** What the API knows of a chain in a range of days. */
export interface Answer {
  readonly chain: ChainName;
  readonly rows: readonly Row[];
  /** Days of the range that have no final figure, though they are over. */
  readonly daysMissing: number;
  /** The chain's last final day. */
  readonly dataThrough: UtcDay | undefined;
}

interface Row {
  readonly date: UtcDay;
  /** An integer, or an exact decimal of the coin, with each digit as it came. */
  readonly value: string;
}

/** The part of a view that a question is made of. */
export type Range = Pick<View, 'metric' | 'start_date' | 'end_date'>;

/** Where a chain's figures are, below the root of the API. */
export const pathOf = (chain: ChainName, { metric, start_date, end_date }: Range): string =>
  `api/chain-insights/${metric}?${new URLSearchParams({ chain, start_date, end_date })}`;

/** Thrown with the API's own words when it answers with an error, and with ours when it does not answer. */
export class AskError extends Error {
  override readonly name = 'AskError';
  /** For bad input, a line for each bad field. */
  readonly fields: readonly string[];

  constructor(message: string, fields: readonly string[] = []) {
    super(message);
    this.fields = fields;
  }
}

/** Milliseconds after which nobody answers any more: API Gateway itself gives up after half of them. */
const TIMEOUT = 60_000;

/** @throws AskError, or the signal's reason when it ends this */
export async function ask(root: string, chain: ChainName, range: Range, key: string, signal: AbortSignal) {
  const { response, text } = await send(pathOf(chain, range), root, key, signal);
  signal.throwIfAborted();
  const body = parsed(text);
  if (!response.ok) throw problemOf(response, body);
  return answerOf(chain, range.metric, response.headers, body);
}

async function send(path: string, root: string, key: string, signal: AbortSignal) {
  try {
    const response = await fetch(new URL(path, root), {
      headers: { 'X-API-Key': key, Accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    return { response, text: await response.text() };
  } catch (error) {
    signal.throwIfAborted();
    throw new AskError(`The service was not reached (${error}). Check the connection, then draw again.`);
  }
}

/** @returns undefined when it is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const rowsSchemas = {
  fees: z.array(z.object({ date: z.iso.date(), fees: z.string() })),
  transaction_count: z.array(z.object({ date: z.iso.date(), transaction_count: z.int() })),
};

/** @throws AskError when it is not what the API promises */
function answerOf(chain: ChainName, metric: Metric, headers: Headers, body: unknown): Answer {
  const { data } = rowsSchemas[metric].safeParse(body);
  const daysMissing = headers.get('X-Days-Missing');
  if (!data || !daysMissing)
    throw new AskError('The answer of the service is not understood. Reload the page: it may be an old one.');
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

/** @param body undefined when it was no JSON */
function problemOf({ status, headers }: Response, body: unknown): AskError {
  const { data } = problemSchema.safeParse(body);
  if (!data)
    return new AskError(`The service answered with the status ${status} and no reason. Try it again.`);
  const seconds = headers.get('Retry-After');
  return new AskError(
    seconds ? `${data.detail} (Retry-After: ${seconds} s)` : data.detail,
    data.errors?.map(({ field, message }) => `${field} ${message}`),
  );
}
