import type { Stage } from '../config.ts';

/** What `npx cdk deploy -c stage=prod` deploys. docs/deploy.md says what to decide before the first time. */
export const prod: Stage = {
  protect: true,
  // Needs the role that API Gateway logs by, once for each account and region.
  apiLogRole: 'existing',
  logRetentionDays: 90,
  tiers: {
    free: { ratePerSecond: 5, burst: 10, requestsPerMonth: 10_000 },
    standard: { ratePerSecond: 20, burst: 40, requestsPerMonth: 1_000_000 },
  },
};
