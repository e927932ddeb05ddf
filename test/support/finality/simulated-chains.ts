import { type Chain, type ChainName, chainOf } from '#core/chains/chains.ts';
import type { BeaconNetwork, FastFinalityRules } from '#core/chains/finality-rules.ts';

/* Chains that prove which of their blocks are final, with keys that anyone can derive. */

function withCommittee(name: ChainName) {
  const { finality, firstBlock: _, ...row } = chainOf(name);
  if (finality?.kind !== 'sync committee') throw new Error(`${name} has a sync committee`);
  return { row, finality: { ...finality, publicServers: [] } };
}
const ethereum = withCommittee('ETHEREUM');
const gnosis = withCommittee('GNOSIS');

/** A beacon chain with all forks from the start on. */
export const simulatedNetwork: BeaconNetwork = {
  ...ethereum.finality.network,
  genesisValidatorsRoot: `0x${'de'.repeat(32)}`,
  forks: [{ name: 'fulu', epoch: 0, version: '0x06000001' }],
};

/** Ethereum with committees of `createBeaconChain`. */
export const simulatedEthereum: Chain = {
  ...ethereum.row,
  finality: { ...ethereum.finality, network: simulatedNetwork },
};

/** Gnosis from block 0 on, with committees of `createBeaconChain`, in the real network with its forks. */
export const simulatedGnosis: Chain = { ...gnosis.row, finality: gnosis.finality };
export const gnosisNetwork: BeaconNetwork = gnosis.finality.network;

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
