import { addDays, dayOf, earlier } from '../core/figures/calendar.ts';
import type { IngestReport } from '../core/ingest/report.ts';
import { asSentence, printable } from '../core/printable.ts';
import { allowSlowConnects } from '../core/rpc/connect-attempts.ts';
import { announce } from './announcement.ts';
import { LOOPBACK } from './listen.ts';
import { type LocalService, startService } from './service.ts';
import { readSettings, type Settings } from './settings.ts';

/** The problems of the last run of each chain, without the numbers and times in them. */
const printed = new Map<string, ReadonlySet<string>>();

/** Prints days that became final, and problems that the last run did not have. */
function printReport(report: IngestReport): void {
  const { chain, days, notProven = [], suspects = [], hostsBehind, unsentEvents, reason } = report;
  if (days.length > 0) {
    const [first, ...later] = days.toSorted();
    const range = later.length === 0 ? first : `${days.length} days, ${first} to ${later.at(-1)}`;
    console.log(`  ${chain.padEnd(10)} final: ${range}`);
  }
  const problems = [
    ...(hostsBehind === undefined ? [] : [`a host is behind: ${hostsBehind}.`]),
    ...notProven.map((problem) => `not proven: ${problem}.`),
    ...suspects.map(
      (host) =>
        `suspect: ${host}. It gave a block that does not belong to the chain, or the service crashed while reading its response. It is asked last for 24 hours.`,
    ),
    ...(unsentEvents === undefined ? [] : [unsentEvents]),
    // Without the ends of cooldowns.
    ...(reason
      ? [`${asSentence(reason.replaceAll(/\S+: cooling down until \S+, after /g, ''))} Retrying.`]
      : []),
  ];
  const kindOf = (problem: string) => problem.replaceAll(/\b\d[\w,.:-]*/g, '');
  for (const problem of problems)
    if (!printed.get(chain)?.has(kindOf(problem)))
      console.error(`  ${chain.padEnd(10)} ${printable(problem)}`);
  printed.set(chain, new Set(problems.map(kindOf)));
}

function printUsage({ url, tableUrl, chains, from, gap }: LocalService, { apiKey, table }: Settings): void {
  const { chain } = chains.find(({ development }) => development) ?? chains[0] ?? {};
  const yesterday = addDays(dayOf(Date.now() / 1000), -1);
  const body = JSON.stringify({
    chain: chain?.name,
    start_date: earlier(from, yesterday),
    end_date: yesterday,
  });
  const isTablePublic = table.port !== 0 || table.host !== LOOPBACK;
  const nodes = chains.flatMap(({ name, development }) =>
    development ? [`${name.padEnd(10)} ${development.endpoint.url}`] : [],
  );
  const fields = {
    ready: [url],
    key: [apiKey],
    table: isTablePublic ? [tableUrl] : [],
    try: [
      `curl -s ${url}/api/chain-insights/fees -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' -d '${body}'`,
    ],
    // The default of the explorer is longer than the days of a development chain.
    explore: [`${url}/?range=30d#key=${encodeURIComponent(apiKey)}`],
    reference: [`${url}/docs`],
    nodes,
    gap: gap
      ? [
          `${gap.chain} ${gap.day} is missing on purpose, to show a gap. Fill it with:`,
          `npx --no chain-insights ingest --chain ${gap.chain} --start-date ${gap.day} --end-date ${gap.day}`,
        ]
      : [],
  };
  const lines = Object.entries(fields).flatMap(([label, texts]) =>
    texts.map((text, index) => `${(index === 0 ? `${label}:` : '').padEnd(11)}${text}`),
  );
  console.log(`\n${lines.join('\n')}\n\nCtrl-C stops it.`);
}

/** Runs the local service until it receives a signal. docs/local.md lists its environment variables. */
export async function main(): Promise<void> {
  allowSlowConnects();
  // Safe at any time: the table survives a kill, and the child guard ends children.
  const stop = () => {
    console.log('\nStopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  // A signal to npm ends npm and its shell, but does not reach this process.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stop(), 200);

  try {
    const settings = readSettings(process.env);
    console.log('Starting the table, the development chains and the API …');
    const service = await startService(settings, printReport);
    const withdraw = announce({
      pid: process.pid,
      url: service.url,
      tableUrl: service.tableUrl,
      from: service.from,
      chains: service.chains.map(({ name, chain, urls, development }) => ({
        name,
        urls: [...urls],
        ...settings.settingsOf(name),
        gap: service.gap?.chain === name ? service.gap.day : undefined,
        firstDay: development && chain.firstDay,
      })),
    });
    process.once('exit', withdraw);
    printUsage(service, settings);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
