import type { ChainName } from '../core/chains/chains.ts';
import type { UtcDay } from '../core/figures/calendar.ts';

/** A change of a chain that may explain a change of its figures. */
export interface ChainEvent {
  readonly date: UtcDay;
  readonly name: string;
  readonly chains: readonly ChainName[];
  /** The change, in one line. */
  readonly effect: string;
  /** A URL that states the date. */
  readonly source: string;
}

const ETHEREUM_FORKS = 'https://ethereum.org/ethereum-forks';
const GETH_CONFIG = 'https://github.com/ethereum/go-ethereum/blob/master/params/config.go';
const OP_FORKS =
  'https://github.com/ethereum-optimism/superchain-registry/blob/main/superchain/configs/mainnet/op.toml';
const BASE_FORKS = 'https://docs.base.org/upgrades/overview';

/** Upgrades of the chains that changed fees, capacity or block times, ascending. */
export const chainEvents: readonly ChainEvent[] = [
  {
    date: '2017-10-16',
    name: 'Byzantium',
    chains: ['ETHEREUM'],
    effect: 'Shorter block times',
    source: ETHEREUM_FORKS,
  },
  {
    date: '2021-08-05',
    name: 'London',
    chains: ['ETHEREUM'],
    effect: 'Base fee that is burned (EIP-1559)',
    source: ETHEREUM_FORKS,
  },
  {
    date: '2022-08-31',
    name: 'Nitro',
    chains: ['ARBITRUM'],
    effect: 'New execution engine and cheaper calldata',
    source: 'https://blockworks.co/news/arbitrum-upgrades-to-nitro-ahead-of-ethereum-merge',
  },
  {
    date: '2022-09-15',
    name: 'Merge',
    chains: ['ETHEREUM'],
    effect: 'Proof of stake, a block every 12 seconds',
    source: ETHEREUM_FORKS,
  },
  {
    date: '2023-01-17',
    name: 'Delhi',
    chains: ['POLYGON'],
    effect: 'Base fee changes more slowly',
    source: 'https://forum.polygon.technology/t/pip-7-delhi-hardfork/10904',
  },
  {
    date: '2023-04-12',
    name: 'Shapella',
    chains: ['ETHEREUM'],
    effect: 'Withdrawals of stakes',
    source: ETHEREUM_FORKS,
  },
  {
    date: '2023-06-06',
    name: 'Bedrock',
    chains: ['OPTIMISM'],
    effect: 'New node software, a block every 2 seconds',
    source: OP_FORKS,
  },
  {
    date: '2024-03-13',
    name: 'Dencun',
    chains: ['ETHEREUM'],
    effect: 'Blobs (EIP-4844)',
    source: ETHEREUM_FORKS,
  },
  {
    date: '2024-03-14',
    name: 'Ecotone',
    chains: ['OPTIMISM', 'BASE'],
    effect: 'Data posted as blobs: lower L1 data fees',
    source: OP_FORKS,
  },
  {
    date: '2024-06-20',
    name: 'Haber',
    chains: ['BSC'],
    effect: 'Blobs (BEP-336)',
    source: 'https://github.com/bnb-chain/bsc/blob/master/params/config.go',
  },
  {
    date: '2024-07-10',
    name: 'Fjord',
    chains: ['OPTIMISM', 'BASE'],
    effect: 'L1 data fees by compressed size',
    source: OP_FORKS,
  },
  {
    date: '2025-04-29',
    name: 'Lorentz',
    chains: ['BSC'],
    effect: 'A block every 1.5 seconds',
    source: 'https://docs.chainstack.com/docs/bnb-lorentz-hardfork',
  },
  {
    date: '2025-05-07',
    name: 'Pectra',
    chains: ['ETHEREUM'],
    effect: 'More blobs (EIP-7691)',
    source: ETHEREUM_FORKS,
  },
  {
    date: '2025-05-09',
    name: 'Isthmus',
    chains: ['OPTIMISM', 'BASE'],
    effect: 'Operator fees',
    source: OP_FORKS,
  },
  {
    date: '2025-06-30',
    name: 'Maxwell',
    chains: ['BSC'],
    effect: 'A block every 0.75 seconds',
    source: 'https://github.com/chainstack/bsc-docker/releases/tag/v1.5.16',
  },
  {
    date: '2025-12-02',
    name: 'Jovian',
    chains: ['OPTIMISM', 'BASE'],
    effect: 'Operator fee formula and minimum base fee',
    source: OP_FORKS,
  },
  {
    date: '2025-12-03',
    name: 'Fusaka',
    chains: ['ETHEREUM'],
    effect: 'More blobs (PeerDAS)',
    source: ETHEREUM_FORKS,
  },
  { date: '2025-12-09', name: 'BPO1', chains: ['ETHEREUM'], effect: 'More blobs', source: GETH_CONFIG },
  { date: '2026-01-07', name: 'BPO2', chains: ['ETHEREUM'], effect: 'More blobs', source: GETH_CONFIG },
  {
    date: '2026-01-14',
    name: 'Fermi',
    chains: ['BSC'],
    effect: 'A block every 0.45 seconds',
    source: 'https://docs.bnbchain.org/announce/fermi-bsc',
  },
  {
    date: '2026-05-28',
    name: 'Azul',
    chains: ['BASE'],
    effect: 'First upgrade apart from the OP Stack',
    source: BASE_FORKS,
  },
  { date: '2026-06-25', name: 'Beryl', chains: ['BASE'], effect: 'B20 tokens', source: BASE_FORKS },
  {
    date: '2026-07-08',
    name: 'Karst',
    chains: ['OPTIMISM'],
    effect: 'Upgrade without a change of fees',
    source: OP_FORKS,
  },
  {
    date: '2026-08-20',
    name: 'ArbOS 61',
    chains: ['ARBITRUM'],
    effect: 'New version of ArbOS',
    source: 'https://docs.arbitrum.io/run-arbitrum-node/arbos-releases/arbos61',
  },
  {
    date: '2026-11-05',
    name: 'Denim',
    chains: ['BASE'],
    effect: 'A block every 0.2 seconds',
    source: 'https://docs.chainstack.com/docs/base-denim-200ms-blocks',
  },
];

/** Returns the events of some chains from one day to another, both included. */
export const eventsBetween = (
  chains: readonly ChainName[],
  first: UtcDay,
  last: UtcDay,
): readonly ChainEvent[] =>
  chainEvents.filter(
    (event) =>
      event.date >= first && event.date <= last && event.chains.some((chain) => chains.includes(chain)),
  );
