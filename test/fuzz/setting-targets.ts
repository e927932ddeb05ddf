import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import fc from 'fast-check';
import { chainOf } from '#core/chains/chains.ts';
import { HOST_PATTERN } from '#core/figures/day-figures.ts';
import { quote, secretEndpoints } from '#core/rpc/endpoint.ts';
import { ParameterError, readEndpointUrls } from '#core/rpc/endpoints-parameter.ts';
import { readConfig } from '#lib/config.ts';
import { readSettings } from '#local/settings.ts';
import { changed, type FuzzTarget, fuzzTarget, hostileJson, hostileText, must } from './target.ts';

/* Configuration: stages, the CDK context, environment variables, SSM parameters. */

const SECRET = 'k3y-0f-a-paid-n0de';

const stage = {
  env: { account: '123456789012', region: 'eu-central-1' },
  chains: { BASE: { enabled: true, endpointsParameter: '/a' } },
  startDate: '2026-11-01',
  tiers: { standard: { ratePerSecond: 10, requestsPerMonth: 100_000 } },
  corsOrigins: ['https://example.com'],
  pages: { embedOrigins: ['https://example.com'], keyUrl: 'https://example.com/keys' },
  vpc: { subnets: ['subnet-0a'], securityGroups: ['sg-0b'] },
  customDomain: undefined,
  webAclArn: undefined,
  alarmEmail: 'none',
  requestsPerSecond: undefined,
};

const variables = {
  HOST: '127.0.0.1',
  PORT: '0',
  API_KEY: 'key',
  DATA_DIR: 'data',
  TABLE_HOST: '127.0.0.1',
  TABLE_PORT: '0',
  INGEST_START_DATE: '2026-11-01',
  INGEST_EVERY_SECONDS: '5',
  RPC_URLS_BASE: `https://node.example/${SECRET}`,
  CONFIRMATIONS_BASE: '5',
};
const environment = fc.tuple(
  fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(variables)), hostileText), hostileText),
  fc.constantFrom('', 'ftp:', '\\\\'),
);

/** URLs with a secret in each part, and what is no URL. */
const url = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS:', '//', 'javascript:', 'https://u:p@'),
    fc.oneof(
      hostileText,
      fc.constantFrom('node.example', '[::1]', '127.1', 'xn--a', 'a.co.uk', '=1+1', '-a.example'),
    ),
    fc.constantFrom(`/${SECRET}`, `?key=${SECRET}`, `#${SECRET}`, `:99999/${SECRET}`, ''),
  )
  .map((parts) => parts.join(''));
const parameterValue = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.array(fc.oneof(url, hostileText), { maxLength: 5 }).map((urls) => urls.join(',')),
  },
  // A parameter has 8 KB at most.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(',', 'https://a,', '%41', 'https://')
      .map((part) => part.repeat(8_192 / part.length)),
  },
);

/** A parameter store that returns one value. */
const storeOf = (Value: string) =>
  ({
    send: async (command: GetParameterCommand) => {
      must(command instanceof GetParameterCommand, 'only values are read');
      return { Parameter: { Type: 'SecureString', Value } };
    },
  }) as Pick<SSMClient, 'send'> as SSMClient;

/** @returns the message of the error that `run` throws, or undefined */
async function messageOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

async function readParameter(value: string): Promise<void> {
  try {
    const urls = await readEndpointUrls(storeOf(value), '/nodes');
    for (const endpoint of secretEndpoints(chainOf('BASE'), urls)) {
      // `https:///key` names a host, as browsers read it.
      if (endpoint.host.includes(SECRET)) continue;
      must(HOST_PATTERN.test(endpoint.host), `the public name ${JSON.stringify(endpoint.host)} is a host`);
      must(
        !quote(endpoint, `your key ${SECRET}`).includes(SECRET) || !endpoint.url.includes(SECRET),
        'quotes hide keys',
      );
    }
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    must(!error.message.includes(SECRET), 'a message holds no part of the value');
  }
}

export const settingTargets: readonly FuzzTarget[] = [
  fuzzTarget('stages and their names', fc.tuple(changed(stage), hostileText), async ([input, name]) => {
    const message = await messageOf(() => readConfig(name, { dev: input }));
    if (name !== 'dev') must(message?.startsWith('Unknown stage') === true, 'only own stages are known');
    const problem = await messageOf(() => readConfig('dev', { dev: input }));
    must(problem === undefined || problem.startsWith('The stage dev'), `errors are explained: ${problem}`);
  }),
  fuzzTarget('stages of any shape', hostileJson, async (input) => {
    const problem = await messageOf(() => readConfig('dev', { dev: input }));
    must(problem === undefined || problem.startsWith('The stage dev'), `errors are explained: ${problem}`);
  }),
  fuzzTarget('environment variables', environment, async ([changes, prefix]) => {
    const RPC_URLS_BASE = prefix + variables.RPC_URLS_BASE;
    const problem = await messageOf(() => readSettings({ ...variables, RPC_URLS_BASE, ...changes }));
    must(
      problem === undefined || problem.startsWith('Invalid environment: '),
      `errors are explained: ${problem}`,
    );
    must(!problem?.includes(SECRET), 'an error holds no URL');
  }),
  fuzzTarget('values of SSM parameters', parameterValue, readParameter),
];
