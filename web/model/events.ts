import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';
import { isInvented } from './offered.ts';
import { firstDayIn } from './periods.ts';

const ETHEREUM_FORKS = 'https://ethereum.org/ethereum-forks';
const GETH_CONFIG = 'https://github.com/ethereum/go-ethereum/blob/master/params/config.go';
const OP_FORKS =
  'https://github.com/ethereum-optimism/superchain-registry/blob/main/superchain/configs/mainnet/op.toml';
const WORLD_CHAIN_FORKS =
  'https://github.com/ethereum-optimism/superchain-registry/blob/main/superchain/configs/mainnet/worldchain.toml';
const BOB_FORKS = 'https://github.com/bob-collective/bob/pull/1165';
const BASE_FORKS = 'https://docs.base.org/upgrades/overview';
const NITRO = 'https://blockworks.co/news/arbitrum-upgrades-to-nitro-ahead-of-ethereum-merge';
const DELHI = 'https://forum.polygon.technology/t/pip-7-delhi-hardfork/10904';
const BSC_CONFIG = 'https://github.com/bnb-chain/bsc/blob/master/params/config.go';
const LORENTZ = 'https://docs.chainstack.com/docs/bnb-lorentz-hardfork';
const MAXWELL = 'https://github.com/chainstack/bsc-docker/releases/tag/v1.5.16';
const FERMI = 'https://docs.bnbchain.org/announce/fermi-bsc';
const ARBOS_61 = 'https://docs.arbitrum.io/run-arbitrum-node/arbos-releases/arbos61';
const DENIM = 'https://docs.chainstack.com/docs/base-denim-200ms-blocks';

/** Chains that upgraded together, from Ecotone on, and those that joined them with Isthmus. */
const ECOTONE = ['OPTIMISM', 'BASE', 'ZORA', 'MODE'] as const;
const SUPERCHAIN = [...ECOTONE, 'UNICHAIN', 'INK', 'SONEIUM'] as const;

/** The day, the name, the chains, the effect, and a URL that states the day. */
type Row = readonly [UtcDay, string, readonly ChainName[], string, string];

const rows: readonly Row[] = [
  ['2017-10-16', 'Byzantium', ['ETHEREUM'], 'Shorter block times', ETHEREUM_FORKS],
  ['2021-08-05', 'London', ['ETHEREUM'], 'Base fee that is burned (EIP-1559)', ETHEREUM_FORKS],
  ['2022-08-31', 'Nitro', ['ARBITRUM'], 'New execution engine and cheaper calldata', NITRO],
  ['2022-09-15', 'Merge', ['ETHEREUM'], 'Proof of stake, a block every 12 seconds', ETHEREUM_FORKS],
  ['2023-01-17', 'Delhi', ['POLYGON'], 'Base fee changes more slowly', DELHI],
  ['2023-04-12', 'Shapella', ['ETHEREUM'], 'Withdrawals of stakes', ETHEREUM_FORKS],
  ['2023-06-06', 'Bedrock', ['OPTIMISM'], 'New node software, a block every 2 seconds', OP_FORKS],
  ['2024-03-13', 'Dencun', ['ETHEREUM'], 'Blobs (EIP-4844)', ETHEREUM_FORKS],
  ['2024-03-14', 'Ecotone', ECOTONE, 'Data posted as blobs: lower L1 data fees', OP_FORKS],
  ['2024-06-20', 'Haber', ['BSC'], 'Blobs (BEP-336)', BSC_CONFIG],
  ['2024-07-10', 'Fjord', [...ECOTONE, 'BOB'], 'L1 data fees by compressed size', OP_FORKS],
  ['2024-07-24', 'Fjord', ['WORLD_CHAIN'], 'L1 data fees by compressed size', WORLD_CHAIN_FORKS],
  ['2025-04-29', 'Lorentz', ['BSC'], 'A block every 1.5 seconds', LORENTZ],
  ['2025-05-07', 'Pectra', ['ETHEREUM'], 'More blobs (EIP-7691)', ETHEREUM_FORKS],
  ['2025-05-09', 'Isthmus', [...SUPERCHAIN, 'BOB'], 'Operator fees', OP_FORKS],
  ['2025-06-30', 'Maxwell', ['BSC'], 'A block every 0.75 seconds', MAXWELL],
  ['2025-11-25', 'Isthmus', ['WORLD_CHAIN'], 'Operator fees', WORLD_CHAIN_FORKS],
  ['2025-12-02', 'Jovian', SUPERCHAIN, 'Operator fee formula and minimum base fee', OP_FORKS],
  ['2025-12-03', 'Fusaka', ['ETHEREUM'], 'More blobs (PeerDAS)', ETHEREUM_FORKS],
  ['2025-12-09', 'BPO1', ['ETHEREUM'], 'More blobs', GETH_CONFIG],
  ['2026-01-07', 'BPO2', ['ETHEREUM'], 'More blobs', GETH_CONFIG],
  ['2026-01-14', 'Fermi', ['BSC'], 'A block every 0.45 seconds', FERMI],
  ['2026-03-12', 'Jovian', ['BOB'], 'Operator fee formula and minimum base fee', BOB_FORKS],
  ['2026-05-01', 'Jovian', ['WORLD_CHAIN'], 'Operator fee formula and minimum base fee', WORLD_CHAIN_FORKS],
  ['2026-05-28', 'Azul', ['BASE'], 'First upgrade apart from the OP Stack', BASE_FORKS],
  ['2026-06-25', 'Beryl', ['BASE'], 'B20 tokens', BASE_FORKS],
  [
    '2026-07-08',
    'Karst',
    SUPERCHAIN.filter((chain) => chain !== 'BASE'),
    'Upgrade without a change of fees',
    OP_FORKS,
  ],
  ['2026-08-20', 'ArbOS 61', ['ARBITRUM'], 'New version of ArbOS', ARBOS_61],
  ['2026-09-21', 'Karst', ['WORLD_CHAIN'], 'Upgrade without a change of fees', WORLD_CHAIN_FORKS],
  ['2026-09-23', 'Karst', ['BOB'], 'Upgrade without a change of fees', BOB_FORKS],
  ['2026-09-30', 'Cobalt', ['BASE'], 'B20 tokens, second version', BASE_FORKS],
  ['2026-11-05', 'Denim', ['BASE'], 'A block every 0.2 seconds', DENIM],
];

/** Changes of the chains that may explain a change of their figures: of fees, capacity or block times. Ascending. */
export const chainEvents = rows.map(([date, name, chains, effect, source]) => ({
  date,
  name,
  chains,
  effect,
  source,
}));

/** Returns the events of some chains from one day or hour to another, both included. */
export const eventsBetween = (chains: readonly ChainName[], first: string, last: string) =>
  chainEvents.filter(
    (event) =>
      event.date >= firstDayIn(first) &&
      event.date <= last &&
      // They explain nothing about invented figures.
      event.chains.some((chain) => chains.includes(chain) && !isInvented(chain)),
  );
