import type { Network } from '../../core/anchor/network.ts';
import { upstreamsFor } from '../../core/anchor/network.ts';
import type { PriceFeed } from '../../core/chains/price-feeds.ts';
import { readAggregator } from '../../core/dollars/read-aggregator.ts';
import {
  NO_AGGREGATOR,
  type PriceEvidence,
  type PriceUpdate,
  priceAmount,
} from '../../core/figures/dollars.ts';
import { requestWithFailover } from '../../core/rpc/failover.ts';
import { callContract } from '../../core/rpc/methods.ts';
import { formatDuration } from '../print.ts';

/** The feed that prices the fees of a chain in dollars. */
export interface FeedReport {
  readonly pair: string;
  /** The contract that records its prices; absent where no endpoint named one. */
  readonly aggregator?: string;
  readonly evidence?: PriceEvidence;
  /** The last price in dollars. */
  readonly price?: string;
  /** Seconds since 1970: the time of that price. */
  readonly updated_at?: number;
  /** The reason that days will have no dollars. */
  readonly problem?: string;
}

/** `latestRoundData()` */
const LATEST_ROUND_CALL = '0xfeaf968c';
/** Round, answer, start, time of the update, and the round of the answer, a word each. */
const LATEST_ROUND = /^0x([\da-f]{64}){5}$/i;

/**
 * Finds the aggregator of a feed, and its last price.
 * @param now seconds since 1970
 */
export async function checkFeed(
  source: Network,
  { pair, maxAge }: PriceFeed,
  now: number,
): Promise<FeedReport> {
  const found = await readAggregator(source, 'latest');
  if (found.kind === 'not read') return { pair, problem: found.reason };
  const { aggregator, evidence, number } = found.reading;
  if (aggregator === NO_AGGREGATOR)
    return { pair, problem: `the feed names no aggregator at block ${number}` };
  const named = { pair, aggregator, evidence };
  const last = await readLastPrice(source, pair, aggregator);
  if (typeof last === 'string') return { ...named, problem: last };
  const report = { ...named, price: priceAmount(last), updated_at: last.updatedAt };
  if (last.answer <= 0n) return { ...report, problem: 'it is not above 0' };
  const isStale = now - last.updatedAt > maxAge;
  return isStale ? { ...report, problem: `it is older than ${formatDuration(maxAge)}` } : report;
}

/** @returns why there is none, if there is none */
async function readLastPrice(source: Network, pair: string, to: string): Promise<PriceUpdate | string> {
  const what = `the last price of ${pair}`;
  const read = await requestWithFailover(source.context, upstreamsFor(source), what, async (rpc) => {
    const answer = await callContract(rpc, { to, data: LATEST_ROUND_CALL }, 'latest');
    if (!LATEST_ROUND.test(answer)) return { refused: `${to} has no latestRoundData()` };
    const word = (index: number) => BigInt(`0x${answer.slice(2 + 64 * index, 2 + 64 * (index + 1))}`);
    return { value: { round: word(0), answer: BigInt.asIntN(256, word(1)), updatedAt: Number(word(3)) } };
  });
  return read.kind === 'fetched' ? read.value : read.reason;
}

/** @param now seconds since 1970 */
export function describeFeed(report: FeedReport, now: number): string {
  const { pair, aggregator, evidence, price, updated_at, problem } = report;
  const parts = [
    ...(price !== undefined && updated_at !== undefined
      ? [`${price}, ${formatDuration(now - updated_at)} ago`]
      : []),
    ...(aggregator
      ? [`recorded by ${aggregator}${evidence === 'reported' ? ', as two hosts say' : ''}`]
      : []),
  ];
  const found = [`Price of ${pair}`, ...parts].join(', ');
  return problem === undefined ? `${found}.` : `${found}. Days will have no dollars: ${problem}.`;
}
