import { type Chain, chainInsights, coinsOf, weiOf } from 'chain-insights-client';

/* node fees.ts ETHEREUM 2025-11-01 2025-11-30: prints the fees of each day, and their sum. */

const { CHAIN_INSIGHTS_URL = 'http://localhost:3000', CHAIN_INSIGHTS_KEY = '' } = process.env;

const line = (title: string, wei: bigint) => title + coinsOf(wei).padStart(41 - title.length);

const countDays = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;

async function main([chain = 'ETHEREUM', start_date = '2025-11-01', end_date = '2025-11-30']: string[]) {
  const api = chainInsights({ url: CHAIN_INSIGHTS_URL, key: CHAIN_INSIGHTS_KEY });
  const { rows, currency } = await api.fees({ chain: chain as Chain, start_date, end_date });
  for (const { date, fees } of rows) console.log(line(date, weiOf(fees)));
  if (rows.length === 0) return console.log(`No day from ${start_date} to ${end_date} has a figure.`);
  const sum = rows.reduce((wei, { fees }) => wei + weiOf(fees), 0n);
  console.log(`${line(`${rows.length}-day sum`, sum)} ${currency}`);
  // Days that are not final, not complete, or before the chain's first day have no row.
  const missing = countDays(start_date, end_date) - rows.length;
  if (missing > 0) console.log(`days without a figure: ${missing}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
