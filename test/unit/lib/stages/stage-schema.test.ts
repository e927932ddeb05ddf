import { NO_MAIL, QUERY_TIMEOUT_MS, stageSchema } from '#lib/stages/stage-schema.ts';

/* Proves the defaults of a stage and the limits of its fields. config.test.ts proves what one field asks of another, and the messages. */

const isValid = (stage: unknown) => stageSchema.safeParse(stage).success;
const arn = (service: string, rest: string) => `arn:aws:${service}:eu-central-1:111122223333:${rest}`;
const domain = { name: 'api.example.com', certificateArn: arn('acm', 'certificate/1') };

test('an empty stage has a tier, pages, and nothing that costs more or outlives it', () => {
  const { chains: _, ...stage } = stageSchema.parse({});
  expect(stage).toEqual({
    ...{ protect: false, probe: false, apiLogRole: 'none', logRetentionDays: 30, corsOrigins: [] },
    tiers: { standard: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 } },
    ...{ requestsPerSecond: 100, backfillDaysAtOnce: 5, pages: { embedOrigins: [] } },
  });
});

test('a tier lets twice its rate come at once', () => {
  const { tiers } = stageSchema.parse({ tiers: { gold: { ratePerSecond: 7, requestsPerMonth: 1 } } });
  expect(tiers).toEqual({ gold: { ratePerSecond: 7, burst: 14, requestsPerMonth: 1 } });
});

test('pages: false serves none, and an object all', () => {
  expect(stageSchema.parse({ pages: false }).pages).toBeUndefined();
  expect(stageSchema.parse({ pages: { publicDays: 7 } }).pages).toEqual({ publicDays: 7, embedOrigins: [] });
  expect(isValid({ pages: true })).toBe(false);
});

test.each<[string, (value: number) => unknown, number, number]>([
  ['backfillDaysAtOnce', (value) => ({ backfillDaysAtOnce: value }), 1, 100],
  ['requestsPerSecond', (value) => ({ requestsPerSecond: value }), 1, 2_000],
  ['budgetUsd', (value) => ({ budgetUsd: value }), 1, 10_000_000],
  ['pages.publicDays', (value) => ({ pages: { publicDays: value } }), 1, 366],
  ['ratePerSecond', (value) => ({ tiers: { a: { ratePerSecond: value, requestsPerMonth: 1 } } }), 1, 2_500],
  [
    'requestsPerMonth',
    (value) => ({ tiers: { a: { ratePerSecond: 1, requestsPerMonth: value } } }),
    1,
    1_000_000_000,
  ],
])('%s is a whole number within its limits', (_, stage, min, max) => {
  expect([min - 1, min, max, max + 1, 1.5].map((value) => isValid(stage(value)))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

test.each<[string, (value: string) => unknown, readonly string[], readonly string[]]>([
  [
    'an account',
    (account) => ({ env: { account, region: 'eu-central-1' } }),
    ['111122223333'],
    ['11112222333', '1111222233334'],
  ],
  [
    'a region',
    (region) => ({ env: { account: '111122223333', region } }),
    ['eu-central-1', 'us-gov-west-1'],
    ['eu', 'eu-central', 'EU-central-1'],
  ],
  [
    'a tier',
    (name) => ({ tiers: { [name]: { ratePerSecond: 1, requestsPerMonth: 1 } } }),
    ['a', `a${'1'.repeat(31)}`],
    ['', 'A', '1a', `a${'1'.repeat(32)}`],
  ],
  [
    'a bucket',
    (eraBucket) => ({ eraBucket }),
    ['a1b', 'my.bucket', 'a'.repeat(63)],
    ['ab', 'a'.repeat(64), 's3://bucket', 'Bucket', '-bucket'],
  ],
  [
    'a domain',
    (name) => ({ customDomain: { ...domain, name } }),
    ['api.example.com'],
    ['example', 'API.example.com', 'https://api.example.com'],
  ],
  [
    'a subnet',
    (id) => ({ vpc: { subnets: [id], securityGroups: ['sg-1'] } }),
    ['subnet-0a'],
    ['sg-1', 'subnet-', 'subnet-0G'],
  ],
  [
    'an address for keys',
    (keyUrl) => ({ pages: { keyUrl } }),
    ['https://example.com/keys', 'mailto:a@example.com'],
    ['http://example.com', 'mailto:a', 'https://example.com/"'],
  ],
  [
    'an origin that embeds',
    (origin) => ({ pages: { embedOrigins: [origin] } }),
    ['https://example.com', 'https://example.com:8443'],
    ['http://example.com', 'https://example.com/', 'https://Example.com', '*'],
  ],
  [
    'another service',
    (compareWith) => ({ compareWith }),
    ['https://metrics.example.com/a'],
    ['http://a.example', 'https://a.example?b', 'https://me@a.example', 'https://a.example#b'],
  ],
  [
    'an address of alarms',
    (alarmEmail) => ({ alarmEmail }),
    ['me@example.com', NO_MAIL],
    ['me', 'nobody', ''],
  ],
  [
    'a key',
    (kmsKeyArn) => ({ kmsKeyArn }),
    [arn('kms', 'key/1'), 'arn:aws-cn:kms:cn-north-1:111122223333:key/1'],
    [arn('kms', 'alias/1'), arn('s3', 'key/1')],
  ],
  [
    'an origin of callers',
    (origin) => ({ corsOrigins: [origin] }),
    ['*', 'https://example.com', 'http://localhost:3000'],
    ['example.com', 'https://example.com/', 'https://example.com:443', 'https://*.example.com'],
  ],
])('%s has its form', (_, stage, accepted, refused) => {
  expect(accepted.filter((value) => !isValid(stage(value)))).toEqual([]);
  expect(refused.filter((value) => isValid(stage(value)))).toEqual([]);
});

test.each([
  { vpc: { subnets: [], securityGroups: ['sg-1'] } },
  { burst: 5 },
  { chains: { SOLANA: {} } },
  { env: {} },
])('refuses %j', (stage) => {
  expect(isValid(stage)).toBe(false);
});

test('a query function ends before API Gateway does', () => {
  expect(QUERY_TIMEOUT_MS).toBeLessThan(29_000);
});
