import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { type ChainName, chainNames } from '../lambda/chains/chains.ts';
import { arn, date, flag, integer, listed, object, oneOf, text } from './config-fields.ts';

/* What a stage may choose. Each member has a default, so that an empty stage works; docs/deploy.md explains them one by one. */

const retentionDays = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const backfillDaysAtOnce = integer(1, 100);

const chain = object({
  /** Whether it is ingested. Days that are final already stay, and are answered. */
  enabled: flag.default(true),
  /** These take the place of what is chosen for all chains. */
  startDate: date.optional(),
  ingestEveryMinutes: integer(5, 30).optional(),
  backfillDaysAtOnce: backfillDaysAtOnce.optional(),
  /** How many blocks must follow one before it is final, for nodes that lack the `finalized` tag. */
  confirmations: integer(1, 100_000).optional(),
  /** Name of the SSM SecureString with the URLs of its nodes. Without it, public nodes are read that need no key. */
  endpointsParameter: text(
    /^\/[\w.\-/]{1,1000}$/,
    'the name of an SSM parameter, beginning with /',
  ).optional(),
});

/** What a usage plan lets each of its keys do. */
const tier = object({
  ratePerSecond: integer(1, 10_000),
  burst: integer(1, 5_000),
  requestsPerMonth: integer(1, 1_000_000_000),
});

const chainsOf = (value: typeof chain) =>
  Object.fromEntries(chainNames.map((name) => [name, value.optional()])) as Record<
    ChainName,
    z.ZodOptional<typeof value>
  >;

