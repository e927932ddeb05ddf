import type { Stage } from '../../lib/config.ts';

/** Nodes of one's own for the chains with the most blocks, public nodes for the others. */
export const ownNodes: Stage = {
  protect: true,
  startDate: '2026-01-01',
  chains: {
    // Reads its whole history, which needs archive nodes.
    BASE: { endpointsParameter: '/chain-insights/base', startDate: '2023-06-15' },
    ARBITRUM: { endpointsParameter: '/chain-insights/arbitrum' },
    // These nodes lack the `finalized` tag.
    BSC: { endpointsParameter: '/chain-insights/bsc', confirmations: 15 },
    // Few blocks come in a quarter of an hour.
    ETHEREUM: { ingestEveryMinutes: 15 },
  },
  // What the three parameters are encrypted by.
  endpointsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  alarms: { email: 'operations@example.com' },
};
