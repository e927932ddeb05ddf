import { readFileSync } from 'node:fs';
import { type ChainName, defaultChainNames } from '#core/chains/chains.ts';
import { ETHEREUM_BEACON } from '#core/chains/finality-rules.ts';
import { readConfig, requireOwner, type Stage } from '#lib/config.ts';

const configOf = (stage: unknown) => readConfig('test', { test: stage });

const disabled = (names: readonly ChainName[]) =>
  Object.fromEntries(names.map((name) => [name, { enabled: false }]));

test('fills in every default for an empty stage', () => {
  expect(configOf({})).toEqual({
    protect: false,
    chains: defaultChainNames.map((name) => ({ name, evidence: 'proven' })),
    backfillDaysAtOnce: 5,
    tiers: { standard: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 } },
    requestsPerSecond: 100,
    pages: { embedOrigins: [] },
    corsOrigins: [],
    apiLogRole: 'none',
    logRetentionDays: 30,
    probe: false,
  });
});

test('has at most 39 fields', () => {
  const rows =
    readFileSync('docs/operate/settings.md', 'utf8').match(/^- `[\w.<>]+`(?: \(.*?\))?: ./gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.length).toBeLessThanOrEqual(39);
});

test.each([
  '*',
  'https://example.com',
  'http://localhost:3000',
  'https://xn--mnchen-3ya.example',
  'http://[::1]:8080',
])('accepts the origin %s, as browsers send it', (origin) => {
  expect(configOf({ corsOrigins: [origin] }).corsOrigins).toEqual([origin]);
});

const tier = { ratePerSecond: 1, requestsPerMonth: 1 };
const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1',
};