const stageSchema = object({
  /** Where the stage lives: a deployment with the credentials of another account is refused. Without it, it goes where they lead. */
  env: object({
    account: text(/^\d{12}$/, 'an account ID of 12 digits'),
    region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as eu-central-1'),
  }).optional(),

  /** Whether the table, its days and the logs survive whatever happens to the stack. Off, `cdk destroy` leaves nothing. */
  protect: flag.default(false),

  /** Each chain is ingested unless it is switched off here. */
  chains: object(chainsOf(chain)).default({}),
  /** First day to ingest. Earlier days of a chain's history cost RPC calls, which public nodes limit. */
  startDate: date.default('2026-11-01'),
  /** More often, and a run would meet the one before it; more rarely, and the alarms could not tell it from standing still. */
  ingestEveryMinutes: integer(5, 30).default(5),
  /** How many days of a chain a backfill reads at once. Each is a function at work, that asks nodes for up to 32 blocks at once. */
  backfillDaysAtOnce: backfillDaysAtOnce.default(5),
  /** The customer managed key by which the SSM parameters are encrypted, where it is not the account's own `aws/ssm`. */
  endpointsKeyArn: arn('kms', 'key/').optional(),

  /** Usage plans, by name: whoever gets a key gets it in one of them. */
  tiers: z
    .record(z.string().regex(/^[a-z][a-z0-9]{0,31}$/), tier, {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'expected a name of up to 32 small letters and digits'
          : 'expected an object of tiers',
    })
    .default({ standard: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 } }),
  /** The limit of all keys together, for each method of each path. */
  throttle: object({ ratePerSecond: integer(1, 10_000), burst: integer(1, 5_000) }).default({
    ratePerSecond: 100,
    burst: 200,
  }),
  /** The most that the table does in a second, whatever is asked of it: a cap on its cost. Above it, it throttles. */
  table: object({ readUnits: integer(1, 40_000), writeUnits: integer(10, 40_000) }).default({
    readUnits: 2_000,
    writeUnits: 200,
  }),

  /** Whether the API serves the explorer and the reference at its root, to everybody, without a key. */
  pages: flag.default(true),

  /** Web pages that may call the API, such as https://example.com; `*` is any. With none, CORS is off. */
  corsOrigins: z
    .array(
      text(
        /^(\*|https?:\/\/[^/*,'\sA-Z]+)$/,
        'an origin such as https://example.com, in small letters, or *',
      ),
      'expected a list of origins',
    )
    .default([]),
  customDomain: object({
    name: text(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'a domain name such as api.example.com'),
    /** In the region of the stack. */
    certificateArn: arn('acm', 'certificate/'),
    /** The zone in Route 53 that gets its record; without it, the record is made elsewhere, to the output CustomDomainTarget. */
    hostedZone: object({
      id: text(/^Z[A-Z0-9]+$/, 'a hosted zone ID'),
      name: z.string('expected a name'),
    }).optional(),
  }).optional(),
  /** A regional web ACL of AWS WAF that stands before the API. */
  webAclArn: arn('wafv2', 'regional/webacl/').optional(),
  /** A Lambda function that allows or refuses each request, beside its key. It sees all but the body, and is asked every time. */
  authorizerFunctionArn: arn('lambda', 'function:[\\w-]+').optional(),

  /**
   * The role by which API Gateway writes access and execution logs. It belongs to the account and region, not to an API:
   * `none` writes no logs, `existing` relies on one that is set, `create` sets one, for all APIs of the account and region.
   */
  apiLogRole: oneOf(['none', 'existing', 'create']).default('none'),
  logRetentionDays: z
    .literal(retentionDays, `expected one of ${listed(retentionDays)}`)
    .default(RetentionDays.ONE_MONTH),

  alarms: object({
    /** Gets a mail when an alarm is raised, and when it is over. */
    email: z.email('expected an e-mail address').optional(),
    /** How old a chain's newest days may become. In health it is 24 hours, and half an hour, at most. */
    dataOlderThanHours: integer(25, 1_000).default(30),
    errorPercent: integer(1, 100).default(1),
    p99Milliseconds: integer(50, 29_000).default(2_000),
  }).prefault({}),
});

/** What fits each by itself, and yet not the rest. */
function* contradictions(
  stage: z.output<typeof stageSchema>,
): Iterable<[path: PropertyKey[], message: string]> {
  const { env, tiers, throttle, corsOrigins, chains } = stage;
  if (Object.keys(tiers).length === 0) yield [['tiers'], 'expected at least one tier'];
  for (const [name, { ratePerSecond }] of Object.entries(tiers)) {
    if (ratePerSecond <= throttle.ratePerSecond) continue;
    yield [
      ['tiers', name, 'ratePerSecond'],
      'expected no more than throttle.ratePerSecond, the limit of all keys',
    ];
  }
  if (corsOrigins.length > 1 && corsOrigins.includes('*')) {
    yield [['corsOrigins'], 'expected no other origin beside *'];
  }
  if (chainNames.every((name) => chains[name]?.enabled === false)) {
    yield [['chains'], 'expected at least one chain that is enabled'];
  }
  const { webAclArn, authorizerFunctionArn, endpointsKeyArn, customDomain } = stage;
  const certificate = { 'customDomain.certificateArn': customDomain?.certificateArn };
  const arns = { webAclArn, authorizerFunctionArn, endpointsKeyArn, ...certificate };
  for (const [field, value] of Object.entries(arns)) {
    const [region, account] = value?.split(':').slice(3) ?? [];
    if (!env || !value || (region === env.region && account === env.account)) continue;
    yield [
      [field],
      `expected an ARN in the region and account of the stage, ${env.region} and ${env.account}`,
    ];
  }
}

const configSchema = stageSchema
  .check(({ value, issues }) => {
    for (const [path, message] of contradictions(value)) {
      issues.push({ code: 'custom', path, message, input: value });
    }
  })
  .transform(({ chains, startDate, ingestEveryMinutes, backfillDaysAtOnce, ...rest }) => ({
    ...rest,
    /** Those that are ingested, with what is chosen for all chains filled in. */
    chains: chainNames.flatMap((name) => {
      const { enabled, ...own } = chains[name] ?? { enabled: true };
      if (!enabled) return [];
      const forAll = {
        startDate: own.startDate ?? startDate,
        ingestEveryMinutes: own.ingestEveryMinutes ?? ingestEveryMinutes,
        backfillDaysAtOnce: own.backfillDaysAtOnce ?? backfillDaysAtOnce,
      };
      return [{ ...own, name, ...forAll }];
    }),
  }));

/** What a file in lib/stages may say. */
export type Stage = z.input<typeof configSchema>;
/** The same, checked and with every default filled in. */
export type Config = z.output<typeof configSchema>;

/**
 * Checks what a stage chooses.
 * @param stages what each chooses, by its name
 * @throws Error that names each wrong field and what is allowed there
 */
export function readConfig(name: string, stages: Readonly<Record<string, unknown>>): Config {
  if (!Object.hasOwn(stages, name)) {
    throw new Error(`stage: expected one of ${listed(Object.keys(stages))}, and not ${name}`);
  }
  const config = configSchema.safeParse(stages[name]);
  if (config.success) return config.data;
  const problems = config.error.issues.map(
    ({ path, message }) => `  ${[name, ...path].join('.')}: ${message}`,
  );
  throw new Error(`The stage ${name} (lib/stages/${name}.ts) is not valid:\n${problems.join('\n')}`);
}
