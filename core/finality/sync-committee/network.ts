import type { BeaconFork, BeaconNetwork } from '../../chains/finality-rules.ts';

/* Time, periods and forks of a beacon chain. */

/**
 * The generalized indices of members under the root of a state or of a block's body, which forks change.
 * https://github.com/ethereum/consensus-specs: specs/{capella,deneb,electra,gloas}/light-client/sync-protocol.md. Fulu changes nothing.
 */
const CAPELLA = {
  finalizedRoot: 105,
  currentCommittee: 54,
  nextCommittee: 55,
  /** The payload header. Since Gloas, the hash of the execution block before it. */
  execution: 25,
  /** `block_hash` in the payload header, which servers that know Gloas prove directly. Absent since Gloas. */
  blockHash: 412,
  /** True if the payload header has the members of blobs. */
  hasBlobs: false,
};

type Layout = Omit<typeof CAPELLA, 'blockHash'> & { readonly blockHash: number | undefined };

const DENEB = { ...CAPELLA, blockHash: 812, hasBlobs: true };
const ELECTRA = { ...DENEB, finalizedRoot: 169, currentCommittee: 86, nextCommittee: 87 };
const GLOAS = {
  finalizedRoot: 735,
  currentCommittee: 2945,
  nextCommittee: 2946,
  execution: 2856,
  blockHash: undefined,
  hasBlobs: true,
};

const layouts = { capella: CAPELLA, deneb: DENEB, electra: ELECTRA, fulu: ELECTRA, gloas: GLOAS };

/** Returns the period of a slot. Each period has a sync committee of its own. */
export const periodOf = (network: BeaconNetwork, slot: number): number =>
  Math.floor(slot / (network.slotsPerEpoch * network.epochsPerPeriod));

/** Returns the time at which a slot begins, in seconds since 1970. */
export const timeOfSlot = ({ genesisTime, secondsPerSlot }: BeaconNetwork, slot: number): number =>
  genesisTime + slot * secondsPerSlot;

export const slotAt = ({ genesisTime, secondsPerSlot }: BeaconNetwork, time: number): number =>
  Math.floor((time - genesisTime) / secondsPerSlot);

export const forkAt = ({ forks, slotsPerEpoch }: BeaconNetwork, slot: number): BeaconFork | undefined =>
  forks.findLast(({ epoch }) => epoch * slotsPerEpoch <= slot);

/** Returns the layout of the fork at a slot. Nothing proves the version that a server names, so it is ignored. */
export const layoutAt = (network: BeaconNetwork, slot: number): Layout | undefined => {
  const fork = forkAt(network, slot);
  return fork && layouts[fork.name];
};
