import type { Stage } from '../../lib/config.ts';

/** A stage for a web page, whose key every visitor can read: its own domain, and tight limits. */
export const website: Stage = {
  corsOrigins: ['https://example.com', 'https://www.example.com'],
  customDomain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
    // Without a zone, create a record that points to the output CustomDomainTarget.
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' },
  },
  tiers: {
    // For the key of the page, shared by its visitors.
    page: { ratePerSecond: 20, burst: 40, requestsPerMonth: 500_000 },
    partner: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 },
  },
  throttle: { ratePerSecond: 50, burst: 100 },
};
