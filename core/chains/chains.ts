import type { UtcDay } from '../figures/calendar.ts';
import {
  BSC_FINALITY,
  ETHEREUM_AGES,
  ETHEREUM_BEACON,
  type FinalityRules,
  GNOSIS_AGES,
  GNOSIS_BEACON,
} from './finality-rules.ts';
import {
  BSC_BLOBS,
  ETHEREUM_BLOBS,
  GNOSIS_BLOBS,
  LAST_ARBOS_VERSION,
  OP_STACK_TIMES,
  POLYGON_SPRINTS,
  UNICHAIN_TIMES,
  WORLD_CHAIN_TIMES,
} from './fork-times.ts';
import type { Rules } from './rule-types.ts';

/** A feed of the price of a chain's coin in dollars, which the chain itself records. https://docs.chain.link/data-feeds */
export interface PriceFeed {
  readonly pair: string;
  /** Contract whose storage names the aggregator that records the prices. */
  readonly proxy: string;
  /** Seconds after which a price is stale: two of the feed's heartbeats, but at least 300. */
  readonly maxAge: number;
}

/** One supported chain. Everything that differs between chains is in its entry of `chains` below. */
export interface Chain {
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Its color in charts, on a light and on a dark page. */
  readonly color: Readonly<Record<'light' | 'dark', string>>;
  /** True if the chain is read only where a stage or the setting `CHAINS` names it. */
  readonly isOptional?: boolean;
  /** EIP-155 chain ID. A node that reports another one is never read. */
  readonly id: number;
  /** A public explorer of blocks; a block's page is at `/block/` and its number. */
  readonly blockExplorer: string;
  /** Native coin of the fees, with 18 decimals on every chain. */
  readonly coin: string;
  /** Day of the first block after genesis, or after `firstBlock`. */
  readonly firstDay: UtcDay;
  /** The first block that is read, if it is not genesis: headers before it have other fields, so their hashes cannot be computed. */
  readonly firstBlock?: number;
  readonly rules: Rules;
  /** The feed that records the price of the coin in dollars on the chain. Without one, fees have no dollars. */
  readonly priceFeed?: PriceFeed;
  /** The evidence of finality that the chain itself carries. Without it, hosts must agree on the final block. */
  readonly finality?: FinalityRules;
  /**
   * Endpoints of three providers that need no key, in the order of failover, for when no others are configured. We have tried none of
   * them. Sources: https://publicnode.com, https://drpc.org/chainlist and, for the third, https://github.com/ethereum-lists/chains.
   */
  readonly publicEndpoints: readonly string[];
}

// https://data.chain.link names the proxies. Heartbeats, in the order of the chains: 3,600, 1,755, 27, 1,200, 1,200 and 27 seconds.
const feed = (pair: string, proxy: string, maxAge: number): PriceFeed => ({ pair, proxy, maxAge });

const publicNode = (name: string) => `https://${name}-rpc.publicnode.com`;
const drpc = (name: string) => `https://${name}.drpc.org`;
const tenderly = (name: string) => `https://${name}.gateway.tenderly.co`;

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
    rules: { family: 'op-stack', bedrockBlock: 105_235_063, ...OP_STACK_TIMES },
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
    rules: { family: 'op-stack', bedrockBlock: 0, ...OP_STACK_TIMES },
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
  UNICHAIN: {
    title: 'Unichain',
    color: { light: '#b563ff', dark: '#a04c8a' },
    isOptional: true,
    id: 130,
    blockExplorer: 'https://uniscan.xyz',
    coin: 'ETH',
    firstDay: '2024-11-04',
    rules: { family: 'op-stack', bedrockBlock: 0, ...UNICHAIN_TIMES },
    publicEndpoints: [publicNode('unichain'), drpc('unichain'), 'https://mainnet.unichain.org'],
  },
  WORLD_CHAIN: {
    title: 'World Chain',
    color: { light: '#85998d', dark: '#a4ff02' },
    isOptional: true,
    id: 480,
    blockExplorer: 'https://worldscan.org',
    coin: 'ETH',
    firstDay: '2024-06-25',
    rules: { family: 'op-stack', bedrockBlock: 0, ...WORLD_CHAIN_TIMES },
    publicEndpoints: [
      'https://worldchain-mainnet.g.alchemy.com/public',
      drpc('worldchain'),
      tenderly('worldchain-mainnet'),
    ],
  },
  ARBITRUM_NOVA: {
    title: 'Arbitrum Nova',
    color: { light: '#3e0d01', dark: '#cc1b0a' },
    isOptional: true,
    id: 42170,
    blockExplorer: 'https://nova.arbiscan.io',
    coin: 'ETH',
    firstDay: '2022-06-25',
    rules: { family: 'arbitrum', nitroBlock: 0, lastArbosVersion: LAST_ARBOS_VERSION },
    publicEndpoints: [publicNode('arbitrum-nova'), drpc('arbitrum-nova'), 'https://nova.arbitrum.io/rpc'],
  },
  GNOSIS: {
    title: 'Gnosis',
    color: { light: '#605a6c', dark: '#b4a2ae' },
    isOptional: true,
    id: 100,
    blockExplorer: 'https://gnosisscan.io',
    coin: 'xDAI',
    // The day after the merge (2022-12-08T18:45:25Z: https://github.com/gnosischain/specs network-upgrades/merge.md), whose block is
    // in aura-reference.md of https://github.com/gnosischain/reth_gnosis. Headers before it have the seal of AuRa.
    firstDay: '2022-12-09',
    firstBlock: 25_349_537,
    rules: { family: 'ethereum', blobSchedule: GNOSIS_BLOBS },
    finality: {
      kind: 'sync committee',
      network: GNOSIS_BEACON,
      ...GNOSIS_AGES,
      // Another project recorded light-client data of both on 2026-10-01: https://github.com/shayansal/clpr-smart-contracts.
      // https://docs.gnosischain.com/about/networks/mainnet names the second.
      publicServers: ['https://gnosis-beacon-api.publicnode.com', 'https://rpc-gbc.gnosischain.com'],
    },
    // Of Gateway.fm rather than Gnosis, which serves the beacon chain: who agrees on a checkpoint should not confirm it too.
    publicEndpoints: [publicNode('gnosis'), drpc('gnosis'), 'https://rpc.gnosis.gateway.fm'],
  },
} as const satisfies Record<string, Omit<Chain, 'name'>>;

export type ChainName = keyof typeof chains;

export const chainNames = Object.keys(chains) as [ChainName, ...ChainName[]];

export const defaultChainNames = chainNames.filter((name) => !chainOf(name).isOptional);

export function chainOf(name: ChainName): Chain {
  return { name, ...chains[name] };
}
