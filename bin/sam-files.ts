import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { routes } from '../lambda/api/routes.ts';
import { dayOf, type UtcDay } from '../lambda/chains/utc-day.ts';
import { type Config, readConfig } from '../lib/config.ts';
import { stages } from '../lib/stages.ts';
import { sampleEvents, sampleQuery } from '../local/sam-events.ts';
import { samFiles } from '../local/sam-files.ts';
import { readSettings } from '../local/settings.ts';

/* npm run sam:files: writes the files that `sam local` needs, and prints commands to run (docs/local.md). */

const FROM = 'cdk.out';
const TO = '.sam';
/** Default port of the table that `npm start` serves to sam. */
const TABLE_PORT = 8_000;

function readTemplate(stage: string): unknown {
  const file = join(FROM, `ChainInsights-${stage}.template.json`);
  if (!existsSync(file)) {
    throw new Error(`${file} does not exist. Run npx cdk synth --quiet -c stage=${stage}.`);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

function printCommands(config: Config, tablePort: number, today: UtcDay): void {
  // With Docker Engine on Linux, containers reach this machine at the address of the bridge, not at its loopback address.
  const host = process.platform === 'linux' ? 'TABLE_HOST=172.17.0.1 ' : '';
  const chain = config.chains.at(-1)?.name;
  const events = sampleEvents(config, today);
  const calls = events
    .filter((event) => event.handler !== 'ingest' || event === events.at(-1))
    .map(({ handler, file }) => `  sam local invoke ${handler} -e ${file}`);
  console.log(`
1. In another terminal, start the table. ${chain} gets no node, so that only sam's ingest reads it:

  ${host}TABLE_PORT=${tablePort} RPC_URLS_${chain}=http://127.0.0.1:1 npm start

2. With sam and Docker, run any of these:

  cd ${TO}
${calls.join('\n')}
  sam local start-api
  curl -s 'http://127.0.0.1:3001${routes[0].path}?${new URLSearchParams(sampleQuery(config, today))}'`);
}

try {
  const { stage } = parseArgs({ options: { stage: { type: 'string', default: 'dev' } } }).values;
  const config = readConfig(stage, stages);
  const today = dayOf(Date.now() / 1000);
  const tablePort = readSettings(process.env).table.port || TABLE_PORT;
  const files = samFiles({
    config,
    template: readTemplate(stage),
    from: `../${FROM}`,
    tablePort,
    architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
    today,
  });
  mkdirSync(TO, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(TO, name), content);
  console.log(`Wrote to ${TO} for ChainInsights-${stage}: ${[...files.keys()].join(', ')}`);
  printCommands(config, tablePort, today);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
