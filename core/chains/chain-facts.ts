import type { UtcDay } from '../figures/calendar.ts';
import type { FinalityRules } from './finality-rules.ts';
import type { OpStackRules, Rules } from './rule-types.ts';

/** A feed of the price of a chain's coin in dollars, which the chain itself records. https://docs.chain.link/data-feeds */
export interface PriceFeed {
  readonly pair: string;
  /** Contract whose storage names the aggregator that records the prices. */
  readonly proxy: string;
  /** Seconds after which a price is stale: about two of the feed's heartbeats, but at least 300. */
  readonly maxAge: number;
}

/** The facts that differ between chains. A chain is one row, in `chains.ts` or `optional-chains.ts`. */
export interface ChainFacts {
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
   * Endpoints of three providers (of Zora, two are known) that need no key, in the order of failover, for when no others are configured. We
   * have tried none of them. Sources: https://publicnode.com, https://drpc.org/chainlist, https://github.com/ethereum-lists/chains and
   * the superchain registry; of BOB, https://docs.gobob.xyz.
   */
  readonly publicEndpoints: readonly string[];
}

/** A row. The L1 fees of the OP stack are known in ETH alone, so a chain of it with another coin does not compile. */
export type ChainRow = ChainFacts &
  ({ readonly rules: OpStackRules; readonly coin: 'ETH' } | { readonly rules: Exclude<Rules, OpStackRules> });

export const publicNode = (name: string) => `https://${name}-rpc.publicnode.com`;
export const drpc = (name: string) => `https://${name}.drpc.org`;
export const tenderly = (name: string) => `https://${name}.gateway.tenderly.co`;
