import { type Chain, chainInsights, coinsOf, weiOf } from 'chain-insights-client';

/* node fees.ts ETHEREUM 30-days-ago yesterday: prints the fees of each day, and their sum. */

const line = (title: string, wei: bigint) => title + coinsOf(wei).padStart(41 - title.length);

async function main([chain = 'ETHEREUM', startDate = '30-days-ago', endDate = 'yesterday']: string[]) {
  const api = chainInsights();
  const { rows, currency, daysMissing, daysNotOver } = await api.fees({
    chain: chain as Chain,
    startDate,
    endDate,
  });
  for (const { date, fees } of rows) console.log(line(date, weiOf(fees)));
  const sum = rows.reduce((wei, { fees }) => wei + weiOf(fees), 0n);
  if (rows.length > 0) console.log(`${line(`${rows.length}-day sum`, sum)} ${currency}`);
  else console.log(`No day from ${startDate} to ${endDate} has a figure.`);
  if (daysMissing > 0) console.log(`days without a figure: ${daysMissing}`);
  if (daysNotOver > 0) console.log(`days that are not over: ${daysNotOver}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
