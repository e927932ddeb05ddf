import type { BlobSchedule } from './rule-types.ts';

/*
 * The times of forks, in seconds, or their first blocks, with what they changed. A fork is active in a block whose timestamp or number
 * is at least that.
 */

/*
 * Update fractions of EIP-4844, from https://github.com/ethereum/go-ethereum params/config.go: MainnetChainConfig and
 * Default…BlobConfig. Osaka (2025-12-03) kept Prague's.
 */
export const ETHEREUM_BLOBS: BlobSchedule = [
  { from: 1_710_338_135, updateFraction: 3_338_477 }, // Cancun, 2024-03-13T13:55:35Z
  { from: 1_746_612_311, updateFraction: 5_007_716 }, // Prague, 2025-05-07T10:05:11Z
  { from: 1_765_290_071, updateFraction: 8_346_193 }, // BPO1, 2025-12-09T14:21:11Z
  { from: 1_767_747_671, updateFraction: 11_684_671 }, // BPO2, 2026-01-07T01:01:11Z
];

// https://github.com/bnb-chain/bsc params/config.go, BSCChainConfig: Prague and Osaka kept Cancun's fraction, and the BPO forks are skipped.
export const BSC_BLOBS: BlobSchedule = [{ from: 1_718_863_500, updateFraction: 3_338_477 }]; // Cancun, 2024-06-20T06:05:00Z

/*
 * OP Mainnet: https://github.com/ethereum-optimism/superchain-registry superchain/configs/mainnet/op.toml.
 * Base shares these times: https://github.com/base/base crates/alloy/upgrades/src/mainnet.rs. By their documentation, later forks
 * changed no fee: Karst (OP Mainnet, 2026-07-08), and Base's Azul (2026-05-28), Beryl (2026-06-25) and Denim (2026-11-05),
 * https://docs.base.org/upgrades/overview.
 */
export const OP_STACK_TIMES = {
  regolithTime: 0,
  canyonTime: 1_704_992_401, // 2024-01-11T17:00:01Z
  ecotoneTime: 1_710_374_401, // 2024-03-14T00:00:01Z
  fjordTime: 1_720_627_201, // 2024-07-10T16:00:01Z
  isthmusTime: 1_746_806_401, // 2025-05-09T16:00:01Z
  jovianTime: 1_764_691_201, // 2025-12-02T16:00:01Z
} as const;

// https://github.com/0xPolygon/bor builder/files/genesis-mainnet-v1.json: sprint and delhiBlock.
export const POLYGON_SPRINTS = [
  { from: 0, length: 64 },
  { from: 38_189_056, length: 16 }, // Delhi
] as const;

/*
 * https://github.com/0xPolygon/Polygon-Improvement-Proposals PIPs/PIP-83.md: validators, dependencies of transactions, gas target and base
 * fee denominator; the dependencies have left it since. Reserved blockspace appends two: https://github.com/0xPolygon/bor/pull/2302.
 */
export const POLYGON_EXTRA_ITEMS = [
  { from: 85_245_000, max: 4 }, // Giugliano
  { from: 91_949_700, max: 3 }, // Austin, 2026-08
] as const;

// Since 2026-08-20T17:00Z: https://docs.arbitrum.io/run-arbitrum-node/arbos-releases/arbos61
export const LAST_ARBOS_VERSION = 61;
