import * as z from 'zod';
import { beaconNetworkSchema } from '../../core/chains/beacon-network.ts';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import {
  EVIDENCE_POLICIES,
  type EvidencePolicy,
  finalityPolicies,
  isEvidencePolicy,
} from '../../core/figures/day-figures.ts';
import { arn, date, flag, idsOf, oneOf, strictObject, text, wholeNumber } from './field-kinds.ts';

/*
 * Every choice of a stage, each with a default, so that an empty stage works. `npm run generate` copies the comments of the fields to
 * docs/settings.md, so their links begin there. This module must not import aws-cdk-lib: the command line reads stages too, and
 * aws-cdk-lib is a devDependency that takes long to load.
 */

/** Retention periods of CloudWatch Logs, in days. 9999 keeps logs without end. The compiler checks them in log-group.ts. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
  9999,
] as const;

/** Timeout of a query function. Three attempts of 3 s at the table fit in; API Gateway times out after 29 s. */
export const QUERY_TIMEOUT_MS = 20_000;

const bucket = text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket, without s3://');

const env = strictObject({
  /** Account of the stage. Credentials and ARNs of any other are refused. */
  account: text(/^\d{12}$/, 'an account ID of 12 digits'),
  /** Region of the stage, such as `eu-central-1`; with `env.account`. */
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as eu-central-1'),
});

