import type { Stage } from '../../lib/config.ts';

/** A first look at one chain, from a day that is soon read. All else is as it comes. */
export const minimal: Stage = {
  chains: {
    ARBITRUM: { enabled: false },
    BSC: { enabled: false },
    OPTIMISM: { enabled: false },
    BASE: { enabled: false },
    POLYGON: { enabled: false },
  },
  startDate: '2026-11-20',
};
