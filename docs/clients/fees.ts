import { setTimeout as sleep } from 'node:timers/promises';
import type { FeesDay, Problem } from './chain-insights.ts';

/* node fees.ts ETHEREUM 2025-11-01 2025-11-30: prints the fees of each day, and their sum. */

const { CHAIN_INSIGHTS_URL = 'http://localhost:3000', CHAIN_INSIGHTS_KEY = '' } = process.env;

/** Sends a request. Retries up to four times, after the number of seconds in Retry-After if that is at most 60. */
async function get(path: string, query: Record<string, string>): Promise<Response> {
  const url = `${CHAIN_INSIGHTS_URL.replace(/\/$/, '')}/api/chain-insights/${path}?${new URLSearchParams(query)}`;
  for (let attempt = 1; ; attempt++) {
    const response = await send(url);
    if (response.ok) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    // A date in Retry-After is NaN, and not retried.
    if (attempt === 5 || !(seconds <= 60)) throw new Error(await messageOf(response));
    await sleep(seconds * 1_000);
  }
}

async function send(url: string): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { 'X-API-Key': CHAIN_INSIGHTS_KEY },
      // A redirect would send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new Error(`Cannot reach CHAIN_INSIGHTS_URL (${CHAIN_INSIGHTS_URL}): ${reasonOf(error)}`);
  }
}

/** Parses a body. Another type means that not the API responded but, for example, a proxy. */
async function contentOf(response: Response, type: string): Promise<unknown> {
  try {
    const found = response.headers.get('Content-Type') ?? 'no type';
    if (!found.startsWith(type)) throw new Error(`expected ${type}, received ${found}`);
    return await response.json();
  } catch (error) {
    throw new Error(
      `Unexpected response (${response.status}) from ${response.url}: ${reasonOf(error)}. Check CHAIN_INSIGHTS_URL.`,
    );
  }
}

async function messageOf(response: Response): Promise<string> {
  const problem = (await contentOf(response, 'application/problem+json')) as Problem;
  const { title, detail, errors = [] } = problem;
  return [`${title}: ${detail}`, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n');
}

/** Returns the reason of a failed fetch, which is in its innermost cause. With several addresses it is only a code. */
function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message: string; code?: string; cause?: unknown };
  return cause ? reasonOf(cause) : message || String(code);
}

/* Fees stay exact as strings, and are added as whole wei: a floating-point number would lose digits. */

function weiOf(coins: string): bigint {
  const [whole = '', fraction = ''] = coins.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

function coinsOf(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

const line = (title: string, wei: bigint) => title + coinsOf(wei).padStart(41 - title.length);

const countDays = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;

async function main([chain = 'ETHEREUM', start_date = '2025-11-01', end_date = '2025-11-30']: string[]) {
  const response = await get('fees', { chain, start_date, end_date });
  const rows = (await contentOf(response, 'application/json')) as FeesDay[];
  for (const { date, fees } of rows) console.log(line(date, weiOf(fees)));
  if (rows.length === 0) return console.log(`No day from ${start_date} to ${end_date} has a figure.`);
  const sum = rows.reduce((wei, { fees }) => wei + weiOf(fees), 0n);
  console.log(`${line(`${rows.length}-day sum`, sum)} ${response.headers.get('X-Fees-Currency')}`);
  // Days that are not final, not complete, or before the chain's first day have no row.
  const missing = countDays(start_date, end_date) - rows.length;
  if (missing > 0) console.log(`days without a figure: ${missing}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
