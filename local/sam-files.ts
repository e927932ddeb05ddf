import type { UtcDay } from '../lambda/chains/utc-day.ts';
import { environment } from '../lambda/environment.ts';
import type { Config } from '../lib/config.ts';
import { EMBEDDED_TABLE_NAME, embeddedCredentials } from './embedded-table.ts';
import { sampleEvents } from './sam-events.ts';
import { samTemplateOf } from './sam-template.ts';

/** The name by which a container reaches this machine. */
const HOST = 'host.docker.internal';

interface Given {
  readonly config: Config;
  /** The synthesized template, and where its folder is, seen from where the files will be. */
  readonly template: unknown;
  readonly from: string;
  readonly tablePort: number;
  readonly architecture: 'arm64' | 'x86_64';
  readonly today: UtcDay;
}

/** All that `sam local` needs to run the functions on the table of `npm start`, by file name. */
export function samFiles(given: Given): ReadonlyMap<string, string> {
  const variables = {
    ...embeddedCredentials,
    // Whoever is signed in to AWS would hand a token on, and it fits no other credentials.
    AWS_SESSION_TOKEN: '',
    AWS_ENDPOINT_URL_DYNAMODB: `http://${HOST}:${given.tablePort}`,
    [environment.tableName]: EMBEDDED_TABLE_NAME,
  };
  const events = sampleEvents(given.config, given.today).map(
    ({ file, event }) => [file, json(event)] as const,
  );
  return new Map([
    ['template.json', json(samTemplateOf(given.template, { ...given, variables }))],
    // A variable of the shell would come before one of the template, but not before these.
    ['env.json', json({ Parameters: variables })],
    ['samconfig.toml', SAM_CONFIG],
    ...events,
  ]);
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** What sam takes from the folder that it is called in, so that it need not be typed. */
const SAM_CONFIG = `version = 0.1

[default.global.parameters]
env_vars = "env.json"
add_host = "${HOST}:host-gateway"

[default.local_start_api.parameters]
port = 3001
`;