const chain = strictObject({
  /** Reads the chain; by default unless it is [optional](chains.md). Existing days are served anyway. */
  enabled: flag.optional(),
  /** In place of the stage’s value, for this chain. */
  startDate: date.optional(),
  /** For nodes without the tag `finalized`: blocks that must follow a final one. */
  confirmations: wholeNumber(1, 100_000).optional(),
  /**
   * `proven` (default); `checked` also accepts nodes whose blocks [cannot be proven](definitions.md#what-is-proven); `checked from
   * <block>` [unknown rules](forks.md#the-way-on).
   */
  evidence: z.custom<EvidencePolicy>(isEvidencePolicy, `expected ${EVIDENCE_POLICIES}`).default('proven'),
  /** Hosts that must support a final block: by default 2, or 1 where all nodes are of one host. */
  quorum: wholeNumber(1, 10).optional(),
  /**
   * Of `ETHEREUM` and `BSC`: `proven` waits for the chain’s [proof](definitions.md#proofs-of-finality), `reported` asks for none. By
   * default hosts are believed after 24 hours without a proof.
   */
  finality: oneOf(finalityPolicies).optional(),
  /**
   * Of `ETHEREUM`: the `urls` of its [light-client servers](#light-client-servers), which are no secret, and the `network` if it is
   * [private](local.md#private-networks).
   */
  beacon: strictObject({
    urls: z
      .array(text(/^https:\/\/[^@?#\s]+$/, 'an https URL without credentials'), 'expected a list of URLs')
      .min(1, 'expected at least one URL')
      .optional(),
    network: z.optional(beaconNetworkSchema),
  }).optional(),
  /** Of `ETHEREUM` and `BSC`: [where proofs begin](#light-client-servers), 32 bytes in hex. */
  checkpoint: text(/^0x[0-9a-f]{64}$/, '32 bytes in hex').optional(),
  /** Name of the SSM parameter with [its nodes](#nodes-of-your-own); by default public nodes. */
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
  /** Requests a second of each key of this usage plan, twice as many at once; at most `requestsPerSecond`. */
  ratePerSecond: wholeNumber(1, 2_500),
  /** Quota of each key for a calendar month. */
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
  /**
   * Domain that serves the API, with TLS 1.2 or newer; point its DNS record to the output `CustomDomainTarget`. Closes the `execute-api`
   * address.
   */
  name: text(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'a domain name such as api.example.com'),
  /** Its certificate of ACM, issued, in the region of the stack. */
  certificateArn: arn('acm', 'certificate/'),
});

const pageFields = strictObject({
  /** Latest days of each chain that the [explorer](explorer.md) shows to everyone. `pages: false` serves no pages at all. */
  publicDays: wholeNumber(1, 366).optional(),
  /** Origins whose pages may show [charts in a frame](explorer.md#embed-a-chart). */
  embedOrigins: z.array(embedder, 'expected a list of origins').default([]),
  /** Address where people ask for a key: `https://…` or `mailto:…`. */
  keyUrl: keyUrl.optional(),
});

/** Undefined where the stage has no pages. */
const pages = z
  .transform((value: false | z.input<typeof pageFields>) => (value === false ? undefined : value))
  .pipe(pageFields.optional());

const vpc = strictObject({
  /** Subnets of the functions that call nodes, the API and the bucket of exports ([network](#a-network-of-your-own)). */
  subnets: idsOf('subnet'),
  /** Their security groups. */
  securityGroups: idsOf('sg'),
});

/** The value of `alarmEmail` for a stage that wants no mail. */
export const NO_MAIL = 'none';

const alarmEmail = z
  .string('expected an e-mail address, or none')
  .refine(
    (value) => value === NO_MAIL || z.email().safeParse(value).success,
    'expected an e-mail address, or none',
  );

export const stageSchema = strictObject({
  env: env.optional(),

  /** The table, the days and the logs outlive the stack ([removal](releases.md#prod)). */
  protect: flag.default(false),

  chains: chains.prefault({}),
  /** First day to read; by default 30 days before the first run. It can move back at any time. */
  startDate: date.optional(),
  /** Days of a chain that a backfill reads at once, each in a function of its own. */
  backfillDaysAtOnce: wholeNumber(1, 100).default(5),
  /** Bucket with [era files](scale.md#from-era-files) that backfills may list and read. */
  eraBucket: bucket.optional(),
  /** Existing bucket for [daily exports](operations.md#recovery), also of another region or account. */
  exportBucket: bucket.optional(),

  /* Usage plans. Each key belongs to one. */
  tiers: tiers.default({ standard: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 } }),
  /**
   * Requests a second of all keys together, for each method of each path; the table serves 20 read units for each. [Caps the
   * bill](cost.md#what-caps-it).
   */
  requestsPerSecond: wholeNumber(1, 2_000).default(100),

  /* The explorer and the API reference at the root of the API, which need no key. */
  pages: pages.prefault({}),
  /** Origins, or `*`, whose [pages](api.md#calls-from-web-pages) may call; lower case, without path and default port. */
  corsOrigins: z.array(origin, 'expected a list of origins').default([]),
  customDomain: customDomain.optional(),
  /** Regional [web ACL](security.md#a-web-acl) of AWS WAF in front of the API. */
  webAclArn: arn('wafv2', 'regional/webacl/').optional(),
  /** Lambda [authorizer](security.md#an-authorizer), in addition to the key. */
  authorizerFunctionArn: arn('lambda', 'function:[\\w-]+').optional(),

  /** [Role](#the-log-role-of-the-account) with which API Gateway writes logs, or `none`. */
  apiLogRole: oneOf(['none', 'existing', 'create']).default('none'),
  /** Retention of all logs of the stage, in days. */
  logRetentionDays: oneOf(RETENTION_DAYS).default(30),
  /** Your key [encrypts](#encrypt-with-your-own-key) table, logs, queues, reports and alarms; requires `env`. */
  kmsKeyArn: arn('kms', 'key/').optional(),
  vpc: vpc.optional(),

  /** Gets a mail when an alarm starts and ends. `none` says that nobody wants them; a protected stage must choose. */
  alarmEmail: alarmEmail.optional(),
  /** Adds [a probe](deploy.md#the-probe) that calls the API like a client every 20 minutes. */
  probe: flag.default(false),
  /**
   * Monthly budget of the whole account in US dollars: a forecast above it mails `alarmEmail`. CloudFormation has none in [20
   * regions](../lib/stages/budget-regions.ts).
   */
  budgetUsd: wholeNumber(1, 10_000_000).optional(),
});
