import * as z from 'zod/mini';
import { type ChainName, chainNames } from '../../core/chains/chains.ts';
import { chainSettings } from '../../core/settings/chain-settings.ts';
import {
  date,
  flag,
  licence,
  oneOf,
  strictObject,
  text,
  wholeNumber,
} from '../../core/settings/field-kinds.ts';

/*
 * Every choice of a stage, each with a default, so that an empty stage works. `npm run generate` copies the comments of the fields to
 * docs/operate/settings.md, so their links begin there. This module must not import aws-cdk-lib: the command line reads stages too, and
 * aws-cdk-lib is a devDependency that takes long to load.
 */

/** Retention periods of CloudWatch Logs, in days. 9999 keeps logs without end. The compiler checks them in encrypted-resources.ts. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
  9999,
] as const;

/** Timeout of a query function. Three attempts of 3 s at the table fit in; API Gateway times out after 29 s. */
export const QUERY_TIMEOUT_MS = 20_000;

const arn = (service: string, resource: string) =>
  text(new RegExp(`^arn:aws[\\w-]*:${service}:[\\w-]+:\\d{12}:${resource}`), `an ARN of ${service}`);

/** A list of IDs of existing resources of EC2. */
function idsOf(kind: string) {
  const example = `${kind}-0123456789abcdef0`;
  const some = `expected a list of IDs such as ${example}, with at least one`;
  return z
    .array(text(new RegExp(`^${kind}-[0-9a-f]+$`), `an ID such as ${example}`), some)
    .check(z.minLength(1, some));
}

const bucket = text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket, without s3://');

const env = strictObject({
  /** Account of the stage. Credentials and ARNs of any other are refused. */
  account: text(/^\d{12}$/, 'an account ID of 12 digits'),
  /** Region of the stage, such as `eu-central-1`; with `env.account`. */
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as eu-central-1'),
});

const chain = strictObject({
  /** Reads the chain; by default unless it is [optional](../chains.md). Existing days are served anyway. */
  enabled: z.optional(flag),
  ...chainSettings,
});

const chainOrDefaults = z.prefault(chain, {});
const chains = strictObject(
  Object.fromEntries(chainNames.map((name) => [name, chainOrDefaults])) as Record<
    ChainName,
    typeof chainOrDefaults
  >,
);

/** Limits of each key of a tier. Twice as many requests as its rate may come at once. */
const tierFields = strictObject({
  /** Requests a second of each key of this usage plan, twice as many at once; at most `requestsPerSecond`. */
  ratePerSecond: wholeNumber(1, 2_500),
  /** Quota of each key for a calendar month. */
  requestsPerMonth: wholeNumber(1, 1_000_000_000),
});

const tier = z.pipe(
  tierFields,
  z.transform((limits) => ({ ...limits, burst: 2 * limits.ratePerSecond })),
);

const tiers = z.record(z.string().check(z.regex(/^[a-z][a-z0-9]{0,31}$/)), tier, {
  error: ({ code }) =>
    code === 'invalid_key'
      ? 'expected a name of up to 32 lower-case letters and digits'
      : 'expected an object of tiers',
});

const ORIGIN = 'expected an origin as browsers send it, such as https://example.com, or *';

