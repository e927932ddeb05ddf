/** The meaning of each field of a stage, for docs/settings.md. Links are relative to docs/. */
export const fieldTexts: Readonly<Record<string, string>> = {
  'env.account': 'account of the stage. Credentials and ARNs of any other are refused',
  'env.region': 'region of the stage, such as `eu-central-1`; with `env.account`',
  protect: 'the table, the days and the logs outlive the stack ([removal](releases.md#prod))',
  startDate: 'first day to read; by default 30 days before the first run. It can move back at any time',
  ingestEveryMinutes: 'time between the starts of two runs. A run takes at most 5 minutes',
  backfillDaysAtOnce: 'days of a chain that a backfill reads at once, each in a function of its own',
  'chains.<NAME>.enabled':
    'reads the chain; by default unless it is [optional](chains.md). Existing days are served anyway',
  'chains.<NAME>.startDate': 'in place of the stage’s value, for this chain',
  'chains.<NAME>.ingestEveryMinutes': 'in place of the stage’s value, for this chain',
  'chains.<NAME>.backfillDaysAtOnce': 'in place of the stage’s value, for this chain',
  'chains.<NAME>.confirmations': 'for nodes without the tag `finalized`: blocks that must follow a final one',
  'chains.<NAME>.evidence':
    '`proven` (default); `checked` also accepts nodes whose blocks [cannot be proven](definitions.md#what-is-proven); `checked from <block>` [unknown rules](forks.md#the-way-on)',
  'chains.<NAME>.quorum':
    'hosts that must support a final block: by default 2, or 1 where all nodes are of one host',
  'chains.<NAME>.finality':
    'of `ETHEREUM` and `BSC`: `proven` waits for the chain’s [proof](definitions.md#proofs-of-finality), `reported` asks for none. By default hosts are believed after 24 hours without a proof',
  'chains.<NAME>.beaconUrls':
    'of `ETHEREUM`: its [light-client servers](#light-client-servers). They are no secret',
  'chains.<NAME>.checkpoint':
    'of `ETHEREUM` and `BSC`: [where proofs begin](#light-client-servers), 32 bytes in hex',
  'chains.<NAME>.endpointsParameter':
    'name of the SSM parameter with [its nodes](#nodes-of-your-own); by default public nodes',
  endpointsKeyArn: 'KMS key that encrypts these parameters, unless it is `aws/ssm`',
  eraBucket: 'bucket with [era files](scale.md#from-era-files) that backfills may list and read',
  exportBucket:
    'existing bucket for [daily exports](operations.md#recovery), also of another region or account',
  'tiers.<name>.ratePerSecond':
    'requests a second of each key of this usage plan; at most `throttle.ratePerSecond`',
  'tiers.<name>.burst': 'requests at once of each key',
  'tiers.<name>.requestsPerMonth': 'quota of each key for a calendar month',
  'throttle.ratePerSecond': 'requests a second of all keys together, for each method of each path',
  'throttle.burst': 'requests at once of all keys together, for each method of each path',
  'table.readUnits': 'units a second that the table serves at most: a cap on its cost',
  'table.writeUnits': 'units a second that the table writes at most',
  pages: 'serves [the explorer and the reference](explorer.md), without a key',
  keyUrl: 'address where people ask for a key: `https://…` or `mailto:…`',
  publicDays: 'latest days of each chain that the [explorer](explorer.md) shows to everyone',
  embedOrigins: 'origins whose pages may show [charts in a frame](explorer.md#embed-a-chart)',
  corsOrigins:
    'origins, or `*`, whose [pages](api.md#calls-from-web-pages) may call; lower case, without path and default port',
  'customDomain.name': 'domain that serves the API, with TLS 1.2 or newer',
  'customDomain.certificateArn': 'its certificate of ACM, issued, in the region of the stack',
  'customDomain.hostedZone.id':
    'Route 53 zone that gets the DNS record; else create one to the output `CustomDomainTarget`',
  'customDomain.hostedZone.name': 'name of that zone',
  webAclArn: 'regional [web ACL](security.md#a-web-acl) of AWS WAF in front of the API',
  authorizerFunctionArn: 'Lambda [authorizer](security.md#an-authorizer), in addition to the key',
  apiLogRole: 'whether API Gateway logs, and through [which role](#the-log-role-of-the-account)',
  logRetentionDays: 'retention of all logs of the stage, in days',
  'tags.<name>': 'tags of each resource of the stack',
  kmsKeyArn:
    'your key [encrypts](#encrypt-with-your-own-key) table, logs, queues, reports and alarms; requires `env`',
  permissionsBoundaryArn: 'permissions boundary of every role of the stack',
  bootstrapQualifier: 'the `--qualifier` with which the account was bootstrapped, unless it is CDK’s own',
  tracing: 'traces a sample of the requests with X-Ray',
  'alarms.email':
    'gets a mail when an alarm starts and ends. `alarms: "none"` says that nobody wants them; a protected stage must choose',
  'alarms.dataOlderThanHours': 'age of a chain’s newest days that raises `data-old`. Normal is at most 24½',
  'alarms.errorPercent': 'share of 5xx that raises `api-errors`',
  'alarms.p99Milliseconds': '99th percentile of latency that raises `api-slow`',
  'alarms.headOlderThanMinutes':
    'age of the newest final block of a chain’s nodes that raises `head-old`. Normal is 20',
  probe: '[a probe](deploy.md#the-probe) that calls the API like a client every 20 minutes',
  budgetUsd: 'monthly budget of the whole account in US dollars. A forecast above it mails `alarms.email`',
};
