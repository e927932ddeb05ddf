import type { Chain } from '../chains/chains.ts';

/**
 * The figures of a block that follow from its hash.
 * - `all`: count, gas and fees.
 * - `all but the L1 fee`: OP Mainnet before Bedrock charged it by the state of L1, so it is taken from the receipts.
 * - `none`: the hashes of Arbitrum's classic blocks are not those of their headers.
 */
export type Provability = 'all' | 'all but the L1 fee' | 'none';

/** Returns the figures of a block that `proveBlock` proves. */
export function provabilityOf({ rules }: Chain, number: number): Provability {
  if (rules.family === 'arbitrum' && number < rules.nitroBlock) return 'none';
  const hasUnprovenL1Fee = rules.family === 'op-stack' && rules.chargesL1Fee && number < rules.bedrockBlock;
  return hasUnprovenL1Fee ? 'all but the L1 fee' : 'all';
}