/** Browsers send no path, no default port, no upper case and no other script. An origin that differs would never match. */
const isOrigin = (value: string) => /^https?:\/\/[^*,']+$/.test(value) && URL.parse(value)?.origin === value;
const origin = z.string(ORIGIN).check(z.refine((value) => value === '*' || isOrigin(value), ORIGIN));

const embedder = text(/^https:\/\/[^/*,;'"\sA-Z]+$/, 'an origin such as https://example.com, in lower case');

const keyUrl = text(
  /^(https:\/\/[^\s"'<>&]+|mailto:[^\s"'<>&]+@[^\s"'<>&]+)$/,
  'an address such as https://example.com/keys or mailto:keys@example.com',
);

const customDomain = strictObject({
  /** Domain that serves the API. Closes the `execute-api` address, so [move there in two steps](#move-to-a-domain). */
  name: text(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'a domain name such as api.example.com'),
  /** Its certificate of ACM, issued, in the region of the stack. */
  certificateArn: arn('acm', 'certificate/'),
});

const pageFields = strictObject({
  /** Latest days of each chain that the [explorer](../explorer.md) shows to everyone. `pages: false` serves no pages at all. */
  publicDays: z.optional(wholeNumber(1, 366)),
  /** Licence, such as `CC0-1.0`, of [files with all final days](../explorer.md#files-for-everyone), which the daily export then opens to everyone. */
  publicFiles: z.optional(licence),
  /** Origins whose pages may show [charts in a frame](../explorer.md#embed-a-chart). */
  embedOrigins: z._default(z.array(embedder, 'expected a list of origins'), []),
  /** Address where people ask for a key: `https://…` or `mailto:…`. */
  keyUrl: z.optional(keyUrl),
});

const otherUrl = text(/^https:\/\/[^\s"'<>&?#@]+$/, 'a URL such as https://metrics.example.com');

/** Undefined where the stage has no pages. */
const pages = z.pipe(
  z.transform((value: false | z.input<typeof pageFields>) => (value === false ? undefined : value)),
  z.optional(pageFields),
);

const vpc = strictObject({
  /** Subnets of the functions that call nodes, the API and the bucket of exports ([network](#a-network-of-your-own)). */
  subnets: idsOf('subnet'),
  /** Their security groups. */
  securityGroups: idsOf('sg'),
});

/** The value of `alarmEmail` for a stage that wants no email. */
export const NO_MAIL = 'none';

const MAIL = 'expected an email address, or none';
const alarmEmail = z.union([z.literal(NO_MAIL), z.email(MAIL)], MAIL);

export const stageSchema = strictObject({
  env: z.optional(env),

  /** The table, the days and the logs outlive the stack ([removal](releases.md#prod)). */
  protect: z._default(flag, false),

  chains: z.prefault(chains, {}),
  /** First day to read; by default 30 days before the first run. It can move back at any time. */
  startDate: z.optional(date),
  /** Days of a chain that a backfill reads at once, each in a function of its own. */
  backfillDaysAtOnce: z._default(wholeNumber(1, 100), 5),
  /** Bucket with [era files](scale.md#from-era-files) that backfills may list and read. */
  eraBucket: z.optional(bucket),
  /** Existing bucket for [daily exports](operations.md#recovery), also of another region or account. */
  exportBucket: z.optional(bucket),

  /* Usage plans. Each key belongs to one. */
  tiers: z._default(tiers, { standard: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 } }),
  /**
   * Requests a second of all keys together, for each method of each path; the table serves 20 read units for each, of one chain or several. [Caps the
   * bill](cost.md#what-caps-it).
   */
  requestsPerSecond: z._default(wholeNumber(1, 2_000), 100),

  /* The explorer and the API reference at the root of the API, which need no key. */
  pages: z.prefault(pages, {}),
  /** Origins, or `*`, whose [pages](../api.md#calls-from-web-pages) may call; lower case, without path and default port. */
  corsOrigins: z._default(z.array(origin, 'expected a list of origins'), []),
  customDomain: z.optional(customDomain),
  /** Regional [web ACL](security.md#a-web-acl) of AWS WAF in front of the API. */
  webAclArn: z.optional(arn('wafv2', 'regional/webacl/')),
  /** Lambda [authorizer](security.md#an-authorizer), in addition to the key. */
  authorizerFunctionArn: z.optional(arn('lambda', 'function:[\\w-]+')),

  /** [Role](#the-log-role-of-the-account) with which API Gateway logs errors, or `none`. With one, functions log each call. */
  apiLogRole: z._default(oneOf(['none', 'existing', 'create']), 'none'),
  /** Retention of all logs of the stage, in days. */
  logRetentionDays: z._default(oneOf(RETENTION_DAYS), 30),
  /** Your key [encrypts](#encrypt-with-your-own-key) table, logs, queues, reports and alarms; requires `env`. */
  kmsKeyArn: z.optional(arn('kms', 'key/')),
  vpc: z.optional(vpc),

  /** Gets an email when an alarm starts and ends. `none` says that nobody wants them; a protected stage must choose. */
  alarmEmail: z.optional(alarmEmail),
  /** URL of another service whose public files the daily export [compares](operations.md#compare); a day that differs is in the daily email. */
  compareWith: z.optional(otherUrl),
  /** Adds [a probe](deploy.md#the-probe) that calls the API like a client every 20 minutes. */
  probe: z._default(flag, false),
  /**
   * Monthly budget of the whole account in US dollars: a forecast above it emails `alarmEmail`. CloudFormation has none in [20
   * regions](../../lib/stages/budget-regions.ts).
   */
  budgetUsd: z.optional(wholeNumber(1, 10_000_000)),
});
