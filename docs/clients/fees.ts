import { setTimeout as sleep } from 'node:timers/promises';
import type { FeesDay, Problem } from './chain-insights.ts';

/* node fees.ts ETHEREUM 2025-11-01 2025-11-30: what was paid in fees on each of these days, and together. */

const { CHAIN_INSIGHTS_URL = 'http://localhost:3000', CHAIN_INSIGHTS_KEY = '' } = process.env;

/** Sends a request, and again where the answer says when: after a minute at most, and five times in all. */
async function get(path: string, query: Record<string, string>): Promise<Response> {
  const url = `${CHAIN_INSIGHTS_URL.replace(/\/$/, '')}/api/chain-insights/${path}?${new URLSearchParams(query)}`;
  for (let attempt = 1; ; attempt++) {
    const response = await send(url);
    if (response.ok) return response;
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    // A date is no number, and taken for too long.
    if (attempt === 5 || !(seconds <= 60)) throw new Error(await messageOf(response));
    await sleep(seconds * 1_000);
  }
}

async function send(url: string): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { 'X-API-Key': CHAIN_INSIGHTS_KEY },
      // A redirect would take the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new Error(`No answer from CHAIN_INSIGHTS_URL, ${CHAIN_INSIGHTS_URL}: ${reasonOf(error)}`);
  }
}

/** What is in an answer. Something else than the API, such as a proxy, answers with another type. */
async function contentOf(response: Response, type: string): Promise<unknown> {
  try {
    const found = response.headers.get('Content-Type') ?? 'nothing';
    if (!found.startsWith(type)) throw new Error(`${found} instead of ${type}`);
    return await response.json();
  } catch (error) {
    throw new Error(`${response.url} answered with ${response.status}: ${reasonOf(error)}`);
  }
}

async function messageOf(response: Response): Promise<string> {
  const problem = (await contentOf(response, 'application/problem+json')) as Problem;
  const { title, detail, errors = [] } = problem;
  return [`${title}: ${detail}`, ...errors.map(({ field, message }) => `${field} ${message}`)].join('\n');
}

/** Why there is no answer: fetch hides it in the cause, of which several addresses in vain have only a code. */
function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message: string; code?: string; cause?: unknown };
  return cause ? reasonOf(cause) : message || String(code);
}

/* Fees are exact to the last digit as long as they never become a number. In whole wei they can be added up. */

function weiOf(coins: string): bigint {
  const [whole = '', fraction = ''] = coins.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

function coinsOf(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

const line = (title: string, wei: bigint) => title + coinsOf(wei).padStart(41 - title.length);

/** Both included. */
const countDays = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;

async function main([chain = 'ETHEREUM', start_date = '2025-11-01', end_date = '2025-11-30']: string[]) {
  const response = await get('fees', { chain, start_date, end_date });
  const rows = (await contentOf(response, 'application/json')) as FeesDay[];
  for (const { date, fees } of rows) console.log(line(date, weiOf(fees)));
  if (rows.length === 0) return console.log(`No day from ${start_date} to ${end_date} has a figure.`);
  const sum = rows.reduce((wei, { fees }) => wei + weiOf(fees), 0n);
  console.log(`${line(`${rows.length}-day sum`, sum)} ${response.headers.get('X-Fees-Currency')}`);
  // A day that is not final has no row, nor has one that is not over, or one before the chain's first.
  const missing = countDays(start_date, end_date) - rows.length;
  if (missing > 0) console.log(`days without a figure: ${missing}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
