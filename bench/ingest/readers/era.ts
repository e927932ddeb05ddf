import { ENTRY_HEADER } from '../../../core/blocks/era/e2store-entries.ts';
import { createDecompressor, loadChecksum } from '../../../core/blocks/era/snappy.ts';
import { type Chain, chainOf } from '../../../core/chains/chains.ts';
import { totalFees } from '../../../core/figures/fee-parts.ts';
import { addTotals, NO_TOTALS } from '../../../core/figures/totals.ts';
import { BLOOM, createBlooms } from '../../../core/proof/encoding/bloom.ts';
import { toHex } from '../../../core/proof/encoding/hex.ts';
import { keccak256, loadKeccak } from '../../../core/proof/encoding/keccak.ts';
import { headerHash } from '../../../core/proof/header.ts';
import type { RpcReceipt } from '../../../core/proof/json/rpc-types.ts';
import type { BlockBytes } from '../../../core/proof/raw/prove-raw-block.ts';
import { receiptsRoot } from '../../../core/proof/receipts.ts';
import { blockOf, hexOf, sample } from '../node/block.ts';
import { blockBytes } from '../node/block-bytes.ts';
import { era1File, eraFileName, ereFile } from '../node/era-files.ts';
import { filesInMemory, type ReadFiles, readFiles } from '../node/read-files.ts';
import type { BenchReader } from './reader.ts';

export type EraFormat = 'era1' | 'ere';

const ETHEREUM = chainOf('ETHEREUM');
const TIME = Date.parse('2026-11-20T00:00:00Z') / 1_000;

const blooms = createBlooms();

/**
 * Returns the receipts with addresses and topics of their own in each block. Blooms are remembered within a file, and blocks that repeat
 * would need no hashing after the first.
 */
function receiptsIn(number: number, receipts: readonly RpcReceipt[]): readonly RpcReceipt[] {
  const own = (hex: string) => `0x${(number + 1).toString(16).padStart(8, '0')}${hex.slice(10)}`;
  return receipts.map((receipt) => {
    const bloom = Buffer.alloc(BLOOM);
    const logs = receipt.logs.map((log) => ({
      ...log,
      address: own(log.address),
      topics: log.topics.map(own),
    }));
    for (const { address, topics } of logs) {
      for (const value of [address, ...topics]) {
        const bytes = Buffer.from(value.slice(2), 'hex');
        blooms.add(bloom, 0, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
      }
    }
    blooms.finish(bloom);
    return { ...receipt, logs, logsBloom: toHex(bloom) };
  });
}

/**
 * Returns linked blocks with the transactions of the sample.
 * @param first number of the first
 */
export function sampleBlocks(count: number, chain: Chain = ETHEREUM, first = 0): readonly BlockBytes[] {
  const block = blockOf(chain, sample.block.transactions.length, TIME);
  const { transactions } = block;
  const types = transactions.map(({ type }) => ({ type: Number(type) }));
  let { parentHash } = block.header;
  return Array.from({ length: count }, (_, index) => {
    const receipts = receiptsIn(index, block.receipts);
    const placed = {
      ...block.header,
      number: hexOf(first + index),
      parentHash,
      timestamp: hexOf(TIME + 12 * index),
    };
    const header = { ...placed, receiptsRoot: receiptsRoot(chain.rules, placed, types, receipts) };
    parentHash = headerHash(header);
    return blockBytes(chain, { ...header, transactions, hash: parentHash }, receipts);
  });
}

const PLACE = { first: 0 };

const fileOf = (format: EraFormat, blocks: readonly BlockBytes[]): Buffer =>
  (format === 'era1' ? era1File : ereFile)(PLACE, blocks);

/** Opens a reader that proves and sums era files in memory. */
export async function openEra(format: EraFormat, count: number): Promise<BenchReader> {
  await loadKeccak();
  const blocks = sampleBlocks(count);
  const files = new Map([[eraFileName(format, 0, PLACE, blocks), fileOf(format, blocks)]]);
  return async () => totalsOf(await readFiles(filesInMemory(files)));
}

/** Adds up all days. @throws Error when a block is refused */
export function totalsOf({ days, end }: ReadFiles): Awaited<ReturnType<BenchReader>> {
  if (end.kind === 'no endpoint') throw new Error(end.reason);
  const totals = days.reduce((sum, day) => addTotals(sum, day.totals), NO_TOTALS);
  return { transactions: totals.transactions, fees: totalFees(totals.fees) };
}

/** Opens a reader that only decompresses each entry of the same files and hashes it once. Its fees are 0. */
export async function openEraBaseline(format: EraFormat, count: number): Promise<BenchReader> {
  await Promise.all([loadKeccak(), loadChecksum()]);
  const entries = compressedEntries(fileOf(format, sampleBlocks(count)));
  const decompress = createDecompressor();
  return async () => {
    for (const entry of entries) keccak256(decompress(entry));
    return { transactions: count * sample.block.transactions.length, fees: 0n };
  };
}

/** Headers, bodies and receipts have the lowest types, and total difficulties 6. */
function compressedEntries(file: Buffer): readonly Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < file.length; ) {
    const [type, length] = [file.readUInt16LE(at), file.readUInt32LE(at + 2)];
    const data = file.subarray(at + ENTRY_HEADER, at + ENTRY_HEADER + length);
    if ([3, 4, 5, 10].includes(type)) entries.push(data);
    at += ENTRY_HEADER + length;
  }
  return entries;
}
