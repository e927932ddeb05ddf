import type { Stage } from '../../lib/config.ts';

/** A stage with its own nodes for the chains with the most blocks, and public nodes for the others. */
export const ownNodes: Stage = {
  protect: true,
  startDate: '2026-01-01',
  chains: {
    // The whole history needs archive nodes.
    BASE: { endpointsParameter: '/chain-insights/base', startDate: '2023-06-15' },
    ARBITRUM: { endpointsParameter: '/chain-insights/arbitrum' },
    // For nodes without the `finalized` tag.
    BSC: { endpointsParameter: '/chain-insights/bsc', confirmations: 15 },
    // Ethereum adds only 75 blocks in 15 minutes.
    ETHEREUM: { ingestEveryMinutes: 15 },
  },
  // The key that encrypts the three parameters.
  endpointsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  alarms: { email: 'operations@example.com' },
};
