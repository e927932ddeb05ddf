import * as z from 'zod';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import {
  EVIDENCE_POLICIES,
  type EvidencePolicy,
  finalityPolicies,
  isEvidencePolicy,
} from '../../core/figures/day-figures.ts';
import { beaconNetworkSchema } from '../../lambda/beacon-network.ts';
import { arn, date, flag, idsOf, oneOf, strictObject, text, wholeNumber } from './field-kinds.ts';

/*
 * Every choice of a stage, each with a default, so that an empty stage works. docs/settings.md explains them. This module must not
 * import aws-cdk-lib: the command line reads stages too, and aws-cdk-lib is a devDependency that takes long to load.
 */

/** Retention periods of CloudWatch Logs, in days. 9999 keeps logs without end. The compiler checks them in log-group.ts. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
  9999,
] as const;

/** Timeout of a query function. Three attempts of 3 s at the table fit in; API Gateway times out after 29 s. */
export const QUERY_TIMEOUT_MS = 20_000;

const bucket = text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket, without s3://');

const chain = strictObject({
  /** Ingests the chain. When false, the API still serves the days that are final already. By default true, except for optional chains. */
  enabled: flag.optional(),
  /** Overrides the stage's value. */
  startDate: date.optional(),
  /** Number of blocks after which a block counts as final, for nodes without the `finalized` tag. */
  confirmations: wholeNumber(1, 100_000).optional(),
  /**
   * `checked` also accepts nodes whose blocks cannot be proven. Such blocks pass consistency checks, and their days are marked.
   * `checked from 25000000` accepts blocks from this one on, whatever rules they follow: docs/runbook.md, a chain has forked.
   */
  evidence: z.custom<EvidencePolicy>(isEvidencePolicy, `expected ${EVIDENCE_POLICIES}`).default('proven'),
  /** Hosts that must support a final block. By default 2, or 1 where the nodes are of one host. */
  quorum: wholeNumber(1, 10).optional(),
  /**
   * Only of chains that prove which block is final. With `proven`, days wait for that proof, however long; with `reported`, nobody asks
   * for one. By default hosts are believed again after 24 hours without it.
   */
  finality: oneOf(finalityPolicies).optional(),
  /** Only of Ethereum: light-client servers, which need not be trusted. By default public ones, if the nodes are. They are no secret. */
  beaconUrls: z
    .array(text(/^https:\/\/[^@?#\s]+$/, 'an https URL without credentials'), 'expected a list of URLs')
    .min(1, 'expected at least one URL')
    .optional(),
  /** Only of a private Ethereum: its beacon chain, in place of mainnet's. */
  beaconNetwork: z.optional(beaconNetworkSchema),
  /** The start of the proofs: the root of a final beacon block of Ethereum, or the hash of a final epoch block of BSC. */
  checkpoint: text(/^0x[0-9a-f]{64}$/, '32 bytes in hex').optional(),
  /** Name of an SSM SecureString with the URLs of the chain's nodes. Without it, public nodes are read. */
  endpointsParameter: text(
    /^\/[\w.\-/]{1,1000}$/,
    'the name of an SSM parameter, beginning with /',
  ).optional(),
});

const chainOrDefaults = chain.prefault({});
const chains = strictObject(
  Object.fromEntries(chainNames.map((name) => [name, chainOrDefaults])) as Record<
    ChainName,
    typeof chainOrDefaults
  >,
);

/** Limits of each key of a tier. Twice as many requests as its rate may come at once. */
const tier = strictObject({
  ratePerSecond: wholeNumber(1, 2_500),
  requestsPerMonth: wholeNumber(1, 1_000_000_000),
}).transform((limits) => ({ ...limits, burst: 2 * limits.ratePerSecond }));

const tiers = z.record(z.string().regex(/^[a-z][a-z0-9]{0,31}$/), tier, {
  error: ({ code }) =>
    code === 'invalid_key'
      ? 'expected a name of up to 32 lower-case letters and digits'
      : 'expected an object of tiers',
});

const ORIGIN = 'expected an origin as browsers send it, such as https://example.com, or *';

/** Browsers send no path, no default port, no upper case and no other script. An origin that differs would never match. */
const origin = z
  .string(ORIGIN)
  .refine(
    (value) => value === '*' || (/^https?:\/\/[^*,']+$/.test(value) && URL.parse(value)?.origin === value),
    ORIGIN,
  );

const embedder = text(/^https:\/\/[^/*,;'"\sA-Z]+$/, 'an origin such as https://example.com, in lower case');

const keyUrl = text(
  /^(https:\/\/[^\s"'<>&]+|mailto:[^\s"'<>&]+@[^\s"'<>&]+)$/,
  'an address such as https://example.com/keys or mailto:keys@example.com',
);

const customDomain = strictObject({
  name: text(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'a domain name such as api.example.com'),
  /** In the region of the stack. */
  certificateArn: arn('acm', 'certificate/'),
});

const pageFields = strictObject({
  /** Number of latest days of each chain that the pages show to everyone, also without a key. None without it. */
  publicDays: wholeNumber(1, 366).optional(),
  /** Origins whose pages may show the charts of `/embed` in a frame. Without any, there is no such page. */
  embedOrigins: z.array(embedder, 'expected a list of origins').default([]),
  /** Address to which the pages send people who want a key. */
  keyUrl: keyUrl.optional(),
});

/** Undefined where the stage has no pages. */
const pages = z
  .transform((value: false | z.input<typeof pageFields>) => (value === false ? undefined : value))
  .pipe(pageFields.optional());

const vpc = strictObject({ subnets: idsOf('subnet'), securityGroups: idsOf('sg') });

/** The value of `alarmEmail` for a stage that wants no mail. */
export const NO_MAIL = 'none';

const alarmEmail = z
  .string('expected an e-mail address, or none')
  .refine(
    (value) => value === NO_MAIL || z.email().safeParse(value).success,
    'expected an e-mail address, or none',
  );

export const stageSchema = strictObject({
  /** Account and region of the stage; credentials of any other are refused. Without it, the credentials decide. */
  env: strictObject({
    account: text(/^\d{12}$/, 'an account ID of 12 digits'),
    region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as eu-central-1'),
  }).optional(),

  /** Keeps the table and the logs when the stack is deleted. When false, `cdk destroy` deletes them. */
  protect: flag.default(false),

  chains: chains.prefault({}),
  /** First day to ingest. Earlier days cost RPC calls, which public nodes limit. By default 30 days before the first run of each chain. */
  startDate: date.optional(),
  /** Days of a chain that a backfill reads at once. Each occupies one function, which reads up to 32 blocks at once. */
  backfillDaysAtOnce: wholeNumber(1, 100).default(5),
  /** Bucket of this or another account with era files. The ingest function may list and read it, for backfills. */
  eraBucket: bucket.optional(),
  /** Existing bucket for the daily exports of the table, also of another region or account. Without it, the stack has one of its own. */
  exportBucket: bucket.optional(),

  /** Usage plans by name. Each key belongs to one. */
  tiers: tiers.default({ standard: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 } }),
  /**
   * Limit of all keys together, for each method of each path. Twice as many may come at once, and the table serves 20 read units a second
   * for each: a cap on the bill.
   */
  requestsPerSecond: wholeNumber(1, 2_000).default(100),

  /** Serves the explorer and the API reference at the API's root, to everyone, without a key; `false` serves none. */
  pages: pages.prefault({}),

  /** Origins whose pages may call the API; `*` allows any. CORS is off when the list is empty. */
  corsOrigins: z.array(origin, 'expected a list of origins').default([]),
  /** Domain of the API, with a DNS record of yours that leads to the output CustomDomainTarget. The execute-api address is then closed. */
  customDomain: customDomain.optional(),
  /** Regional AWS WAF web ACL in front of the API. */
  webAclArn: arn('wafv2', 'regional/webacl/').optional(),
  /** Lambda authorizer that allows or denies each request, in addition to its key. It sees all but the body. */
  authorizerFunctionArn: arn('lambda', 'function:[\\w-]+').optional(),

  /**
   * Role with which API Gateway writes logs. All APIs of an account and region share it: `none` writes no logs, `existing`
   * uses the role that is set, `create` sets one.
   */
  apiLogRole: oneOf(['none', 'existing', 'create']).default('none'),
  logRetentionDays: oneOf(RETENTION_DAYS).default(30),

  /** Customer-managed key that encrypts the table, logs, queues, reports and alarms. docs/settings.md lists what its policy must allow. */
  kmsKeyArn: arn('kms', 'key/').optional(),
  /** Existing network of the functions that call nodes, the API and the bucket of exports. It must lead to the internet and to AWS. */
  vpc: vpc.optional(),

  /** Receives an e-mail when an alarm starts and when it ends. `none` is for a stage that wants none; one with `protect` must choose. */
  alarmEmail: alarmEmail.optional(),
  /** Calls the API every 20 minutes with a key of its own, which `keys probe` issues, and raises an alarm when it fails twice. */
  probe: flag.default(false),
  /** Monthly budget of the whole account in US dollars. `alarmEmail` gets a mail when a forecast exceeds it. */
  budgetUsd: wholeNumber(1, 10_000_000).optional(),
});
