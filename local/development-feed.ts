import type { Chain } from '../core/chains/chains.ts';
import { ANSWER_DECIMALS, type PriceFeed } from '../core/chains/price-feeds.ts';
import { SECONDS_PER_DAY } from '../core/figures/calendar.ts';
import { ANSWER_UPDATED } from '../core/proof/price-updates.ts';
import type { SampleTransaction } from './sample-transactions.ts';

/* The price feed of a development chain: a contract that records each price that it is called with, as Chainlink's do. */

const AGGREGATOR = '0x00000000000000000000000000000000c0de0002';
/** Adds 1 to the round in its storage, and emits `AnswerUpdated` with the price of the call, that round and the time of the block. */
const AGGREGATOR_CODE = `0x425f525f54600101805f555f357f${ANSWER_UPDATED.slice(2)}60205fa300`;
/** Code that does nothing: the proxy is only read. */
const PROXY_CODE = '0x00';
/** `currentPhase`: phase 1 and the aggregator. */
const PHASE = { slot: 2n, value: `0x${AGGREGATOR.slice(2).padStart(60, '0')}0001` };

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

/** Calls a method of a development node. */
export type DevelopmentNode = (method: string, ...params: unknown[]) => Promise<unknown>;

/** Sets up the feed of a chain that has no blocks yet. */
export async function setUpFeed(rpc: DevelopmentNode, { priceFeed }: Chain): Promise<void> {
  if (!priceFeed) return;
  const { proxy } = priceFeed;
  await rpc('anvil_setCode', AGGREGATOR, AGGREGATOR_CODE);
  await rpc('anvil_setCode', proxy, PROXY_CODE);
  await rpc('anvil_setStorageAt', proxy, word(PHASE.slot), PHASE.value);
}

/** Returns the feed of a development chain: its days have few blocks, so that a price counts for longer. */
export const developmentFeed = (feed: PriceFeed): PriceFeed => ({ ...feed, maxAge: 2 * SECONDS_PER_DAY });

/** Dollars per coin, around which prices move. */
const PRICES: Readonly<Record<string, number>> = { ETH: 3_000, BNB: 900, POL: 0.4 };

/** Returns the transaction that records the price of a block. @param time seconds since 1970 */
export function priceUpdate({ coin }: Chain, from: string, time: number): SampleTransaction {
  const days = time / SECONDS_PER_DAY;
  const price = (PRICES[coin] ?? 1) * (1 + 0.08 * Math.sin(days / 9) + 0.02 * Math.sin(days * 2.7));
  return {
    from,
    to: AGGREGATOR,
    value: '0x0',
    gas: '0x186a0',
    gasPrice: '0x77359400',
    data: word(BigInt(Math.round(price * 10 ** ANSWER_DECIMALS))),
  };
}
