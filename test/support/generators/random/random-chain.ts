import { type Chain, type ChainName, chainOf } from '#core/chains/chains.ts';
import type { Rules } from '#core/chains/rule-types.ts';
import type { BlockRef } from '#core/figures/block.ts';
import type { UtcDay } from '#core/figures/calendar.ts';
import type { Fees } from '#core/figures/fee-parts.ts';
import type { Totals } from '#core/figures/totals.ts';
import { type Json, NO_HASH, type RawHeader } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import { blobsAfter } from './random-blobs.ts';
import { isInBody, type RandomBlock, randomBlock } from './random-block.ts';
import { type Content, randomContent } from './random-families.ts';
import { type Forks, forksWithin } from './random-forks.ts';
import type { BlockPlace } from './random-place.ts';
import { randomAccount } from './random-signatures.ts';
import { daysFrom, randomTimes } from './random-times.ts';
import { type RandomTransaction, randomAmount } from './random-transactions.ts';

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
  /** Adds up the blocks from one number to another, both included. */
  readonly totalsOf: (first: number, last: number) => Totals;
}

/**
 * The expected figures of a day, summed while the chain was generated. `DayFigures` (core/store/days/day-item.ts) follow from
 * them.
 */
interface ExpectedDay extends Totals {
  /** Hash of the last block before the day. */
  readonly parentHash: string;
  /** Absent on a day without blocks. */
  readonly first?: BlockRef | undefined;
  /** On a day without blocks, the last block before it. */
  readonly last: BlockRef;
  /** Blocks whose figures follow from their hash. */
  readonly provenBlocks: number;
  /** A hash covers the time of the last block before the day. */
  readonly isStartHashed: boolean;
  /** By the hour (UTC). */
  readonly hours: readonly Totals[];
  /** Numbers of transactions by the lowest fee of their bucket. */
  readonly feeCounts: ReadonlyMap<bigint, number>;
}

const nameOf: Record<Family, ChainName> = {
  ethereum: 'ETHEREUM',
  arbitrum: 'ARBITRUM',
  bsc: 'BSC',
  'op-stack': 'OPTIMISM',
  polygon: 'POLYGON',
};

/** The span of a random chain. */
interface Span {
  readonly firstDay: UtcDay;
  /** Number of complete days. */
  readonly days: number;
  /** Keeps the rules of the real chain, whose forks are outside the span. */
  readonly keepsRules?: boolean;
}

/**
 * Generates a chain with about four blocks per day and all features of its family, before and after each fork. All hashes and
 * roots are real where the family's are. Genesis is on the first day or the day before.
 */
export async function randomChain(family: Family, random: Random, span: Span): Promise<RandomChain> {
  const slots = randomTimes(random, span.firstDay, span.days);
  const row = chainOf(nameOf[family]);
  const forks = forksWithin(row.rules, random, slots, span.keepsRules ?? false);
  const chain = { ...row, firstDay: span.firstDay, rules: forks.rules };
  const miners = [randomAccount(random), randomAccount(random)];
  const made: Made[] = [];
  for (const [number, { day, timestamp }] of slots.entries()) {
    const parent: Parent = made.at(-1)?.block.header ?? { hash: NO_HASH, timestamp: '0x0' };
    const at = { number, timestamp, parentTimestamp: Number(parent.timestamp) };
    const place = placeOf(chain, random, forks, { ...at, miner: random.pick(miners) }, parent);
    const content = number === 0 ? { transactions: [] } : randomContent(chain, random, place);
    const block = randomBlock(chain, random, place, parent.hash, content.transactions, content.l1);
    const sibling = number > 0 ? siblingOf(chain, random, forks, { place, parent, content }) : undefined;
    made.push({ day, block, sibling, content, place, isProvable: isProvable(chain, number) });
  }
  return {
    chain,
    blocks: made.map(({ block }) => block),
    siblings: made.map(({ sibling }) => sibling),
    expected: new Map(daysFrom(span.firstDay, span.days).map((day) => [day, expectedDay(chain, made, day)])),
    totalsOf: (first, last) => expectedTotals(chain.rules, made.slice(first, last + 1)),
  };
}

type Parent = Json & Pick<RawHeader, 'hash' | 'timestamp'>;

/** A generated block with its expected properties. */
interface Made {
  readonly day: UtcDay;
  readonly block: RandomBlock;
  readonly sibling: RandomBlock | undefined;
  readonly content: Content;
  readonly place: BlockPlace;
  readonly isProvable: boolean;
}

/** Before Nitro, blocks do not hash to their hash; before Bedrock, L1 fees depend on more than the block. */
function isProvable({ rules }: Chain, number: number): boolean {
  if (rules.family === 'arbitrum') return number >= rules.nitroBlock;
  return rules.family !== 'op-stack' || number >= rules.bedrockBlock;
}

function placeOf(
  { id, rules }: Chain,
  random: Random,
  { isOld, appendedAt }: Forks,
  at: Pick<BlockPlace, 'number' | 'timestamp' | 'parentTimestamp' | 'miner'>,
  parent: Parent,
): BlockPlace {
  const appended = appendedAt(at.number, at.timestamp);
  const hasBlobs = 'blobSchedule' in rules && appended > 2;
  return {
    ...at,
    chainId: id,
    isOld: isOld(at.number),
    appended,
    baseFee: appended === 0 ? undefined : rules.family === 'bsc' ? 0n : randomAmount(random),
    blobs: hasBlobs ? blobsAfter(rules.blobSchedule, random, at, parent) : undefined,
  };
}

