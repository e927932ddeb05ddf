/** The evidence of finality that a chain carries, with what differs between networks. `core/finality` interprets it. */
export type FinalityRules =
  | {
      readonly kind: 'sync committee';
      readonly network: BeaconNetwork;
      readonly publicServers: readonly string[];
    }
  | { readonly kind: 'fast finality'; readonly rules: FastFinalityRules };

/** A network of Ethereum's consensus layer. */
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

/** The version of Gloas on mainnet, which has no epoch yet: an operator can set it once it is announced. */
const GLOAS_VERSION = '0x07000000';

/** Returns a network in which Gloas begins with an epoch. */
export const withGloas = (network: BeaconNetwork, epoch: number): BeaconNetwork => ({
  ...network,
  forks: [
    ...network.forks.filter(({ name }) => name !== 'gloas'),
    { name: 'gloas', epoch, version: GLOAS_VERSION },
  ],
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
