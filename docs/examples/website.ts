import type { Stage } from '../../lib/config.ts';

/** A stage for a web page, whose key every visitor can read: its own domain, and tight limits. */
export const website: Stage = {
  corsOrigins: ['https://example.com', 'https://www.example.com'],
  customDomain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
    // Create a DNS record that points to the output CustomDomainTarget.
  },
  tiers: {
    // For the key of the page, shared by its visitors.
    page: { ratePerSecond: 20, requestsPerMonth: 500_000 },
    partner: { ratePerSecond: 10, requestsPerMonth: 100_000 },
  },
  requestsPerSecond: 50,
};