/** Half of the orphaned blocks have the same transactions with more gas, the others have different ones. */
function siblingOf(
  chain: Chain,
  random: Random,
  forks: Forks,
  of: { readonly place: BlockPlace; readonly parent: Parent; readonly content: Content },
): RandomBlock {
  const { place, parent, content } = of;
  if (random.chance(0.5)) {
    const costlier = content.transactions.map((one) => ({
      ...one,
      gasUsed: one.gasUsed && one.gasUsed + 1_000n,
    }));
    return randomBlock(chain, random, place, parent.hash, costlier, content.l1);
  }
  const timestamp = place.parentTimestamp + random.below(place.timestamp - place.parentTimestamp + 5);
  const other = placeOf(chain, random, forks, { ...place, timestamp }, parent);
  const { transactions, l1 } = randomContent(chain, random, other);
  return randomBlock(chain, random, other, parent.hash, transactions, l1);
}

const refOf = ({ block: { header } }: Made): BlockRef => ({
  number: Number(header.number),
  hash: header.hash,
});

function expectedTotals(rules: Rules, made: readonly Made[]): Totals {
  const transactions = made.flatMap(({ content }) => content.transactions);
  const stateSyncs = made.filter(({ block }) => isInBody(block)).length;
  const sum = (part: keyof Fees) => transactions.reduce((total, { paid }) => total + paid[part], 0n);
  return {
    blocks: made.length,
    transactions: transactions.length + stateSyncs,
    protocolTransactions: transactions.filter(({ isProtocol }) => isProtocol).length + stateSyncs,
    fees: {
      execution: sum('execution'),
      l1Data: sum('l1Data'),
      operator: sum('operator'),
      blob: sum('blob'),
      retryableDoubleCount: sum('retryableDoubleCount'),
    },
    measures: expectedMeasures(rules, made),
  };
}

function expectedMeasures({ family }: Rules, made: readonly Made[]): Totals['measures'] {
  let [gasUsed, failed, tips, blobs] = [0n, 0n, 0n, 0n];
  let [isOutcomeKnown, isBaseFeeKnown] = [true, true];
  for (const { content, place, isProvable } of made) {
    for (const { gasUsed: gas, succeeded, price, paid, json } of content.transactions) {
      gasUsed += gas;
      blobs += BigInt((json.blobVersionedHashes as unknown[] | undefined)?.length ?? 0);
      if (place.isOld) isOutcomeKnown = false;
      else if (!succeeded) failed += 1n;
      // Nothing says whether a block that is only checked and has no base fee is from before London.
      const isChecked = family === 'arbitrum' && !isProvable;
      if (paid.execution > 0n && isChecked && place.baseFee === undefined) isBaseFeeKnown = false;
      if (paid.execution > 0n) tips += gas * (price - (place.baseFee ?? 0n));
    }
  }
  return {
    gasUsed,
    failedTransactions: isOutcomeKnown ? failed : undefined,
    priorityFees: isBaseFeeKnown ? tips : undefined,
    blobs,
  };
}

/** Multiplies by 1.04, keeps three digits, and begins again at each power of ten. */
function lowestOfBucket(fee: bigint): bigint {
  let [bound, unit] = [100n, 1n];
  if (fee < bound) return fee;
  for (;;) {
    let next = (bound * 104n) / 100n;
    const isOver = next >= 1_000n;
    if (isOver) next = 1_000n;
    if (fee < next * unit) return bound * unit;
    [bound, unit] = isOver ? [100n, unit * 10n] : [next, unit];
  }
}

function expectedFeeCounts(transactions: readonly RandomTransaction[]): Map<bigint, number> {
  const counts = new Map<bigint, number>();
  for (const { paid } of transactions) {
    const fee = paid.execution + paid.l1Data + paid.operator + paid.blob;
    if (fee > 0n) counts.set(lowestOfBucket(fee), (counts.get(lowestOfBucket(fee)) ?? 0) + 1);
  }
  return counts;
}

function expectedDay({ rules }: Chain, made: readonly Made[], day: UtcDay): ExpectedDay {
  const ofDay = made.filter((one) => one.day === day);
  const last = made.findLast((one) => one.day <= day);
  const before = made.findLast((one) => one.day < day);
  if (!last) throw new Error(`no block at or before ${day}`);
  const hourOf = ({ place }: Made) => Math.floor((place.timestamp % 86_400) / 3_600);
  return {
    ...expectedTotals(rules, ofDay),
    hours: Array.from({ length: 24 }, (_, hour) =>
      expectedTotals(
        rules,
        ofDay.filter((one) => hourOf(one) === hour),
      ),
    ),
    feeCounts: expectedFeeCounts(ofDay.flatMap(({ content }) => content.transactions)),
    parentHash: before?.block.header.hash ?? NO_HASH,
    first: ofDay[0] && refOf(ofDay[0]),
    last: refOf(last),
    provenBlocks: ofDay.filter((one) => one.isProvable).length,
    isStartHashed: rules.family !== 'arbitrum' || before?.isProvable !== false,
  };
}
