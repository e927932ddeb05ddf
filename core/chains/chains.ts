import { type ChainFacts, type ChainRow, drpc, type PriceFeed, publicNode, tenderly } from './chain-facts.ts';
import { BSC_FINALITY, ETHEREUM_AGES, ETHEREUM_BEACON } from './finality-rules.ts';
import {
  BSC_BLOBS,
  ETHEREUM_BLOBS,
  LAST_ARBOS_VERSION,
  OP_STACK_TIMES,
  POLYGON_SPRINTS,
} from './fork-times.ts';
import { optionalChains } from './optional-chains.ts';

/** One supported chain. Everything that differs between chains is in its row: below, or in optional-chains.ts. */
export interface Chain extends ChainFacts {
  readonly name: string;
}

// https://data.chain.link names the proxies. Heartbeats, in the order of the chains: 3,600, 1,755, 27, 1,200, 1,200 and 27 seconds.
const feed = (pair: string, proxy: string, maxAge: number): PriceFeed => ({ pair, proxy, maxAge });

const address = (suffix: string) => `0x${suffix.padStart(40, '0')}`;

// https://github.com/bnb-chain/bsc consensus/parlia/parlia.go: the contracts that mark a system transaction.
const BSC_SYSTEM_CONTRACTS = new Set(
  '1000 1001 1002 1003 1004 1005 1006 1007 2000 2002 2004 2005 2006 3000'.split(' ').map(address),
);

const chains = {
  ETHEREUM: {
    title: 'Ethereum',
    color: { light: '#22284a', dark: '#e4e7fb' },
    id: 1,
    blockExplorer: 'https://etherscan.io',
    coin: 'ETH',
    firstDay: '2015-07-30',
    priceFeed: feed('ETH/USD', '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419', 7_200),
    rules: { family: 'ethereum', blobSchedule: ETHEREUM_BLOBS },
    finality: {
      kind: 'sync committee',
      network: ETHEREUM_BEACON,
      ...ETHEREUM_AGES,
      publicServers: ['https://lodestar-mainnet.chainsafe.io', 'https://www.lightclientdata.org'],
    },
    publicEndpoints: [publicNode('ethereum'), drpc('eth'), tenderly('mainnet')],
  },
  ARBITRUM: {
    title: 'Arbitrum One',
    color: { light: '#0c98b8', dark: '#65c1ff' },
    id: 42161,
    blockExplorer: 'https://arbiscan.io',
    coin: 'ETH',
    firstDay: '2021-05-28',
    priceFeed: feed('ETH/USD', '0x639fe6ab55c921f74e7fac1ee960c0b6293ba612', 3_600),
    rules: { family: 'arbitrum', nitroBlock: 22_207_818, lastArbosVersion: LAST_ARBOS_VERSION },
    publicEndpoints: [publicNode('arbitrum-one'), drpc('arbitrum'), 'https://arb1.arbitrum.io/rpc'],
  },
  BSC: {
    title: 'BNB Smart Chain',
    color: { light: '#b58500', dark: '#ddb249' },
    id: 56,
    blockExplorer: 'https://bscscan.com',
    coin: 'BNB',
    firstDay: '2020-08-29',
    priceFeed: feed('BNB/USD', '0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee', 300),
    rules: { family: 'bsc', systemContracts: BSC_SYSTEM_CONTRACTS, blobSchedule: BSC_BLOBS },
    finality: { kind: 'fast finality', rules: BSC_FINALITY },
    publicEndpoints: [publicNode('bsc'), drpc('bsc'), 'https://bsc-dataseed.bnbchain.org'],
  },
  OPTIMISM: {
    title: 'OP Mainnet',
    color: { light: '#c5303f', dark: '#dd5a62' },
    id: 10,
    blockExplorer: 'https://optimistic.etherscan.io',
    coin: 'ETH',
    firstDay: '2021-11-11',
    priceFeed: feed('ETH/USD', '0x13e3ee699d1909e989722e753853ae30b17e08c5', 2_400),
    // Bedrock 2023-06-06T16:28:23Z
    rules: { family: 'op-stack', dataAvailability: 'eth-da', bedrockBlock: 105_235_063, ...OP_STACK_TIMES },
    publicEndpoints: [publicNode('optimism'), drpc('optimism'), 'https://mainnet.optimism.io'],
  },
  BASE: {
    title: 'Base',
    color: { light: '#1c08fe', dark: '#2e56fd' },
    id: 8453,
    blockExplorer: 'https://basescan.org',
    coin: 'ETH',
    firstDay: '2023-06-15',
    priceFeed: feed('ETH/USD', '0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70', 2_400),
    rules: { family: 'op-stack', dataAvailability: 'eth-da', bedrockBlock: 0, ...OP_STACK_TIMES },
    // https://mainnet.base.org, which the list names first, has no eth_getBlockReceipts.
    publicEndpoints: [publicNode('base'), drpc('base'), tenderly('base')],
  },
  POLYGON: {
    title: 'Polygon PoS',
    color: { light: '#6e05a2', dark: '#8050bd' },
    id: 137,
    blockExplorer: 'https://polygonscan.com',
    coin: 'POL',
    firstDay: '2020-05-30',
    priceFeed: feed('POL/USD', '0xab594600376ec9fd91f8e885dadf0ce036862de0', 300),
    rules: {
      family: 'polygon',
      stateSyncTypeFrom: 80_084_800,
      sprints: POLYGON_SPRINTS,
      giuglianoBlock: 85_245_000,
    },
    publicEndpoints: [publicNode('polygon-bor'), drpc('polygon'), tenderly('polygon')],
  },
  ...optionalChains,
} as const satisfies Record<string, ChainRow>;

export type ChainName = keyof typeof chains;

export const chainNames = Object.keys(chains) as [ChainName, ...ChainName[]];

export const defaultChainNames = chainNames.filter((name) => !chainOf(name).isOptional);

export function chainOf(name: ChainName): Chain {
  return { name, ...chains[name] };
}
