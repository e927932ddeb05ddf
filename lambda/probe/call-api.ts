import { addDays } from '../../core/figures/calendar.ts';
import { pathOf, type Route } from '../api/routes.ts';
import { type RowsRead, readRows, rowSchemas } from './row-schemas.ts';

/** The API to probe, at the address that its clients call. */
export interface Probe {
  /** With a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly chains: readonly string[];
}

/** Days to ask for, up to the newest final one. */
const DAYS = 4;
/** Longer than API Gateway waits for a function. */
const TIMEOUT_MS = 20_000;
/** The endpoints that callers use most, and the one with all figures. */
const PROBED = ['transaction_count', 'fees', 'days'] as const;

/**
 * Asks for the chains, and for the newest final days of each from several endpoints. Checks the status, the schema, and that the newest
 * day has a row. Whether that is recent is for the alarms of the ingest, so that late data does not look like an outage of the API.
 * @returns why the responses for the first chain with a fault are wrong, without the key
 */
export async function probeApi(probe: Probe): Promise<string[]> {
  const listed = await ask(probe, 'chains', rowSchemas.chains);
  if ('problem' in listed) return [`chains: ${listed.problem}`];
  // One chain at a time, so that the probe takes little of the account's concurrency and of its key's rate. The first fault is enough.
  for (const chain of probe.chains) {
    const row = listed.rows.find((one) => one.chain === chain);
    if (!row) return [`chains: ${chain} is not listed`];
    // A new chain has no day yet.
    const problems = row.last_final_day === null ? [] : await dayProblems(probe, chain, row.last_final_day);
    if (problems.length > 0) return problems;
  }
  return [];
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
