import { createHash } from 'node:crypto';
import type { Block, BlockHeader, Receipt } from '../../lambda/chains/block.ts';
import type { Provenance } from '../../lambda/store/day-item.ts';

/** Returns a hash that depends only on the seed. */
export const hashOf = (seed: string | number): string =>
  `0x${createHash('sha256').update(String(seed)).digest('hex')}`;

export const addressOf = (seed: string | number): string => hashOf(seed).slice(0, 42);

/** A legacy transfer at 2 wei per gas, the only transaction of block 100, with some fields overridden. */
export function receipt(given: Partial<Receipt> = {}): Receipt {
  return {
    transactionHash: hashOf('transaction 0'),
    transactionIndex: 0,
    blockHash: hashOf('block 100'),
    blockNumber: 100,
    type: 0,
    from: addressOf('sender'),
    to: addressOf('receiver'),
    gasUsed: 21_000n,
    cumulativeGasUsed: 21_000n,
    effectiveGasPrice: 2n,
    ...given,
  };
}

export function header(given: Partial<BlockHeader> = {}): BlockHeader {
  return {
    number: 100,
    hash: hashOf('block 100'),
    parentHash: hashOf('block 99'),
    timestamp: 1_790_000_000,
    ...given,
  };
}

/** Block 100 with some transfers, each of which may be changed. */
export function block(
  count: number,
  change: (receipt: Receipt, index: number) => Receipt = (same) => same,
): Block {
  const receipts = Array.from({ length: count }, (_, index) =>
    change(
      receipt({
        transactionHash: hashOf(`transaction ${index}`),
        transactionIndex: index,
        cumulativeGasUsed: 21_000n * BigInt(index + 1),
      }),
      index,
    ),
  );
  return {
    ...header(),
    miner: addressOf('miner'),
    transactions: receipts.map(({ transactionHash }) => transactionHash),
    receipts,
  };
}

/** An arbitrary provenance. */
export const provenance = (given: Partial<Provenance> = {}): Provenance => ({
  softwareVersion: '0.0.0',
  ingestedAt: new Date('2026-11-21T00:05:00Z'),
  hosts: ['a.example'],
  evidence: 'proven',
  provenBlocks: 2,
  confirmedBy: ['a.example', 'b.example'],
  ...given,
});
