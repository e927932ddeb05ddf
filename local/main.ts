import { addDays, dayOf, earlier } from '../lambda/chains/utc-day.ts';
import type { IngestReport } from '../lambda/ingest/report.ts';
import { announce } from './announcement.ts';
import { LOOPBACK } from './listen.ts';
import { type Service, startService } from './service.ts';
import { readSettings, type Settings } from './settings.ts';

const lastReasons = new Map<string, string | undefined>();

/** A line for each day that became final, and for each failure that is not the same as the last. */
function show({ chain, days, reason }: IngestReport): void {
  if (days.length > 0) {
    const range = days.length === 1 ? days[0] : `${days.length} days, ${days[0]} to ${days.at(-1)}`;
    console.log(`  ${chain.padEnd(10)} final: ${range}`);
  }
  // That an endpoint is left alone for a while, and until when, is no other reason than why it is.
  const why = reason?.replaceAll(/\S+: left alone until \S+, after /g, '');
  if (why && why !== lastReasons.get(chain)) console.error(`  ${chain.padEnd(10)} ${why}. Trying again.`);
  lastReasons.set(chain, why);
}

/** A signal sent to npm alone ends npm and its shell, but does not reach this process. */
function whenParentEnds(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 200);
}

function greet({ url, tableUrl, chains, from }: Service, { apiKey, table }: Settings): void {
  const { chain } = chains.find(({ development }) => development) ?? chains[0] ?? {};
  const yesterday = addDays(dayOf(Date.now() / 1000), -1);
  const body = JSON.stringify({
    chain: chain?.name,
    start_date: earlier(from, yesterday),
    end_date: yesterday,
  });
  console.log(`
ready: ${url}
key:   ${apiKey}${table.port === 0 && table.host === LOOPBACK ? '' : `\ntable: ${tableUrl}`}
try:   curl -s ${url}/api/chain-insights/fees -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' -d '${body}'
explore: ${url}/ in a browser, with that key; the reference is at ${url}/docs

Ctrl-C stops it.`);
}

/** Runs the service that npm start is, until it is told to stop. What its environment may say is in docs/local.md. */
export async function main(): Promise<void> {
  // The table may be left at any moment, and no child outlives this process.
  const stop = () => process.exit(0);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  if (process.env.npm_lifecycle_event) whenParentEnds(stop);

  try {
    const settings = readSettings(process.env);
    console.log('Starting the table, the development chains and the API ...');
    const service = await startService(settings, show);
    const withdraw = announce({
      pid: process.pid,
      ...{ url: service.url, tableUrl: service.tableUrl, from: service.from },
      chains: service.chains.map(({ name, urls, development }) => ({
        name,
        urls: [...urls],
        confirmations: settings.confirmations.get(name),
        isDevelopment: development !== undefined,
      })),
    });
    process.once('exit', withdraw);
    greet(service, settings);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
