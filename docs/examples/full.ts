import type { Stage } from '../../lib/config.ts';

/** A stage that uses every setting. The account, names and ARNs are made up. */
export const full: Stage = {
  env: { account: '111122223333', region: 'eu-central-1' },
  protect: true,
  tags: { 'cost-center': '4711', owner: 'data-platform' },
  kmsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0987dcba-09fe-87dc-65ba-ab0987654321',
  permissionsBoundaryArn: 'arn:aws:iam::111122223333:policy/service-boundary',
  bootstrapQualifier: 'platform',
  tracing: false,

  startDate: '2026-01-01',
  ingestEveryMinutes: 5,
  chains: {
    ETHEREUM: { endpointsParameter: '/chain-insights/ethereum', startDate: '2015-07-30' },
    ARBITRUM: { endpointsParameter: '/chain-insights/arbitrum' },
    BSC: { endpointsParameter: '/chain-insights/bsc', confirmations: 15 },
    OPTIMISM: { ingestEveryMinutes: 10 },
    BASE: { endpointsParameter: '/chain-insights/base' },
    POLYGON: { enabled: false },
  },
  endpointsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  eraBucket: 'example-era-files',
  exportBucket: 'example-exports-us-west-2',

  tiers: {
    free: { ratePerSecond: 2, burst: 5, requestsPerMonth: 5_000 },
    standard: { ratePerSecond: 20, burst: 40, requestsPerMonth: 1_000_000 },
    internal: { ratePerSecond: 100, burst: 200, requestsPerMonth: 100_000_000 },
  },
  throttle: { ratePerSecond: 200, burst: 400 },
  table: { readUnits: 4_000, writeUnits: 400 },

  corsOrigins: ['https://example.com', 'https://www.example.com'],
  customDomain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' },
  },
  webAclArn:
    'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/chain-insights/a1b2c3d4-5678-90ab-cdef-111122223333',
  authorizerFunctionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:chain-insights-authorizer',

  // Use in at most one stage of an account and region; the others set 'existing'.
  apiLogRole: 'create',
  logRetentionDays: 365,
  alarms: {
    email: 'operations@example.com',
    dataOlderThanHours: 27,
    errorPercent: 1,
    p99Milliseconds: 1_000,
  },
};
