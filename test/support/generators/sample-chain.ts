import { chainOf } from '#core/chains/chains.ts';
import type { BlockRef, SummedBlock } from '#core/figures/block.ts';
import { addDays, startOfDay, type UtcDay } from '#core/figures/calendar.ts';
import { totalFees } from '#core/figures/fee-parts.ts';
import { startDayProgress } from '#core/figures/progress.ts';
import { NO_TOTALS } from '#core/figures/totals.ts';
import { publishDay } from '#core/ingest/days/publish-day.ts';
import { queryDays } from '#core/store/days.ts';
import { chainStore, type Table } from '#core/store/table.ts';
import type { Call, NodeResponse } from '#test/support/nodes/json-rpc-server.ts';
import { blockResponse, hashOf, hex, type RawBlock, sealBlock, type UnsealedBlock } from './seal.ts';
import { sealedChain } from './sealed-block.ts';

const ETHEREUM = chainOf('ETHEREUM');

/**
 * Creates a chain of blocks at the given times, in seconds, with real hashes. Block n has n % 3 transfers of 21,000 gas at n wei
 * per gas, so that sums over blocks are easy to compute.
 * @param name distinguishes the blocks of two chains with the same times
 */
export const sampleChain = (times: readonly number[], name = 'sample'): readonly RawBlock[] =>
  sealedChain(
    ETHEREUM,
    times.map((timestamp, number) => ({
      header: { timestamp: hex(timestamp), stateRoot: hashOf(`${name} ${number}`) },
      pairs: Array.from({ length: number % 3 }, (_, index) => ({
        transaction: { nonce: hex(3 * number + index), gasPrice: hex(number) },
      })),
    })),
  );

/**
 * Replaces block `number` by a changed one and seals it and all later ones, each on its parent: a fork with real hashes.
 */
export function reseal(
  blocks: readonly RawBlock[],
  number: number,
  change: (block: RawBlock) => UnsealedBlock,
): readonly RawBlock[] {
  const forked = blocks.slice(0, number);
  for (const block of blocks.slice(number)) {
    const changed = forked.length === number ? change(block) : block;
    const parentHash =
      forked.length === number ? changed.header.parentHash : (forked.at(-1)?.header.hash ?? '');
    forked.push(sealBlock(ETHEREUM, { ...changed, header: { ...changed.header, parentHash } }));
  }
  return forked;
}

/** Returns a block that a test relies on. */
export function blockAt(blocks: readonly RawBlock[], number: number): RawBlock {
  const block = blocks[number];
  if (!block) throw new Error(`the chain has no block ${number}`);
  return block;
}

/** Returns a block as a later block, a checkpoint or a day refers to it. */
export function refAt(blocks: readonly RawBlock[], number: number): BlockRef {
  return { number, hash: blockAt(blocks, number).header.hash };
}

/** Returns a block of a sample chain as an endpoint gives it, without its fees. */
export function summedBlock(blocks: readonly RawBlock[], number: number, host: string): SummedBlock {
  const { hash, parentHash, timestamp } = blockAt(blocks, number).header;
  const totals = { ...NO_TOTALS, blocks: 1, transactions: number % 3 };
  return { number, hash, parentHash, timestamp: Number(timestamp), host, isProven: true, totals };
}

/** Returns the sums of blocks `first` to `last` of a sample chain. */
export function sampleSums(first: number, last: number): { transactions: number; fees: bigint } {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return {
    transactions: numbers.reduce((sum, number) => sum + (number % 3), 0),
    fees: numbers.reduce((sum, number) => sum + BigInt(number % 3) * 21_000n * BigInt(number), 0n),
  };
}

/** Returns the response of a correct node of this chain. */
export function answerFrom(
  blocks: readonly RawBlock[],
  { chainId = 1, finalized = blocks.length - 1 } = {},
): (call: Call) => NodeResponse {
  return ({ method, params: [tag, second] }) => {
    const block = blocks[tag === 'finalized' ? finalized : Number(tag)];
    switch (method) {
      case 'eth_chainId':
        return { result: hex(chainId) };
      case 'eth_getBlockByNumber':
        return { result: block ? blockResponse(block, second === true) : null };
      case 'eth_getBlockReceipts':
        return { result: block?.receipts ?? null };
      case 'eth_getRawTransactionByBlockNumberAndIndex':
        return { result: block?.transactions[Number(second)]?.raw ?? null };
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist` } };
    }
  };
}

/** The first complete day of the sample blocks. */
export const DAY: UtcDay = '2026-11-18';

/** Returns a timestamp of a day after the first. */
export const at = (days: number, seconds: number): number => startOfDay(addDays(DAY, days)) + seconds;

/** Genesis the day before; blocks 1 to 4 on the first day, 5 to 7 on the second, none on the third, then 8 and 9. */
export const sampleTimes: readonly number[] = [
  at(-1, 80_000),
  ...[at(0, 0), at(0, 12), at(0, 12), at(0, 86_399)],
  ...[at(1, 5), at(1, 40_000), at(1, 80_000)],
  ...[at(3, 0), at(3, 12)],
];

export const sampleBlocks = sampleChain(sampleTimes);

/** The sample chain with a wrong gas price in a receipt of block 2, 1 wei instead of 2, which only a proof detects. */
export const oneWrongFee: readonly RawBlock[] = sampleBlocks.map((block, number) => ({
  ...block,
  receipts: block.receipts.map((receipt, index) =>
    number === 2 && index === 0 ? { ...receipt, effectiveGasPrice: '0x1' } : receipt,
  ),
}));

/** The expected figures of the complete days. */
export const completeDays = [
  { day: '2026-11-18', blocks: 4, ...sampleSums(1, 4), range: [1, 4] },
  { day: '2026-11-19', blocks: 3, ...sampleSums(5, 7), range: [5, 7] },
  { day: '2026-11-20', blocks: 0, transactions: 0, fees: 0n, range: [undefined, 7] },
];

/** Reads the stored figures in the form of `completeDays`. */
export async function storedDays(table: Table): Promise<typeof completeDays> {
  const days = await queryDays(chainStore(table, 'ETHEREUM'), '0000-01-01', '9999-12-31');
  return days.map(({ day, totals, first, last }) => ({
    day,
    blocks: totals.blocks,
    transactions: totals.transactions,
    fees: totalFees(totals.fees),
    range: [first?.number, last.number],
  }));
}

/** The number and hash of a sample block; of one that does not exist, any hash. */
export const sampleBlock = (number: number) => ({
  number,
  hash: sampleBlocks[number]?.header.hash ?? hashOf(`sample ${number}`),
});

/** Publishes a day of sample blocks with wrong sums: zeros. */
export async function publishWrongly(table: Table, day: UtcDay, first: number, last: number): Promise<void> {
  const progress = {
    ...startDayProgress(day, sampleBlock(first - 1)),
    first: sampleBlock(first),
    last: sampleBlock(last),
    hosts: ['old.example'],
  };
  const complete = { progress, confirmedBy: ['old.example'] };
  const conflict = await publishDay(chainStore(table, 'ETHEREUM'), complete, 0);
  if (conflict) throw new Error(conflict.reason);
}
