import type { Stage } from '../../lib/config.ts';

/** A web page calls, with a key that everybody can read: under a name of one's own, and with tight limits. */
export const website: Stage = {
  corsOrigins: ['https://example.com', 'https://www.example.com'],
  customDomain: {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/12345678-1234-1234-1234-123456789012',
    // Without it, the record is made elsewhere, to the output CustomDomainTarget.
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' },
  },
  tiers: {
    // For the page's own key, which all its visitors share.
    page: { ratePerSecond: 20, burst: 40, requestsPerMonth: 500_000 },
    partner: { ratePerSecond: 10, burst: 20, requestsPerMonth: 100_000 },
  },
  throttle: { ratePerSecond: 50, burst: 100 },
};
