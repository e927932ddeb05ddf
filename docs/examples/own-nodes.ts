import type { Stage } from '../../lib/config.ts';

/** A stage with its own nodes for the chains with the most blocks, and public nodes for the others. The account is made up. */
export const ownNodes: Stage = {
  env: { account: '111122223333', region: 'eu-central-1' },
  protect: true,
  startDate: '2026-01-01',
  chains: {
    // The whole history needs archive nodes.
    BASE: { endpointsParameter: '/chain-insights/base', startDate: '2023-06-15' },
    ARBITRUM: { endpointsParameter: '/chain-insights/arbitrum' },
    // For nodes without the `finalized` tag.
    BSC: { endpointsParameter: '/chain-insights/bsc', confirmations: 15 },
  },
  alarmEmail: 'operations@example.com',
};
