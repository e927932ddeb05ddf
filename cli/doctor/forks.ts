import type { ChainName } from '../../core/chains/chains.ts';
import type { UtcDay } from '../../core/figures/calendar.ts';

/** A change of a chain's rules that was announced and that this code may have to be updated for. */
export interface AnnouncedFork {
  readonly chain: ChainName;
  readonly name: string;
  /** The day that it activates on, where one is announced. */
  readonly date?: UtcDay;
  /** The effect on figures that was announced. */
  readonly effect: string;
  /** A URL that announces it. */
  readonly source: string;
}

/** The announced forks, as of 2026-11-22. Delete an entry when the code covers the fork or the fork turns out not to matter. */
export const announcedForks: readonly AnnouncedFork[] = [
  {
    chain: 'ETHEREUM',
    name: 'Glamsterdam',
    effect:
      'Headers get new fields, so blocks are not proven before an update, and the gas of a header differs from the sum of its receipts (EIP-7778).',
    source: 'https://eips.ethereum.org/EIPS/eip-7773',
  },
  {
    chain: 'BSC',
    name: 'Jenner',
    date: '2026-12-08',
    effect: 'No change of fees, headers or transaction types is announced.',
    source: 'https://github.com/bnb-chain/bsc/releases/tag/v1.8.2',
  },
  {
    chain: 'BASE',
    name: 'Cobalt',
    effect:
      'Adds transactions of type 0x79 (EIP-8130), which have no fee rule yet, and lets senders pay fees in B20 tokens.',
    source: 'https://docs.base.org/upgrades/cobalt/overview',
  },
  {
    chain: 'OPTIMISM',
    name: 'Lagoon',
    effect: 'Interop, and post-execution transactions of type 0x7d, which pay nothing.',
    source: 'https://github.com/ethereum-optimism/optimism/releases/tag/op-reth%2Fv2.3.3',
  },
  {
    chain: 'ARBITRUM',
    name: 'priority fee collection',
    effect: 'Senders pay tips, and days stop until an update. A vote of the ArbitrumDAO decides on it.',
    source: 'https://docs.arbitrum.io/launch-arbitrum-chain/chain-config/costs/priority-fees',
  },
];

/** Returns the forks of a chain that are still ahead on a day, those without a date included. */
export const forksAhead = (chain: ChainName, today: UtcDay): readonly AnnouncedFork[] =>
  announcedForks.filter((fork) => fork.chain === chain && (fork.date ?? today) >= today);
