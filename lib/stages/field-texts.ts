/** The meaning of each field of a stage, for docs/settings.md. Links are relative to docs/. */
export const fieldTexts: Readonly<Record<string, string>> = {
  'env.account': 'account of the stage. Credentials and ARNs of any other are refused',
  'env.region': 'region of the stage, such as `eu-central-1`; with `env.account`',
  protect: 'the table, the days and the logs outlive the stack ([removal](releases.md#prod))',
  startDate: 'first day to read; by default 30 days before the first run. It can move back at any time',
  backfillDaysAtOnce: 'days of a chain that a backfill reads at once, each in a function of its own',
  'chains.<NAME>.enabled':
    'reads the chain; by default unless it is [optional](chains.md). Existing days are served anyway',
  'chains.<NAME>.startDate': 'in place of the stage’s value, for this chain',
  'chains.<NAME>.confirmations': 'for nodes without the tag `finalized`: blocks that must follow a final one',
  'chains.<NAME>.evidence':
    '`proven` (default); `checked` also accepts nodes whose blocks [cannot be proven](definitions.md#what-is-proven); `checked from <block>` [unknown rules](forks.md#the-way-on)',
  'chains.<NAME>.quorum':
    'hosts that must support a final block: by default 2, or 1 where all nodes are of one host',
  'chains.<NAME>.finality':
    'of `ETHEREUM` and `BSC`: `proven` waits for the chain’s [proof](definitions.md#proofs-of-finality), `reported` asks for none. By default hosts are believed after 24 hours without a proof',
  'chains.<NAME>.beaconUrls':
    'of `ETHEREUM`: its [light-client servers](#light-client-servers). They are no secret',
  'chains.<NAME>.beaconNetwork': 'of a private `ETHEREUM`: [its beacon chain](local.md#private-networks)',
  'chains.<NAME>.checkpoint':
    'of `ETHEREUM` and `BSC`: [where proofs begin](#light-client-servers), 32 bytes in hex',
  'chains.<NAME>.endpointsParameter':
    'name of the SSM parameter with [its nodes](#nodes-of-your-own); by default public nodes',
  eraBucket: 'bucket with [era files](scale.md#from-era-files) that backfills may list and read',
  exportBucket:
    'existing bucket for [daily exports](operations.md#recovery), also of another region or account',
  'tiers.<name>.ratePerSecond':
    'requests a second of each key of this usage plan, twice as many at once; at most `requestsPerSecond`',
  'tiers.<name>.requestsPerMonth': 'quota of each key for a calendar month',
  requestsPerSecond:
    'requests a second of all keys together, for each method of each path; the table serves 20 read units for each. [Caps the bill](cost.md#what-caps-it)',
  'pages.publicDays':
    'latest days of each chain that the [explorer](explorer.md) shows to everyone. `pages: false` serves no pages at all',
  'pages.embedOrigins': 'origins whose pages may show [charts in a frame](explorer.md#embed-a-chart)',
  'pages.keyUrl': 'address where people ask for a key: `https://…` or `mailto:…`',
  corsOrigins:
    'origins, or `*`, whose [pages](api.md#calls-from-web-pages) may call; lower case, without path and default port',
  'customDomain.name':
    'domain that serves the API, with TLS 1.2 or newer; point its DNS record to the output `CustomDomainTarget`. Closes the `execute-api` address',
  'customDomain.certificateArn': 'its certificate of ACM, issued, in the region of the stack',
  webAclArn: 'regional [web ACL](security.md#a-web-acl) of AWS WAF in front of the API',
  authorizerFunctionArn: 'Lambda [authorizer](security.md#an-authorizer), in addition to the key',
  apiLogRole: 'whether API Gateway logs, and through [which role](#the-log-role-of-the-account)',
  logRetentionDays: 'retention of all logs of the stage, in days',
  kmsKeyArn:
    'your key [encrypts](#encrypt-with-your-own-key) table, logs, queues, reports and alarms; requires `env`',
  'vpc.subnets':
    'subnets of the functions that call nodes, the API and the bucket of exports ([network](#a-network-of-your-own))',
  'vpc.securityGroups': 'their security groups',
  alarmEmail:
    'gets a mail when an alarm starts and ends. `none` says that nobody wants them; a protected stage must choose',
  probe: '[a probe](deploy.md#the-probe) that calls the API like a client every 20 minutes',
  budgetUsd:
    'monthly budget of the whole account in US dollars: a forecast above it mails `alarmEmail`. CloudFormation has none in [20 regions](../lib/stages/budget-regions.ts)',
};
