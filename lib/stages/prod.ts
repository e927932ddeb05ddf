import type { Stage } from '../config.ts';

/** The stage of `npx cdk deploy -c stage=prod`. Read docs/operate/deploy.md before its first deployment. */
export const prod: Stage = {
  protect: true,
  probe: true,
  // Requires API Gateway's log role in the account and region.
  apiLogRole: 'existing',
  logRetentionDays: 90,
  tiers: {
    free: { ratePerSecond: 5, requestsPerMonth: 10_000 },
    standard: { ratePerSecond: 20, requestsPerMonth: 1_000_000 },
  },
};
