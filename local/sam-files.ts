import type { UtcDay } from '../lambda/chains/utc-day.ts';
import { environment } from '../lambda/environment.ts';
import type { Config } from '../lib/config.ts';
import { EMBEDDED_TABLE_NAME, embeddedCredentials } from './embedded-table.ts';
import { sampleEvents } from './sam-events.ts';
import { samTemplateOf } from './sam-template.ts';

/** Name with which a container reaches this machine. */
const HOST = 'host.docker.internal';

interface SamFilesOptions {
  readonly config: Config;
  /** The synthesized template. */
  readonly template: unknown;
  /** Path of the template's folder, relative to that of the written files. */
  readonly from: string;
  readonly tablePort: number;
  readonly architecture: 'arm64' | 'x86_64';
  readonly today: UtcDay;
}

/** Returns the files that `sam local` needs to run the functions on the table of `npm start`, by name. */
export function samFiles(given: SamFilesOptions): ReadonlyMap<string, string> {
  const variables = {
    ...embeddedCredentials,
    // Overrides the session token of a user who is signed in to AWS, which is invalid with these credentials.
    AWS_SESSION_TOKEN: '',
    AWS_ENDPOINT_URL_DYNAMODB: `http://${HOST}:${given.tablePort}`,
    [environment.tableName]: EMBEDDED_TABLE_NAME,
  };
  const events = sampleEvents(given.config, given.today).map(
    ({ file, event }) => [file, json(event)] as const,
  );
  return new Map([
    ['template.json', json(samTemplateOf(given.template, { ...given, variables }))],
    // Variables of the shell override the template's, but not these.
    ['env.json', json({ Parameters: variables })],
    ['samconfig.toml', SAM_CONFIG],
    ...events,
  ]);
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** Default options of sam in this folder. */
const SAM_CONFIG = `version = 0.1

[default.global.parameters]
env_vars = "env.json"
add_host = "${HOST}:host-gateway"

[default.local_start_api.parameters]
port = 3001
`;
