/** A feed of the price of a chain's coin in dollars, which the chain itself records. https://docs.chain.link/data-feeds */
export interface PriceFeed {
  readonly pair: string;
  /** Contract whose storage names the aggregator that records the prices. */
  readonly proxy: string;
  /** Seconds after which a price is stale: two of the feed's heartbeats, but at least 300. */
  readonly maxAge: number;
}

export const ANSWER_DECIMALS = 8;

const feed = (pair: string, proxy: string, maxAge: number): PriceFeed => ({ pair, proxy, maxAge });

// https://data.chain.link names the proxies. Their heartbeats: 3,600, 1,755, 27, 1,200, 1,200 and 27 seconds.
export const PRICE_FEEDS = {
  ETHEREUM: feed('ETH/USD', '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419', 7_200),
  ARBITRUM: feed('ETH/USD', '0x639fe6ab55c921f74e7fac1ee960c0b6293ba612', 3_600),
  BSC: feed('BNB/USD', '0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee', 300),
  OPTIMISM: feed('ETH/USD', '0x13e3ee699d1909e989722e753853ae30b17e08c5', 2_400),
  BASE: feed('ETH/USD', '0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70', 2_400),
  POLYGON: feed('POL/USD', '0xab594600376ec9fd91f8e885dadf0ce036862de0', 300),
};
