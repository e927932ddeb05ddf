import type { BlobSchedule } from './rule-types.ts';

/*
 * Times of forks in seconds, or their first blocks, with the values that they changed. A fork is active in a block whose timestamp or
 * number is at least that.
 */

/**
 * The last day for which all forks are known here: the date of the release. No hash covers the price of blobs or of L1 data, so for later
 * days a node must state it (`core/days/evidence.ts`).
 */
export const RULES_KNOWN_UNTIL = '2026-11-28';

// https://github.com/ethereum/go-ethereum params/config.go: MainnetChainConfig and Default…BlobConfig.
export const ETHEREUM_BLOBS: BlobSchedule = [
  // Cancun, 2024-03-13T13:55:35Z
  { from: 1_710_338_135, target: 3, max: 6, updateFraction: 3_338_477 },
  // Prague, 2025-05-07T10:05:11Z
  { from: 1_746_612_311, target: 6, max: 9, updateFraction: 5_007_716 },
  // Osaka, 2025-12-03T21:49:11Z
  { from: 1_764_798_551, target: 6, max: 9, updateFraction: 5_007_716, hasReservePrice: true },
  // BPO1, 2025-12-09T14:21:11Z
  { from: 1_765_290_071, target: 10, max: 15, updateFraction: 8_346_193, hasReservePrice: true },
  // BPO2, 2026-01-07T01:01:11Z
  { from: 1_767_747_671, target: 14, max: 21, updateFraction: 11_684_671, hasReservePrice: true },
];

/*
 * https://github.com/bnb-chain/bsc params/config.go, BSCChainConfig, and consensus/misc/eip4844/eip4844.go: Prague and Osaka kept Cancun's
 * numbers, the BPO forks are skipped, and there is no reserve price.
 */
export const BSC_BLOBS: BlobSchedule = [
  // Cancun, 2024-06-20T06:05:00Z
  { from: 1_718_863_500, target: 3, max: 6, updateFraction: 3_338_477 },
  // Mendel, 2026-04-28T02:30:00Z
  { from: 1_777_343_400, target: 3, max: 6, updateFraction: 3_338_477, interval: 5 },
];

/*
 * https://github.com/gnosischain/specs network-upgrades/dencun.md, pectra.md and fusaka.md, and https://github.com/NethermindEth/nethermind
 * src/Nethermind/Chains/gnosis.json (eip4844MinBlobGasPrice, blobSchedule): later forks kept Cancun's numbers, and Osaka added the reserve price.
 */
const GNOSIS_NUMBERS = { target: 1, max: 2, updateFraction: 1_112_826, minPrice: 1_000_000_000 };
export const GNOSIS_BLOBS: BlobSchedule = [
  // Cancun, 2024-03-11T18:30:20Z
  { from: 1_710_181_820, ...GNOSIS_NUMBERS },
  // Osaka, 2026-04-14T12:06:20Z
  { from: 1_776_168_380, ...GNOSIS_NUMBERS, hasReservePrice: true },
];

/*
 * OP Mainnet: https://github.com/ethereum-optimism/superchain-registry superchain/configs/mainnet/op.toml. Zora and Mode, of zora.toml and
 * mode.toml, share these times, and so does Base: https://github.com/base/base crates/alloy/upgrades/src/mainnet.rs. By their
 * documentation, later forks changed no fee: Karst (2026-07-08; World Chain 2026-09-21, BOB 2026-09-23), and Base's Azul (2026-05-28), Beryl
 * (2026-06-25), Cobalt (2026-09-30) and Denim (2026-11-05), https://docs.base.org/upgrades/overview. Lagoon (OP Mainnet, Unichain, Ink and
 * Soneium, 2027-01-11) adds a transaction that pays nothing.
 */
export const OP_STACK_TIMES = {
  regolithTime: 0,
  canyonTime: 1_704_992_401, // 2024-01-11T17:00:01Z
  ecotoneTime: 1_710_374_401, // 2024-03-14T00:00:01Z
  fjordTime: 1_720_627_201, // 2024-07-10T16:00:01Z
  isthmusTime: 1_746_806_401, // 2025-05-09T16:00:01Z
  jovianTime: 1_764_691_201, // 2025-12-02T16:00:01Z
} as const;

// The same repository: unichain.toml, ink.toml and soneium.toml. Their first blocks, of 2024, followed the rules of Fjord.
export const UNICHAIN_TIMES = { ...OP_STACK_TIMES, canyonTime: 0, ecotoneTime: 0, fjordTime: 0 } as const;

// The same repository: worldchain.toml. The chain schedules its own upgrades.
export const WORLD_CHAIN_TIMES = {
  regolithTime: 0,
  canyonTime: 0,
  ecotoneTime: 0,
  fjordTime: 1_721_826_000, // 2024-07-24T13:00:00Z
  isthmusTime: 1_764_072_000, // 2025-11-25T12:00:00Z
  jovianTime: 1_777_593_600, // 2026-05-01T00:00:00Z
} as const;

/*
 * The same repository: bob.toml, which lacks Jovian. BOB's guide for nodes states its time, with that of Karst
 * (https://github.com/bob-collective/bob/pull/1165), and https://github.com/ethereum-optimism/superchain-registry/pull/1217 proposes it.
 */
export const BOB_TIMES = {
  ...OP_STACK_TIMES,
  canyonTime: 0,
  ecotoneTime: 0,
  jovianTime: 1_773_325_801, // 2026-03-12T14:30:01Z
} as const;

// https://github.com/0xPolygon/bor builder/files/genesis-mainnet-v1.json: sprint and delhiBlock.
export const POLYGON_SPRINTS = [
  { from: 0, length: 64 },
  { from: 38_189_056, length: 16 }, // Delhi
] as const;

// Since 2026-08-20T17:00Z: https://docs.arbitrum.io/run-arbitrum-node/arbos-releases/arbos61
export const LAST_ARBOS_VERSION = 61;
