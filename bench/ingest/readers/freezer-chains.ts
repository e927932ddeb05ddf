/** A chain for each client whose freezer is proven: geth, bsc, bor, op-geth and nitro. */
export const freezerChains = ['ETHEREUM', 'BSC', 'POLYGON', 'BASE', 'ARBITRUM'] as const;
export type FreezerChain = (typeof freezerChains)[number];
