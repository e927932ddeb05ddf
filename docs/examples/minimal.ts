import type { Stage } from '../../lib/config.ts';

/** A stage with one chain from a recent day: the quickest way to a first row. */
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
