import { type Chain, chainOf } from '#core/chains/chains.ts';
import type { BeaconNetwork, FastFinalityRules } from '#core/chains/finality-rules.ts';

/* Chains that prove which of their blocks are final, with keys that anyone can derive. */

const { finality: ethereumFinality, ...ethereum } = chainOf('ETHEREUM');
if (ethereumFinality?.kind !== 'sync committee') throw new Error('Ethereum has a sync committee');

/** A beacon chain with all forks from the start on. */
export const simulatedNetwork: BeaconNetwork = {
  ...ethereumFinality.network,
  genesisValidatorsRoot: `0x${'de'.repeat(32)}`,
  forks: [{ name: 'fulu', epoch: 0, version: '0x06000001' }],
};

/** Ethereum with committees of `createBeaconChain`. */
export const simulatedEthereum: Chain = {
  ...ethereum,
  finality: { kind: 'sync committee', network: simulatedNetwork, publicServers: [] },
};

/** Epochs of 20 blocks. */
export const votingRules: FastFinalityRules = {
  bohrTime: 0,
  epochs: [{ time: 0, length: 20 }],
  certainAfter: 3,
};

/** BSC with the validators of `withVotes`. */
export const simulatedBsc: Chain = {
  ...chainOf('BSC'),
  finality: { kind: 'fast finality', rules: votingRules },
};
