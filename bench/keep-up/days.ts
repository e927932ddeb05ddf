import type { ChainName } from '../../core/chains/chains.ts';

export interface DayLoad {
  readonly blocks: number;
  readonly transactions: number;
}

/**
 * A day of each chain at the block times of November 2026, with the number of transactions that docs/cost.md assumes.
 * Chains without an entry are not measured.
 */
export const dayLoads: Partial<Record<ChainName, DayLoad>> = {
  ETHEREUM: { blocks: 7_200, transactions: 2_000_000 },
  ARBITRUM: { blocks: 345_600, transactions: 4_000_000 },
  BSC: { blocks: 192_000, transactions: 15_000_000 },
  OPTIMISM: { blocks: 43_200, transactions: 2_500_000 },
  BASE: { blocks: 432_000, transactions: 13_000_000 },
  POLYGON: { blocks: 49_400, transactions: 6_000_000 },
};
