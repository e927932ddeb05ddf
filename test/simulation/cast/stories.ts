import type { Chain } from '#core/chains/chains.ts';
import { addDays, dayOf, startOfDay } from '#core/figures/calendar.ts';
import { stateSyncHash } from '#core/proof/hashed-body.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type RawHeader, sealBlock } from '#test/support/generators/blocks/seal.ts';
import { lies } from '#test/support/generators/lies/lies.ts';
import type { Random } from '#test/support/generators/random/random.ts';
import { blobPriceOf, excessAfter, maxBlobsOf } from '#test/support/generators/random/random-blobs.ts';
import type { RandomBlock } from '#test/support/generators/random/random-block.ts';
import type { RandomChain } from '#test/support/generators/random/random-chain.ts';
import { EMPTY_ROOT } from '#test/support/generators/random/random-header.ts';

/*
 * Other chains than the true one, for nodes that lie about the chain. Every block of them is valid, hashes to its hash and names its
 * parent: only the last hash shows the lie.
 */

export const timestampOf = ({ header }: RandomBlock): number => Number(header.timestamp);

/** Returns a chain whose blocks from `from` on are others. They get new numbers and hashes. */
function retold(
  world: RandomChain,
  from: number,
  change: (later: readonly RandomBlock[]) => readonly RandomBlock[],
): RandomChain {
  const blocks = world.blocks.slice(0, from);
  for (const block of change(world.blocks.slice(from))) {
    blocks.push(sealed(world.chain, block, blocks.length, blocks.at(-1)?.header));
  }
  return { ...world, blocks };
}

function sealed(
  chain: Chain,
  block: RandomBlock,
  number: number,
  parent: RawHeader | undefined,
): RandomBlock {
  // So that a block that is the same otherwise has another hash too.
  const stateRoot = hashOf(`the state of ${block.header.hash} in another chain`);
  const parentHash = parent?.hash ?? block.header.parentHash;
  const header = { ...block.header, number: hex(number), parentHash, stateRoot };
  const priced = parent ? withBlobs(chain, { ...block, header }, parent) : { ...block, header };
  const raw = sealBlock(chain, priced);
  if (!block.stateSync) return { ...block, ...raw };
  const { hash } = raw.header;
  const place = { blockHash: hash, blockNumber: hex(number), transactionHash: stateSyncHash(number, hash) };
  return { ...block, ...raw, stateSync: { ...block.stateSync, ...place } };
}

/** Returns a block with the price of blobs that follows from its parent, and with no more blobs than it may have. */
function withBlobs({ rules }: Chain, block: RandomBlock, parent: RawHeader): RandomBlock {
  const { header } = block;
  if (!('blobSchedule' in rules) || header.excessBlobGas === undefined) return block;
  const active = rules.blobSchedule.findLast(({ from }) => from <= timestampOf(block));
  if (!active) return block;
  const excess = excessAfter(active, parent);
  const blobGasPrice = hex(blobPriceOf(excess, BigInt(active.updateFraction)));
  const isAllowed = (index: number) =>
    block.transactions[index]?.type !== '0x3' || maxBlobsOf(active, Number(header.number)) > 0;
  const receipts = block.receipts.filter((_, index) => isAllowed(index));
  const used = receipts.reduce((sum, { blobGasUsed }) => sum + BigInt(`${blobGasUsed ?? 0}`), 0n);
  return {
    ...block,
    header: { ...header, excessBlobGas: hex(excess), blobGasUsed: hex(used) },
    transactions: block.transactions.filter((_, index) => isAllowed(index)),
    receipts: receipts.map((one) => (one.type === '0x3' ? { ...one, blobGasPrice } : one)),
  };
}

/** Returns a chain whose blocks from `from` on use more gas. */
export const forkOf = (world: RandomChain, random: Random, from: number): RandomChain =>
  retold(world, from, (later) =>
    later.map((block) => lies['gas-used-raised'](block, { world, random, name: 'fork' }) ?? block),
  );

/** Returns a chain with `count` invented blocks in the last second of a day, so that its numbers run ahead. */
export function withExtraBlocks(world: RandomChain, random: Random, count: number): RandomChain {
  const start = pickStart(world, random, 1);
  if (start === undefined) return world;
  const last = world.blocks[start - 1] as RandomBlock;
  const extra = Array.from({ length: count }, () => movedTo(last, midnightAfter(last) - 1));
  return retold(world, start, (later) => [...extra, ...later]);
}

/** Returns a chain that lacks the last blocks of a day, at most `count`, so that its numbers fall behind. */
export function withoutLastBlocks(world: RandomChain, random: Random, count: number): RandomChain {
  const start = pickStart(world, random, 2);
  if (start === undefined) return world;
  const from = Math.max(start - count, firstMovable(world.chain) + 1);
  return retold(world, from, (later) => later.slice(start - from));
}

/** Returns a chain where the last block of a day is of the next day. */
export function withLateBlock(world: RandomChain, random: Random): RandomChain {
  const start = pickStart(world, random, 2);
  if (start === undefined) return world;
  return retold(world, start - 1, ([last, ...later]) =>
    last ? [movedTo(last, midnightAfter(last)), ...later] : [],
  );
}

/** Returns a chain where the first block of a day is of the day before. */
export function withEarlyBlock(world: RandomChain, random: Random): RandomChain {
  const start = pickStart(world, random, 1);
  if (start === undefined) return world;
  return retold(world, start, ([first, ...later]) =>
    first ? [movedTo(first, startOfDay(dayOf(timestampOf(first))) - 1), ...later] : [],
  );
}

/**
 * Returns a chain that ends with an invented block.
 * @param number of that block
 * @param timestamp seconds
 */
export function withHead(world: RandomChain, number: number, timestamp: number): RandomChain {
  const last = world.blocks[number - 1] as RandomBlock;
  return retold({ ...world, blocks: world.blocks.slice(0, number) }, number, () => [
    movedTo(last, timestamp),
  ]);
}

/** Without transactions, because some rules of a transaction depend on the time. */
const movedTo = ({ header }: RandomBlock, timestamp: number): RandomBlock => ({
  header: { ...header, timestamp: hex(timestamp), transactionsRoot: EMPTY_ROOT },
  transactions: [],
  receipts: [],
});

const midnightAfter = (block: RandomBlock): number => startOfDay(addDays(dayOf(timestampOf(block)), 1));

/** The first block that is valid under another number, because the rules of no earlier one depend on its number. */
function firstMovable({ rules }: Chain): number {
  if (rules.family === 'arbitrum') return rules.nitroBlock;
  if (rules.family === 'op-stack') return rules.bedrockBlock;
  return rules.family === 'polygon' ? rules.stateSyncTypeFrom : 0;
}

/** Returns undefined where a short chain has no such block, so that its liar has nothing to tell. */
function pickStart(world: RandomChain, random: Random, before: number): number | undefined {
  const starts = dayStarts(world, before);
  return starts.length > 0 ? random.pick(starts) : undefined;
}

/** Returns the numbers of the first blocks of days, with at least `before` movable blocks before them. */
function dayStarts({ chain, blocks }: RandomChain, before: number): readonly number[] {
  const isStart = (number: number) => {
    const [last, first] = blocks.slice(number - 1);
    return last && first && timestampOf(first) >= midnightAfter(last);
  };
  return blocks.flatMap((_, number) =>
    number >= firstMovable(chain) + before && isStart(number) ? [number] : [],
  );
}
