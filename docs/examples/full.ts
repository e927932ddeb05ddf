import type { Stage } from '../../lib/config.ts';

/** A stage that uses every setting but `beacon.network`, which private networks need. The account, names and ARNs are made up. */
export const full: Stage = {
  env: { account: '111122223333', region: 'eu-central-1' },
  protect: true,
  kmsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0987dcba-09fe-87dc-65ba-ab0987654321',
  vpc: {
    subnets: ['subnet-0a1b2c3d4e5f60718', 'subnet-0918f7e6d5c4b3a21'],
    securityGroups: ['sg-0123456789abcdef0'],
  },

  startDate: '2026-01-01',
  backfillDaysAtOnce: 20,
  chains: {
    ETHEREUM: {
      endpointsParameter: '/chain-insights/ethereum',
      startDate: '2015-07-30',
      provePerDay: 2,
      finality: 'proven',
      beacon: { urls: ['https://beacon.example.com'] },
      checkpoint: '0x5c3f1d0e9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d',
    },
    ARBITRUM: { endpointsParameter: '/chain-insights/arbitrum', evidence: 'checked' },
    BSC: { endpointsParameter: '/chain-insights/bsc', confirmations: 15 },
    OPTIMISM: { quorum: 2 },
    BASE: { endpointsParameter: '/chain-insights/base' },
    POLYGON: { enabled: false },
    UNICHAIN: { enabled: true },
  },
  eraBucket: 'example-era-files',
  exportBucket: 'example-exports-us-west-2',

  tiers: {
    free: { ratePerSecond: 2, requestsPerMonth: 5_000 },
    standard: { ratePerSecond: 20, requestsPerMonth: 1_000_000 },
    internal: { ratePerSecond: 100, requestsPerMonth: 100_000_000 },
  },
  requestsPerSecond: 200,

  corsOrigins: ['https://example.com', 'https://www.example.com'],
  pages: {
    publicDays: 30,
    publicFiles: 'CC0-1.0',
    embedOrigins: ['https://wiki.example.com'],
    keyUrl: 'https://example.com/keys',
  },
  customDomain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
  },
  webAclArn:
    'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/chain-insights/a1b2c3d4-5678-90ab-cdef-111122223333',
  authorizerFunctionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:chain-insights-authorizer',

  // Use in at most one stage of an account and region; the others set 'existing'.
  apiLogRole: 'create',
  logRetentionDays: 365,
  alarmEmail: 'operations@example.com',
  compareWith: 'https://metrics.example.com',
  probe: true,
  budgetUsd: 500,
};
