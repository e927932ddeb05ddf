import type { UtcDay } from './utc-day.ts';

/** One supported chain. Everything that differs between chains is in its entry of `chains` below. */
export interface Chain {
  readonly name: string;
  /** EIP-155 chain ID. A node that reports another one is never read. */
  readonly id: number;
  /** Native coin of the fees, with 18 decimals on every chain. */
  readonly coin: string;
  /** Day of the first block after genesis. */
  readonly firstDay: UtcDay;
  readonly rules: Rules;
  /** Only for nodes without the `finalized` tag: the number of blocks that must follow a final one. */
  readonly confirmations?: number;
  /** Endpoints that need no key, in the order of failover; used unless others are configured. */
  readonly publicEndpoints: readonly string[];
}

/**
 * Fee rules and protocol transactions of a family of chains. Only `fees.ts`, `protocol-transactions.ts` and the block checks
 * interpret this union; no other code depends on the family.
 */
export type Rules =
  | { readonly family: 'ethereum' }
  | {
      readonly family: 'arbitrum';
      /** Genesis of Nitro; each later block begins with an internal transaction. */
      readonly nitroBlock: number;
    }
  | { readonly family: 'bsc'; readonly systemContracts: ReadonlySet<string> }
  | {
      readonly family: 'polygon';
      /** First block whose state-sync transaction has its own type. */
      readonly stateSyncTypeFrom: number;
    }
  | OpStackRules;

export interface OpStackRules {
  readonly family: 'op-stack';
  /** First block of the Bedrock upgrade. */
  readonly bedrockBlock: number;
  /** Activation times in seconds: Isthmus added the operator fee, Jovian changed its formula. */
  readonly isthmusTime: number;
  readonly jovianTime: number;
  /** False on a chain without an L1, such as a development chain: its receipts have no `l1Fee`. */
  readonly chargesL1Fee: boolean;
}

const address = (suffix: string) => `0x${suffix.padStart(40, '0')}`;

// https://github.com/bnb-chain/bsc consensus/parlia/parlia.go: the contracts that mark a system transaction.
const BSC_SYSTEM_CONTRACTS = new Set(
  '1000 1001 1002 1003 1004 1005 1006 1007 2000 2002 2004 2005 2006 3000'.split(' ').map(address),
);

const chains = {
  ETHEREUM: {
    id: 1,
    coin: 'ETH',
    firstDay: '2015-07-30',
    rules: { family: 'ethereum' },
    publicEndpoints: ['https://ethereum-rpc.publicnode.com', 'https://eth.drpc.org'],
  },
  ARBITRUM: {
    id: 42161,
    coin: 'ETH',
    firstDay: '2021-05-28',
    rules: { family: 'arbitrum', nitroBlock: 22_207_818 },
    publicEndpoints: ['https://arbitrum-one-rpc.publicnode.com', 'https://arbitrum.drpc.org'],
  },
  BSC: {
    id: 56,
    coin: 'BNB',
    firstDay: '2020-08-29',
    rules: { family: 'bsc', systemContracts: BSC_SYSTEM_CONTRACTS },
    publicEndpoints: ['https://bsc-rpc.publicnode.com', 'https://bsc.drpc.org'],
  },
  OPTIMISM: {
    id: 10,
    coin: 'ETH',
    firstDay: '2021-11-11',
    // Bedrock 2023-06-06T16:28:23Z, Isthmus 2025-05-09T16:00:01Z, Jovian 2025-12-02T16:00:01Z
    rules: {
      family: 'op-stack',
      bedrockBlock: 105_235_063,
      isthmusTime: 1_746_806_401,
      jovianTime: 1_764_691_201,
      chargesL1Fee: true,
    },
    publicEndpoints: ['https://optimism-rpc.publicnode.com', 'https://optimism.drpc.org'],
  },
  BASE: {
    id: 8453,
    coin: 'ETH',
    firstDay: '2023-06-15',
    // Bedrock from genesis, Isthmus 2025-05-09T16:00:01Z, Jovian 2025-12-02T16:00:01Z
    rules: {
      family: 'op-stack',
      bedrockBlock: 0,
      isthmusTime: 1_746_806_401,
      jovianTime: 1_764_691_201,
      chargesL1Fee: true,
    },
    publicEndpoints: ['https://base-rpc.publicnode.com', 'https://base.drpc.org'],
  },
  POLYGON: {
    id: 137,
    coin: 'POL',
    firstDay: '2020-05-30',
    rules: { family: 'polygon', stateSyncTypeFrom: 80_084_800 },
    publicEndpoints: ['https://polygon-bor-rpc.publicnode.com', 'https://polygon.drpc.org'],
  },
} as const satisfies Record<string, Omit<Chain, 'name'>>;

export type ChainName = keyof typeof chains;

export const chainNames = Object.keys(chains) as [ChainName, ...ChainName[]];

export function chainOf(name: ChainName): Chain {
  return { name, ...chains[name] };
}
