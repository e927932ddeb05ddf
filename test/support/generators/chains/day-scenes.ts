import { type Chain, chainOf } from '#core/chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR } from '#core/chains/protocol-transactions.ts';
import { NO_FEES } from '#core/figures/fee-parts.ts';
import type { Totals } from '#core/figures/totals.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Pair } from '#test/support/generators/blocks/sealed-block.ts';

/* A block of each family with transactions and known totals. */

const BASE_FEE = 10;

export interface Scene {
  readonly chain: Chain;
  readonly header: Json;
  /** The transactions of block 2. The second is a user's and pays; none is the last one alone. */
  readonly pairs: readonly Pair[];
  readonly totals: Totals;
}

/** Pays its own price of 17 wei. */
const legacy: Pair = { transaction: { gasPrice: hex(17) } };
/** Pays the base fee and a tip of 5 wei. */
const dynamic = (type: string, price = BASE_FEE + 5, given: Json = {}): Pair => ({
  transaction: {
    type,
    chainId: '0x1',
    maxFeePerGas: hex(30),
    maxPriorityFeePerGas: hex(5),
    gasPrice: hex(price),
    accessList: [],
    yParity: '0x0',
    ...given,
  },
});

const blobTransaction = dynamic('0x3', BASE_FEE + 5, {
  maxFeePerBlobGas: hex(100),
  blobVersionedHashes: [hashOf('blob 1'), hashOf('blob 2')],
});
const GAS_PER_BLOB = 131_072;
/** With excess blob gas of three update fractions the price is e^3 wei, rounded down. Block 2 has it: each before falls by the target. */
const BLOB_PRICE = 20;
const BPO2 = { updateFraction: 11_684_671, target: 14 };
const FIRST_EXCESS = 3 * BPO2.updateFraction + 2 * BPO2.target * GAS_PER_BLOB;

export const ethereum: Scene = {
  chain: chainOf('ETHEREUM'),
  header: {
    baseFeePerGas: hex(BASE_FEE),
    withdrawalsRoot: hashOf('withdrawals'),
    blobGasUsed: '0x0',
    excessBlobGas: hex(FIRST_EXCESS),
  },
  pairs: [
    legacy,
    dynamic('0x2'),
    { ...blobTransaction, receipt: { blobGasUsed: hex(2 * 131_072), blobGasPrice: hex(BLOB_PRICE) } },
  ],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 21_000n * (17n + 15n + 15n), blob: 262_144n * BigInt(BLOB_PRICE) },
    measures: {
      gasUsed: 63_000n,
      failedTransactions: 0n,
      priorityFees: 21_000n * (17n + 15n + 15n - 3n * BigInt(BASE_FEE)),
      blobs: 2n,
    },
  },
};

const bytes = (value: number, length: number) => value.toString(16).padStart(2 * length, '0');
/** setL1BlockValuesJovian: scalars 1 and 3, L1 base fee 1 and L1 blob base fee 5 gwei; operator fee scalar 2 and constant 5. */
const L1_ATTRIBUTES = `0x3db6be2b${bytes(1, 4)}${bytes(3, 4)}${bytes(0, 24)}${bytes(1e9, 32)}${bytes(5e9, 32)}${bytes(0, 64)}${bytes(2, 4)}${bytes(5, 8)}${bytes(0, 2)}`;
/** 100 bytes, the smallest size, at 16 × 1 × 1 gwei + 3 × 5 gwei per million bytes. */
const L1_FEE = 3_100_000n;
const OPERATOR_FEE = 21_000n * 2n * 100n + 5n;
const onBase = ({ transaction = {} }: Pair): Pair => ({ transaction, receipt: { l1Fee: hex(L1_FEE) } });

const l1AttributesDeposit = (input: string): Pair => ({
  transaction: {
    type: '0x7e',
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: '0x4200000000000000000000000000000000000015',
    sourceHash: hashOf('source'),
    gasPrice: '0x0',
    input,
  },
  receipt: { depositNonce: '0x1', depositReceiptVersion: '0x1' },
});

export const base: Scene = {
  chain: chainOf('BASE'),
  header: { baseFeePerGas: hex(BASE_FEE) },
  pairs: [l1AttributesDeposit(L1_ATTRIBUTES), onBase(dynamic('0x2')), onBase(legacy)],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 1,
    fees: { ...NO_FEES, execution: 21_000n * (15n + 17n), l1Data: 2n * L1_FEE, operator: 2n * OPERATOR_FEE },
    measures: {
      gasUsed: 63_000n,
      failedTransactions: 0n,
      priorityFees: 21_000n * (15n + 17n - 2n * BigInt(BASE_FEE)),
      blobs: 0n,
    },
  },
};

/** Nitro begins with genesis here. */
const nitroFromGenesis = (chain: Chain): Chain =>
  chain.rules.family === 'arbitrum' ? { ...chain, rules: { ...chain.rules, nitroBlock: 0 } } : chain;

export const arbitrum: Scene = {
  chain: nitroFromGenesis(chainOf('ARBITRUM')),
  header: {
    baseFeePerGas: hex(BASE_FEE),
    difficulty: '0x1',
    extraData: hashOf('send root'),
    mixHash: `0x${bytes(0, 16)}${bytes(61, 8)}${bytes(0, 8)}`,
  },
  pairs: [
    { transaction: { type: '0x6a', chainId: hex(42_161), gasPrice: '0x0' }, receipt: { gasUsed: '0x0' } },
    dynamic('0x2', BASE_FEE),
    { transaction: { gasPrice: hex(17) }, receipt: { effectiveGasPrice: hex(BASE_FEE) } },
  ],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 1,
    fees: { ...NO_FEES, execution: 2n * 21_000n * BigInt(BASE_FEE) },
    measures: { gasUsed: 42_000n, failedTransactions: 0n, priorityFees: 0n, blobs: 0n },
  },
};

export const plain = (name: 'BSC' | 'POLYGON'): Scene => ({
  chain: chainOf(name),
  header: { baseFeePerGas: hex(BASE_FEE) },
  pairs: [legacy, dynamic('0x2'), legacy],
  totals: {
    blocks: 3,
    transactions: 3,
    protocolTransactions: 0,
    fees: { ...NO_FEES, execution: 21_000n * (17n + 15n + 17n) },
    measures: {
      gasUsed: 63_000n,
      failedTransactions: 0n,
      priorityFees: 21_000n * (17n + 15n + 17n - 3n * BigInt(BASE_FEE)),
      blobs: 0n,
    },
  },
});
