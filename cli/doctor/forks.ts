import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';

/** Answers of this version to a fork. */
export const forkStatuses = {
  covered: 'This version follows it',
  noticed: 'Days wait for an update',
  'no effect': 'No figure changes',
} as const;

/** A change of a chain's rules that was announced. */
export interface AnnouncedFork {
  readonly chain: ChainName;
  readonly name: string;
  /** The day that it activates on, where one is announced. */
  readonly date?: UtcDay;
  /** The change, as it was announced, and how it shows. */
  readonly effect: string;
  readonly status: keyof typeof forkStatuses;
  /** A URL that announces it. */
  readonly source: string;
}

/** The announced forks, as of 2026-11-23. Delete an entry once the fork is live and covered. */
export const announcedForks: readonly AnnouncedFork[] = [
  {
    chain: 'ETHEREUM',
    name: 'Glamsterdam',
    effect:
      "Headers get the hash of an access list and a slot number (EIP-7928, EIP-7843), and their gas is another sum than the receipts' (EIP-8037, which may still change).",
    status: 'covered',
    source: 'https://eips.ethereum.org/EIPS/eip-7773',
  },
  {
    chain: 'ETHEREUM',
    name: 'BPO3',
    effect:
      'Another target, maximum and price of blobs (EIP-8138 has no numbers yet). The excess of blob gas no longer follows from the header before.',
    status: 'noticed',
    source: 'https://eips.ethereum.org/EIPS/eip-8138',
  },
  {
    chain: 'ETHEREUM',
    name: 'Hegotá',
    effect:
      'Under discussion: shorter slots (EIP-8198), frame transactions of a new type (EIP-8141), SSZ blocks (EIP-7807). New types and encodings no longer hash.',
    status: 'noticed',
    source: 'https://eips.ethereum.org/EIPS/eip-8081',
  },
  {
    chain: 'BSC',
    name: 'Jenner',
    date: '2026-12-08',
    effect: 'No change of fees, headers or transaction types is announced (BEP-702, BEP-703, BEP-706).',
    status: 'no effect',
    source: 'https://github.com/bnb-chain/bsc/releases/tag/v1.8.2',
  },
  {
    chain: 'BASE',
    name: 'Everest',
    effect: 'Transactions of type 0x79 (EIP-8430), whose gas another account than the sender may pay.',
    status: 'noticed',
    source: 'https://docs.base.org/upgrades/everest/overview',
  },
  {
    chain: 'OPTIMISM',
    name: 'Lagoon',
    effect: 'Interop, and post-execution transactions of type 0x7d, which pay nothing.',
    status: 'covered',
    source: 'https://github.com/ethereum-optimism/optimism/releases/tag/op-reth%2Fv2.3.3',
  },
  {
    chain: 'POLYGON',
    name: 'Hampi',
    effect: 'The gas of storage.',
    status: 'no effect',
    source: 'https://github.com/0xPolygon/bor/releases',
  },
  {
    chain: 'POLYGON',
    name: 'reserved blockspace',
    effect:
      'Transactions of listed senders pay nothing, whatever they offer. Extra data lists more, and offers may be below the base fee.',
    status: 'noticed',
    source: 'https://github.com/0xPolygon/bor/pull/2302',
  },
  {
    chain: 'ARBITRUM',
    name: 'priority fee collection',
    effect: 'Senders pay tips, once the ArbitrumDAO has voted for it. A flag in the header says so.',
    status: 'noticed',
    source: 'https://docs.arbitrum.io/launch-arbitrum-chain/chain-config/costs/priority-fees',
  },
];

/** Returns the forks of a chain that are still ahead on a day, those without a date included. */
export const forksAhead = (chain: ChainName, today: UtcDay): readonly AnnouncedFork[] =>
  announcedForks.filter((fork) => fork.chain === chain && (fork.date ?? today) >= today);
