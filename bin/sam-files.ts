import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { addDays, dayOf } from '../core/figures/calendar.ts';
import { routes } from '../lambda/api/routes.ts';
import { environment } from '../lambda/environment.ts';
import { readConfig } from '../lib/config.ts';
import { ingestEventOf } from '../lib/ingest/event.ts';
import { stages } from '../lib/stages/stages.ts';
import { EMBEDDED_TABLE_NAME } from '../local/embedded-table.ts';

/* npm run sam:files: writes the files that `sam local` needs to .sam, and prints commands to run (docs/local.md). */

/** Name with which a container reaches this machine. */
const HOST = 'host.docker.internal';
const tablePort = process.env.TABLE_PORT || '8000';

const variables = {
  AWS_ENDPOINT_URL_DYNAMODB: `http://${HOST}:${tablePort}`,
  [environment.tableName]: EMBEDDED_TABLE_NAME,
};

const SAM_CONFIG = `version = 0.1

[default.global.parameters]
env_vars = "env.json"
add_host = "${HOST}:host-gateway"

[default.local_start_api.parameters]
port = 3001
`;

const resourceSchema = z.looseObject({
  Type: z.string(),
  Metadata: z.looseObject({ 'aws:cdk:path': z.string().optional() }).optional(),
});
const functionSchema = z.looseObject({
  Properties: z.looseObject({ Environment: z.object({ Variables: z.looseObject({}) }) }),
  Metadata: z.looseObject({ 'aws:asset:path': z.string() }),
});
const templateSchema = z.looseObject({ Resources: z.record(z.string(), resourceSchema) });

/** Adapts a template to `sam local`: names functions by their files, declares all variables, and asks for this machine's architecture. */
function samTemplateOf(template: unknown) {
  const { Resources, ...rest } = templateSchema.parse(template);
  const copies = Object.entries(Resources).map(([id, resource]) => [id, copyOf(resource)]);
  return { ...rest, Resources: Object.fromEntries(copies) };
}

function copyOf(resource: z.output<typeof resourceSchema>) {
  // SAM warns about paths of nested constructs.
  const { 'aws:cdk:path': path, ...metadata } = resource.Metadata ?? {};
  if (resource.Type !== 'AWS::Lambda::Function') return { ...resource, Metadata: metadata };
  const { Properties, Metadata } = functionSchema.parse(resource);
  return {
    ...resource,
    Properties: {
      ...Properties,
      Architectures: [process.arch === 'arm64' ? 'arm64' : 'x86_64'],
      Environment: { Variables: { ...Properties.Environment.Variables, ...variables } },
    },
    Metadata: {
      ...metadata,
      // The path ends with the ID of its ServiceFunction, `Function` and `Resource`.
      SamResourceId: path?.split('/').at(-3)?.toLowerCase(),
      'aws:asset:path': posix.join('../cdk.out', Metadata['aws:asset:path']),
    },
  };
}

function writeFiles(stage: string): string {
  const { chains } = readConfig(stage, stages);
  const file = `cdk.out/ChainInsights-${stage}.template.json`;
  if (!existsSync(file)) {
    throw new Error(`${file} does not exist. Run npx cdk synth --quiet -c stage=${stage}.`);
  }
  const [first, last] = [chains[0], chains.at(-1)];
  const write = (name: string, content: unknown) =>
    writeFileSync(`.sam/${name}`, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  mkdirSync('.sam', { recursive: true });
  write('template.json', samTemplateOf(JSON.parse(readFileSync(file, 'utf8'))));
  // Variables of the shell override the template's, but not these.
  write('env.json', { Parameters: variables });
  write('samconfig.toml', SAM_CONFIG);
  if (last) write('ingest.json', ingestEventOf(last));
  // With Docker Engine on Linux, containers reach this machine at the address of the bridge, not at its loopback address.
  const host = process.platform === 'linux' ? 'TABLE_HOST=172.17.0.1 ' : '';
  const today = dayOf(Date.now() / 1_000);
  const query = { chain: first?.name ?? '', start_date: addDays(today, -7), end_date: addDays(today, -1) };
  return `Wrote .sam for ChainInsights-${stage}.

1. In another terminal, start the table. ${last?.name} gets no node, so that only sam's ingest reads it:

  ${host}TABLE_PORT=${tablePort} RPC_URLS_${last?.name}=http://127.0.0.1:1 npm start

2. With sam and Docker, run any of these:

  cd .sam
  export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_SESSION_TOKEN=
  sam local invoke ingest -e ingest.json
  sam local start-api
  curl -s 'http://127.0.0.1:3001${routes[0].path}?${new URLSearchParams(query)}'`;
}

try {
  const { stage } = parseArgs({ options: { stage: { type: 'string', default: 'dev' } } }).values;
  console.log(writeFiles(stage));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
