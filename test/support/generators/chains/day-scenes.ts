import { type Chain, chainOf } from '#core/chains/chains.ts';
import { L1_ATTRIBUTES_DEPOSITOR } from '#core/chains/protocol-transactions.ts';
import { type Fees, NO_FEES } from '#core/figures/fee-parts.ts';
import { hashOf } from '#test/support/generators/blocks/builders.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Pair } from '#test/support/generators/blocks/sealed-block.ts';

/* A block with transactions and known fees: on Ethereum, and on Base, where they have parts for L1 and the operator. */

const BASE_FEE = 10;

export interface Scene {
  readonly chain: Chain;
  readonly header: Json;
  /** The transactions of block 2. The second is a user's and pays; none is the last one alone. */
  readonly pairs: readonly Pair[];
  /** The fees of all transactions. */
  readonly fees: Fees;
}

/** Pays its own price of 17 wei. */
const legacy: Pair = { transaction: { gasPrice: hex(17) } };
/** Pays the base fee and a tip of 5 wei. */
const dynamic: Pair = {
  transaction: {
    type: '0x2',
    chainId: '0x1',
    maxFeePerGas: hex(30),
    maxPriorityFeePerGas: hex(5),
    gasPrice: hex(BASE_FEE + 5),
    accessList: [],
    yParity: '0x0',
  },
};

export const ethereum: Scene = {
  chain: chainOf('ETHEREUM'),
  header: { baseFeePerGas: hex(BASE_FEE) },
  pairs: [legacy, dynamic],
  fees: { ...NO_FEES, execution: 21_000n * (17n + 15n) },
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
  pairs: [l1AttributesDeposit(L1_ATTRIBUTES), onBase(dynamic), onBase(legacy)],
  fees: { ...NO_FEES, execution: 21_000n * (15n + 17n), l1Data: 2n * L1_FEE, operator: 2n * OPERATOR_FEE },
};
