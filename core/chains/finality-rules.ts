/** The evidence of finality that a chain carries, with what differs between networks. `core/finality` interprets it. */
export type FinalityRules =
  | SyncCommitteeRules
  | { readonly kind: 'fast finality'; readonly rules: FastFinalityRules };

export interface SyncCommitteeRules {
  readonly kind: 'sync committee';
  readonly network: BeaconNetwork;
  /** Hours after which a stored proof or a checkpoint is refused, by weak subjectivity. */
  readonly maxAgeHours: number;
  readonly gloas: GloasRules;
  /** Light-client servers that need no key. We have tried none of them. */
  readonly publicServers: readonly string[];
}

/** The fork Gloas on a network that has no epoch for it yet: an operator can set it once it is announced. */
interface GloasRules {
  /** Four bytes in hex. */
  readonly version: string;
  readonly maxAgeHours: number;
}

/** A beacon chain: a network that follows the specification of Ethereum's consensus layer, with its presets and configuration. */
export interface BeaconNetwork {
  readonly genesisValidatorsRoot: string;
  /** Seconds since 1970. */
  readonly genesisTime: number;
  readonly secondsPerSlot: number;
  readonly slotsPerEpoch: number;
  readonly epochsPerPeriod: number;
  readonly committeeSize: number;
  /** Ascending. */
  readonly forks: readonly BeaconFork[];
}

/** A fork with its first epoch and its version, which signatures cover. A header of a fork that is not listed is refused. */
export interface BeaconFork {
  readonly name: 'capella' | 'deneb' | 'electra' | 'fulu' | 'gloas';
  readonly epoch: number;
  /** Four bytes in hex. */
  readonly version: string;
}

/** https://github.com/eth-clients/mainnet: metadata/config.yaml. Gloas had no epoch there on 2026-11-28. */
export const ETHEREUM_BEACON: BeaconNetwork = {
  genesisValidatorsRoot: '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
  genesisTime: 1_606_824_023,
  secondsPerSlot: 12,
  slotsPerEpoch: 32,
  epochsPerPeriod: 256,
  committeeSize: 512,
  forks: [
    { name: 'capella', epoch: 194_048, version: '0x03000000' },
    { name: 'deneb', epoch: 269_568, version: '0x04000000' },
    { name: 'electra', epoch: 364_032, version: '0x05000000' },
    { name: 'fulu', epoch: 411_392, version: '0x06000000' },
  ],
};

/** Most validators can have left after 15.7 days, and after about 7 since Gloas: https://eips.ethereum.org/EIPS/eip-8061. */
export const ETHEREUM_AGES = {
  maxAgeHours: 14 * 24,
  gloas: { version: '0x07000000', maxAgeHours: 6 * 24 },
} as const;

/**
 * https://github.com/gnosischain/configs: mainnet/config.yaml of 2026-03-20, where Gloas had no epoch, and https://github.com/gnosischain/specs:
 * consensus/preset/gnosis/phase0.yaml and altair.yaml. The genesis is in Nethermind's BeaconChainSpec for Gnosis.
 */
export const GNOSIS_BEACON: BeaconNetwork = {
  genesisValidatorsRoot: '0xf5dcb5564e829aab27264b9becd5dfaa017085611224cb3036f573368dbb9d47',
  genesisTime: 1_638_993_340,
  secondsPerSlot: 5,
  slotsPerEpoch: 16,
  epochsPerPeriod: 512,
  committeeSize: 512,
  forks: [
    { name: 'capella', epoch: 648_704, version: '0x03000064' },
    { name: 'deneb', epoch: 889_856, version: '0x04000064' },
    { name: 'electra', epoch: 1_337_856, version: '0x05000064' },
    { name: 'fulu', epoch: 1_714_688, version: '0x06000064' },
  ],
};

/**
 * `compute_weak_subjectivity_period` of https://github.com/ethereum/consensus-specs, specs/electra/weak-subjectivity.md, with Gnosis'
 * CHURN_LIMIT_QUOTIENT of 4,096: 256 + 10 × 4,096 / 200 = 460 epochs of 80 s, 10.2 hours. It is never less than 256 epochs, 5.7 hours, whatever
 * Gloas changes. The version of Gloas is not announced: it continues those of the other forks.
 */
export const GNOSIS_AGES = { maxAgeHours: 10, gloas: { version: '0x07000064', maxAgeHours: 5 } } as const;

/** Returns a network in which Gloas begins with an epoch. */
export const withGloas = (network: BeaconNetwork, epoch: number, version: string): BeaconNetwork => ({
  ...network,
  forks: [...network.forks.filter(({ name }) => name !== 'gloas'), { name: 'gloas', epoch, version }],
});

/** The rules that differ between BSC's networks. Times are seconds since 1970. */
export interface FastFinalityRules {
  /** From this time on, an epoch block states the turn length. */
  readonly bohrTime: number;
  /** Blocks of an epoch, ascending. A new length counts from the first multiple of it on. */
  readonly epochs: readonly { readonly time: number; readonly length: number }[];
  /** This many blocks after an epoch block, its validators are sure to vote, regardless of how many there were before. */
  readonly certainAfter: number;
}

/** https://github.com/bnb-chain/bsc params/config.go: Bohr, Luban, Lorentz (BEP-520) and Maxwell (BEP-524). */
export const BSC_FINALITY: FastFinalityRules = {
  bohrTime: 1_727_317_200,
  epochs: [
    { time: 0, length: 200 },
    { time: 1_745_903_100, length: 500 },
    { time: 1_751_250_600, length: 1_000 },
  ],
  certainAfter: 200,
};
