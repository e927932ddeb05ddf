import type { BeaconFork, BeaconNetwork } from '../../chains/finality-rules.ts';

/* Time, periods and forks of Ethereum's consensus layer. */

/** The generalized indices of members under the root of a state or of a block's body, which forks change. */
interface Layout {
  readonly finalizedRoot: number;
  readonly currentCommittee: number;
  readonly nextCommittee: number;
  /** The payload header. Since Gloas, the hash of the execution block before it. */
  readonly execution: number;
  /** `block_hash` in the payload header, which servers that know Gloas prove directly. Absent since Gloas. */
  readonly blockHash?: number;
  /** True if the payload header has the members of blobs. */
  readonly hasBlobs: boolean;
}

/*
 * https://github.com/ethereum/consensus-specs: specs/{capella,deneb,electra,gloas}/light-client/sync-protocol.md. Fulu changes nothing.
 */
const CAPELLA = {
  finalizedRoot: 105,
  currentCommittee: 54,
  nextCommittee: 55,
  execution: 25,
  blockHash: 412,
  hasBlobs: false,
};
const DENEB = { ...CAPELLA, blockHash: 812, hasBlobs: true };
const ELECTRA = { ...DENEB, finalizedRoot: 169, currentCommittee: 86, nextCommittee: 87 };
const GLOAS = {
  finalizedRoot: 735,
  currentCommittee: 2945,
  nextCommittee: 2946,
  execution: 2856,
  hasBlobs: true,
};

const layouts = {
  capella: CAPELLA,
  deneb: DENEB,
  electra: ELECTRA,
  fulu: ELECTRA,
  gloas: GLOAS,
} satisfies Record<BeaconFork['name'], Layout>;

/** Returns the period of a slot. Each period has a sync committee of its own. */
export const periodOf = (network: BeaconNetwork, slot: number): number =>
  Math.floor(slot / (network.slotsPerEpoch * network.epochsPerPeriod));

/** Returns the time at which a slot begins, in seconds since 1970. */
export const timeOfSlot = ({ genesisTime, secondsPerSlot }: BeaconNetwork, slot: number): number =>
  genesisTime + slot * secondsPerSlot;

export const slotAt = ({ genesisTime, secondsPerSlot }: BeaconNetwork, time: number): number =>
  Math.floor((time - genesisTime) / secondsPerSlot);

const forkAt = ({ forks, slotsPerEpoch }: BeaconNetwork, slot: number): BeaconFork | undefined =>
  forks.findLast(({ epoch }) => epoch * slotsPerEpoch <= slot);

/** Returns the layout of the fork at a slot. Nothing proves the version that a server names, so it is ignored. */
export const layoutAt = (network: BeaconNetwork, slot: number): Layout | undefined => {
  const fork = forkAt(network, slot);
  return fork && layouts[fork.name];
};

/** Returns the version that signatures of a slot cover, which is that of the slot before. */
export const signedVersion = (network: BeaconNetwork, signatureSlot: number): string | undefined =>
  forkAt(network, Math.max(signatureSlot, 1) - 1)?.version;
