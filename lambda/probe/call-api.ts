import * as z from 'zod/mini';
import { addDays } from '../../core/figures/calendar.ts';
import { evidences } from '../../core/figures/day-figures.ts';
import { pathOf, type Route } from '../api/routes.ts';
import type { ExportedDays } from './exported-days.ts';

const count = z.int().check(z.nonnegative());
const amount = z.string().check(z.regex(/^\d+(\.\d{1,18})?$/));
const date = z.iso.date();

/** The rows of the routes that the probe calls, with the fields that clients rely on. Others may be added. */
const rowSchemas = {
  transaction_count: z.object({ date, transaction_count: count }),
  fees: z.object({ date, fees: amount }),
  days: z.object({
    date,
    transaction_count: count,
    user_transaction_count: count,
    protocol_transaction_count: count,
    fees: amount,
    last_block: z.object({ number: count, hash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/)) }),
    evidence: z.enum(evidences),
  }),
  chains: z.object({
    chain: z.string(),
    last_final_day: z.nullable(date),
    days_by_evidence: z.nullable(z.record(z.string(), count)),
  }),
} as const satisfies Partial<Record<Route['name'], z.ZodMiniType>>;

/** The API to probe, at the address that its clients call. */
export interface Probe {
  /** With a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly chains: readonly string[];
  /** Absent if there is no export to compare with. */
  readonly exported?: ExportedDays | undefined;
}

/** Days to ask for, up to the newest final one. */
const DAYS = 4;
/** Longer than API Gateway waits for a function. */
const TIMEOUT_MS = 20_000;
/** The endpoints that callers use most, and the one with all figures. */
const PROBED = ['transaction_count', 'fees', 'days'] as const;

/**
 * Asks for the chains, and for the newest final days of each from several endpoints. Checks the status, the schema, that the newest day
 * has a row, and that no chain has fewer days than an export, which is outside of the table. Whether that is recent is for the alarms of the ingest, so that late data does not look like an outage of the API.
 * @returns why the responses for the first chain with a fault are wrong, without the key
 */
export async function probeApi(probe: Probe): Promise<string[]> {
  const listed = await ask(probe, 'chains', rowSchemas.chains);
  if ('problem' in listed) return [`chains: ${listed.problem}`];
  // One chain at a time, so that the probe takes little of the account's concurrency and of its key's rate. The first fault is enough.
  for (const chain of probe.chains) {
    const row = listed.rows.find((one) => one.chain === chain);
    if (!row) return [`chains: ${chain} is not listed`];
    const lost = lostDays(row, probe.exported);
    if (lost) return [lost];
    // A new chain has no day yet.
    const problems = row.last_final_day === null ? [] : await dayProblems(probe, chain, row.last_final_day);
    if (problems.length > 0) return problems;
  }
  return [];
}

/** Returns a problem if a chain has lost days: final days stay final, so its table was emptied or replaced. */
function lostDays(
  { chain, days_by_evidence }: z.output<typeof rowSchemas.chains>,
  exported: ExportedDays | undefined,
): string | undefined {
  const before = exported?.days.get(chain) ?? 0;
  const days = Object.values(days_by_evidence ?? {}).reduce((sum, one) => sum + one, 0);
  if (days >= before) return undefined;
  return `${chain}: the table has ${days} final days, and the export of ${exported?.exportedOn} has ${before}`;
}

async function dayProblems(probe: Probe, chain: string, newest: string): Promise<string[]> {
  const query = { chain, start_date: addDays(newest, 1 - DAYS), end_date: newest };
  const problems = PROBED.map(async (name) => {
    const read = await ask<{ readonly date: string }>(probe, name, rowSchemas[name], query);
    if ('problem' in read) return [`${chain}, ${name}: ${read.problem}`];
    return read.rows.at(-1)?.date === newest
      ? []
      : [`${chain}, ${name}: no row of ${newest}, which is final`];
  });
  return (await Promise.all(problems)).flat();
}

async function ask<Row>(
  { url, key }: Probe,
  name: Route['name'],
  schema: Parameters<typeof readRows<Row>>[0],
  query: Readonly<Record<string, string>> = {},
): Promise<RowsRead<Row>> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}${pathOf(name)}?${new URLSearchParams(query)}`, {
      headers: { 'X-API-Key': key, Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    return readRows(schema, response.status, await response.text());
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return { problem: `the API did not answer: ${error instanceof Error ? error.message : error}${cause}` };
  }
}

/** Rows, or why a response is not as documented. */
type RowsRead<Row> = { readonly rows: readonly Row[] } | { readonly problem: string };

/** Reads the rows of a response. @param body the response as text, JSON if it is right */
function readRows<Row>(schema: z.ZodMiniType<Row>, status: number, body: string): RowsRead<Row> {
  if (status !== 200) return { problem: `the status is ${status}: ${body.slice(0, 300)}` };
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: `the body is not JSON: ${body.slice(0, 300)}` };
  }
  const rows = z.array(schema).safeParse(value);
  if (rows.success) return { rows: rows.data };
  const [issue] = rows.error.issues;
  return { problem: `the body is not as documented: ${issue?.path.join('.')}: ${issue?.message}` };
}