test.each([
  [{ chians: {} }, 'test: unknown field chians; allowed are env, protect, chains, startDate,'],
  [{ chains: { SOLANA: {} } }, 'test.chains: unknown field SOLANA; allowed are ETHEREUM, ARBITRUM, BSC,'],
  [{ chains: ['BSC'] }, 'test.chains: expected an object with ETHEREUM,'],
  [{ chains: disabled(defaultChainNames) }, 'test.chains: expected at least one chain that is enabled'],
  [{ startDate: '2026-02-30' }, 'test.startDate: expected a day as YYYY-MM-DD'],
  [{ startDate: '2062-01-01' }, 'test.startDate: expected a day as YYYY-MM-DD, at most today (UTC)'],
  [{ backfillDaysAtOnce: 5.5 }, 'test.backfillDaysAtOnce: expected a whole number from 1 to 100'],
  [{ backfillDaysAtOnce: 0 }, 'test.backfillDaysAtOnce: expected a whole number from 1 to 100'],
  [{ eraBucket: 's3://era-files' }, 'test.eraBucket: expected the name of a bucket, without s3://'],
  [{ exportBucket: 's3://exports' }, 'test.exportBucket: expected the name of a bucket, without s3://'],
  [{ eraBucket: 'Era_Files' }, 'test.eraBucket: expected the name of a bucket, without s3://'],
  [{ protect: 1 }, 'test.protect: expected true or false'],
  [{ env: { account: '123' } }, 'test.env.account: expected an account ID of 12 digits'],
  [{ env: { account: '111122223333' } }, 'test.env.region: expected a region such as eu-central-1'],
  [{ tiers: {} }, 'test.tiers: expected at least one tier'],
  [
    { tiers: { free: { ...tier, ratePerSecond: '5' } } },
    'test.tiers.free.ratePerSecond: expected a whole number from 1 to 2500',
  ],
  [{ tiers: { Free: tier } }, 'expected a name of up to 32 lower-case letters and digits'],
  [
    { tiers: { gold: { ...tier, ratePerSecond: 101 } } },
    'test.tiers.gold.ratePerSecond: expected no more than requestsPerSecond, the limit of all keys',
  ],
  [{ requestsPerSecond: 0 }, 'test.requestsPerSecond: expected a whole number from 1 to 2000'],
  [{ pages: true }, 'test.pages: expected an object with publicDays, publicFiles, embedOrigins, keyUrl'],
  [
    { pages: { publicFiles: 'for everyone' } },
    'test.pages.publicFiles: expected the identifier of a licence, such as CC0-1.0',
  ],
  [
    { compareWith: 'http://a.example' },
    'test.compareWith: expected a URL such as https://metrics.example.com',
  ],
  [{ pages: { publicDays: 0 } }, 'test.pages.publicDays: expected a whole number from 1 to 366'],
  [
    { pages: { public: 1 } },
    'test.pages: unknown field public; allowed are publicDays, publicFiles, embedOrigins, keyUrl',
  ],
  [{ vpc: { subnets: ['subnet-0a'] } }, 'test.vpc.securityGroups: expected a list of IDs such as sg-'],
  [
    { vpc: { subnets: ['sg-0a'], securityGroups: ['sg-0a'] } },
    'test.vpc.subnets.0: expected an ID such as subnet-0123456789abcdef0',
  ],
  [{ vpc: { subnets: [], securityGroups: [] } }, 'test.vpc.subnets: expected a list of IDs such as subnet-'],
  [{ budgetUsd: 0 }, 'test.budgetUsd: expected a whole number from 1 to 10000000'],
  [
    { budgetUsd: 50, env: { account: '111122223333', region: 'eu-north-1' } },
    'test.budgetUsd: expected none: CloudFormation has no budgets in eu-north-1',
  ],
  [
    { pages: { embedOrigins: ["https://example.com; script-src 'unsafe-inline'"] } },
    'test.pages.embedOrigins.0: expected an origin such as https://example.com',
  ],
  [{ pages: { keyUrl: 'javascript:alert(1)' } }, 'test.pages.keyUrl: expected an address such as https:'],
  [{ pages: { keyUrl: 'https://example.com/"onclick="' } }, 'test.pages.keyUrl: expected an address'],
  [{ pages: { embedOrigins: ['*'] } }, 'test.pages.embedOrigins.0: expected an origin such as https:'],
  [{ corsOrigins: 'https://example.com' }, 'test.corsOrigins: expected a list of origins'],
  [{ corsOrigins: ['*', 'https://example.com'] }, 'test.corsOrigins: expected no other origin beside *'],
  [
    { customDomain: { ...domain, name: 'example' } },
    'test.customDomain.name: expected a domain name such as',
  ],
  [{ customDomain: { name: 'api.example.com' } }, 'test.customDomain.certificateArn: expected an ARN of acm'],
  [
    { webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/x/1' },
    'test.webAclArn: expected an ARN of',
  ],
  [{ authorizerFunctionArn: 'my-function' }, 'test.authorizerFunctionArn: expected an ARN of lambda'],
  [
    {
      env: { account: '111122223333', region: 'eu-central-1' },
      webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/x/1',
    },
    'test.webAclArn: expected an ARN in the region and account of the stage, eu-central-1 and 111122223333',
  ],
  [
    { env: { account: '111122223333', region: 'eu-central-1' }, customDomain: domain },
    'test.customDomain.certificateArn: expected an ARN in the region and account of the stage',
  ],
  [{ authorizerFunctionArn: 'arn:aws:lambda:us-east-1:111122223333:function:' }, 'expected an ARN of lambda'],
  [{ apiLogRole: 'yes' }, 'test.apiLogRole: expected one of none, existing, create'],
  [{ logRetentionDays: 31 }, 'test.logRetentionDays: expected one of 1, 3, 5, 7, 14, 30,'],
  [{ alarmEmail: 'me' }, 'test.alarmEmail: expected an email address, or none'],
  [{ kmsKeyArn: 'alias/mine' }, 'test.kmsKeyArn: expected an ARN of kms'],
  [{ kmsKeyArn: 'arn:aws:kms:us-east-1:111122223333:key/1' }, 'test.kmsKeyArn: expected env too'],
  [
    {
      env: { account: '111122223333', region: 'eu-central-1' },
      kmsKeyArn: 'arn:aws:kms:us-east-1:111122223333:key/1',
    },
    'test.kmsKeyArn: expected an ARN in the region and account of the stage, eu-central-1 and 111122223333',
  ],
  [undefined, 'test: expected an object with env, protect'],
])('refuses %j, with the name of the field and the expected value', (stage, message) => {
  expect(() => configOf(stage)).toThrow(message);
});

test.each([
  [{ start: '' }, ': unknown field start; allowed are enabled, startDate,'],
  [{ enabled: 'no' }, '.enabled: expected true or false'],
  [{ confirmations: 0 }, '.confirmations: expected a whole number from 1 to 100000'],
  [{ evidence: 'none' }, '.evidence: expected proven, checked, or checked from a block'],
  [{ evidence: 'checked from -1' }, '.evidence: expected proven, checked, or checked from a block'],
  [{ quorum: 11 }, '.quorum: expected a whole number from 1 to 10'],
  [{ finality: 'believed' }, '.finality: expected one of proven, reported'],
  [{ checkpoint: '0x12' }, '.checkpoint: expected 32 bytes in hex'],
  [{ beacon: { urls: ['https://b.example'] } }, '.beacon: expected none: BSC has no such proof of finality'],
  [
    { beacon: { network: { ...ETHEREUM_BEACON, genesisTime: '0' } } },
    '.beacon.network.genesisTime: expected a whole number of at least 0',
  ],
  [{ beacon: { urls: ['http://b.example'] } }, '.beacon.urls.0: expected an https URL without credentials'],
  [
    { beacon: { urls: ['https://me:key@b.example'] } },
    '.beacon.urls.0: expected an https URL without credentials',
  ],
  [{ beacon: { urls: [] } }, '.beacon.urls: expected at least one URL'],
  [{ quorum: 4 }, '.quorum: expected no more than 3, the number of hosts of its public endpoints'],
  [
    { endpointsParameter: 'https://x.example/key' },
    '.endpointsParameter: expected the name of an SSM parameter, beginning with /',
  ],
])('refuses %j of a chain', (chain, message) => {
  expect(() => configOf({ chains: { BSC: chain } })).toThrow(`test.chains.BSC${message}`);
});

test.each([
  'https://example.com/',
  'https://Example.com',
  'https://example.com:443',
  'http://example.com:80',
  'https://münchen.example',
  'https://*.example.com',
  'https://me@example.com',
  'https://example.com?',
  "https://x'y.com",
])('refuses the origin %p', (origin) => {
  expect(() => configOf({ corsOrigins: [origin] })).toThrow(
    'test.corsOrigins.0: expected an origin as browsers send it, such as https://example.com',
  );
});

test.each([
  ['ETHEREUM', 411_392],
  ['GNOSIS', 1_714_688],
])('refuses an epoch of Gloas on %s that is not after its last fork, epoch %i', (name, gloasEpoch) => {
  const of = (epoch: number) => () => configOf({ chains: { [name]: { beacon: { gloasEpoch: epoch } } } });
  expect(of(gloasEpoch)).toThrow(
    `test.chains.${name}.beacon.gloasEpoch: expected a whole number of at least ${gloasEpoch + 1}`,
  );
  expect(of(gloasEpoch + 1)).not.toThrow();
});

test('refuses an epoch of Gloas beside a network of its own, which has another version of the fork', () => {
  const beacon = { gloasEpoch: 500_000, network: ETHEREUM_BEACON };
  expect(() => configOf({ chains: { ETHEREUM: { beacon } } })).toThrow(
    'test.chains.ETHEREUM.beacon.gloasEpoch: expected none beside network, whose forks have Gloas',
  );
});

test('lists all errors at once, with the file that contains them', () => {
  expect(() => configOf({ protect: 'yes', burst: 5 })).toThrow(
    /^The stage test \(lib\/stages\/test\.ts\) is not valid:\n {2}test\.protect: .*\n {2}test: unknown field burst;/,
  );
});

test('an account and region are required of a protected stage, with the field and the option in the message', () => {
  const check = (stage: Stage) => () => requireOwner('Test', readConfig('test', { test: stage }));
  const protectedStage: Stage = { protect: true, alarmEmail: 'none' };
  expect(check(protectedStage)).toThrow(
    "Test is protected, but would be deployed wherever the shell points: env is not set. Set env: { account, region } in the stage's file, or pass -c env=111122223333/eu-central-1.",
  );
  expect(
    check({ ...protectedStage, env: { account: '111122223333', region: 'eu-central-1' } }),
  ).not.toThrow();
});

describe('the target of alarms', () => {
  const env = { account: '111122223333', region: 'eu-central-1' };
  const check = (stage: Stage) => () => requireOwner('Test', readConfig('test', { test: stage }));

  test('is required of a protected stage, with the field and the option in the message', () => {
    expect(check({ protect: true, env })).toThrow(
      "Test is protected, but nobody receives its alarms: alarmEmail is not set. Set it in the stage's file, or pass -c alarmEmail=you@example.com.",
    );
    expect(check({})).not.toThrow();
  });

  test('is an address where the stage has a budget', () => {
    for (const alarmEmail of [undefined, 'none'])
      expect(check({ budgetUsd: 50, ...(alarmEmail && { alarmEmail }) })).toThrow(
        'Test has budgetUsd, but nobody receives its emails: set alarmEmail to an address.',
      );
    expect(check({ budgetUsd: 50, alarmEmail: 'on-call@example.com' })).not.toThrow();
  });
});
