import type { BlockRef } from '../../lambda/chains/block.ts';
import { type Chain, type ChainName, chainOf } from '../../lambda/chains/chains.ts';
import type { Fees } from '../../lambda/chains/fee-parts.ts';
import type { Rules } from '../../lambda/chains/rules.ts';
import type { Totals } from '../../lambda/chains/totals.ts';
import type { UtcDay } from '../../lambda/chains/utc-day.ts';
import { hashOf } from './builders.ts';
import type { Random } from './random.ts';
import {
  blockOf,
  isInBody,
  type Placed,
  type RandomBlock,
  type RawHeader,
  withStateSync,
} from './random-block.ts';
import { randomTransactions } from './random-families.ts';
import { daysFrom, randomTimes, type Slot } from './random-times.ts';
import { type BlockPlace, type RandomTransaction, randomAddress } from './random-transactions.ts';

export type Family = Rules['family'];

export interface RandomChain {
  /** The entry of a real chain of the family, with its forks moved into the random chain. */
  readonly chain: Chain;
  /** By number. They end with some blocks after the last expected day, so that every expected day can become final. */
  readonly blocks: readonly RandomBlock[];
  /** By number, a complete orphaned block with the same number and parent. Genesis has none. */
  readonly siblings: readonly (RandomBlock | undefined)[];
  /** Each complete day from `chain.firstDay` on, including days without blocks. */
  readonly expected: ReadonlyMap<UtcDay, ExpectedDay>;
}

/**
 * The expected figures of a day, summed while the chain was generated. `DayFigures` (lambda/store/day-item.ts) follow from
 * them.
 */
interface ExpectedDay extends Totals {
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
  /** On a day without blocks, the last block before it. */
  readonly last: BlockRef;
}

const nameOf: Record<Family, ChainName> = {
  ethereum: 'ETHEREUM',
  arbitrum: 'ARBITRUM',
  bsc: 'BSC',
  'op-stack': 'OPTIMISM',
  polygon: 'POLYGON',
};

/**
 * Generates a chain with about four blocks per day and all features of its family, before and after each fork. Genesis is on
 * the first day or the day before.
 * @param span number of complete days
 */
export function randomChain(
  family: Family,
  random: Random,
  span: { readonly firstDay: UtcDay; readonly days: number },
): RandomChain {
  const slots = randomTimes(random, span.firstDay, span.days);
  const row = chainOf(nameOf[family]);
  const chain = { ...row, firstDay: span.firstDay, rules: forkedWithin(row.rules, random, slots) };
  const name = `chain ${random.bigintBelow(2n ** 64n)}`;
  const byzantium = family === 'ethereum' ? Math.floor(slots.length / 3) : 0;
  const miners = [randomAddress(random), randomAddress(random)];

  const made: Made[] = [];
  for (const [number, { day, timestamp }] of slots.entries()) {
    const place = { number, timestamp, miner: random.pick(miners), isOld: number < byzantium };
    const parent = made.at(-1)?.block.header;
    const ids = { hash: hashOf(`${name} ${number}`), parentHash: parent?.hash ?? `0x${'0'.repeat(64)}` };
    const transactions = number === 0 ? [] : placed(randomTransactions(chain, random, place), ids.hash);
    const block = wholeBlock(chain, random, place, ids, transactions);
    const sibling = parent && siblingOf(chain, random, place, { ...ids, parent, transactions });
    made.push({ day, ref: { number, hash: ids.hash }, transactions, block, sibling });
  }
  return {
    chain,
    blocks: made.map(({ block }) => block),
    siblings: made.map(({ sibling }) => sibling),
    expected: new Map(daysFrom(span.firstDay, span.days).map((day) => [day, expectedDay(made, day)])),
  };
}

/** A generated block with its expected properties. */
interface Made {
  readonly day: UtcDay;
  readonly ref: BlockRef;
  readonly transactions: readonly Placed[];
  readonly block: RandomBlock;
  readonly sibling: RandomBlock | undefined;
}

const placed = (transactions: readonly RandomTransaction[], name: string): Placed[] =>
  transactions.map((transaction, index) => ({ ...transaction, hash: hashOf(`${name} ${index}`) }));

function wholeBlock(
  { rules }: Chain,
  random: Random,
  place: BlockPlace,
  ids: { readonly hash: string; readonly parentHash: string },
  transactions: readonly Placed[],
): RandomBlock {
  const block = blockOf(random, place, ids, transactions);
  const hasSynthetic =
    rules.family === 'polygon' &&
    place.number > 0 &&
    place.number < rules.stateSyncTypeFrom &&
    random.chance(0.6);
  return hasSynthetic ? withStateSync(random, place, block) : block;
}

/** Half of the orphaned blocks have the same transactions with more gas, the others have different ones. */
function siblingOf(
  chain: Chain,
  random: Random,
  place: BlockPlace,
  of: { readonly hash: string; readonly parent: RawHeader; readonly transactions: readonly Placed[] },
): RandomBlock {
  const ids = { hash: hashOf(`sibling of ${of.hash}`), parentHash: of.parent.hash };
  const earliest = Number(of.parent.timestamp);
  const timestamp = earliest + random.below(place.timestamp - earliest + 5);
  const transactions = random.chance(0.5)
    ? of.transactions.map((one) => ({ ...one, gasUsed: one.gasUsed && one.gasUsed + 1_000n }))
    : placed(randomTransactions(chain, random, place), ids.hash);
  return wholeBlock(chain, random, { ...place, timestamp }, ids, transactions);
}

/** Returns the rules of a real chain with its forks at the given blocks. A fork time may be long before the next block. */
function forkedWithin(rules: Rules, random: Random, slots: readonly Slot[]): Rules {
  const times = [...new Set(slots.map(({ timestamp }) => timestamp))];
  const indexAt = (share: number, length: number) =>
    Math.max(1, Math.floor(length * share) - random.below(2));
  const numberAt = (share: number) => indexAt(share, slots.length);
  const timeAt = (share: number) => {
    const [before = 0, at = 0] = times.slice(indexAt(share, times.length) - 1);
    return random.chance(0.5) ? at : before + 1;
  };
  switch (rules.family) {
    case 'ethereum':
    case 'bsc':
      return rules;
    case 'arbitrum':
      return { ...rules, nitroBlock: numberAt(0.3) };
    case 'polygon':
      return { ...rules, stateSyncTypeFrom: numberAt(0.5) };
    case 'op-stack':
      return { ...rules, bedrockBlock: numberAt(0.25), isthmusTime: timeAt(0.5), jovianTime: timeAt(0.75) };
  }
}

function expectedDay(made: readonly Made[], day: UtcDay): ExpectedDay {
  const ofDay = made.filter((one) => one.day === day);
  const last = made.findLast((one) => one.day <= day);
  if (!last) throw new Error(`no block at or before ${day}`);
  const transactions = ofDay.flatMap((one) => one.transactions);
  const stateSyncs = ofDay.filter(({ block }) => isInBody(block)).length;
  const sum = (part: keyof Fees) => transactions.reduce((total, { paid }) => total + paid[part], 0n);
  return {
    blocks: ofDay.length,
    transactions: transactions.length + stateSyncs,
    protocolTransactions: transactions.filter(({ isProtocol }) => isProtocol).length + stateSyncs,
    fees: {
      execution: sum('execution'),
      l1Data: sum('l1Data'),
      operator: sum('operator'),
      blob: sum('blob'),
      retryableDoubleCount: sum('retryableDoubleCount'),
    },
    first: ofDay[0]?.ref,
    last: last.ref,
  };
}
