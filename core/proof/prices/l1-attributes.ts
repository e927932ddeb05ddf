import { L1_ATTRIBUTES_DEPOSITOR } from '../../chains/protocol-transactions.ts';
import { OP_DEPOSIT } from '../../chains/transaction-types.ts';
import { ProofError, unknownRule } from '../encoding/proof-error.ts';
import type { Transaction } from '../fields/read-transactions.ts';

/** The L1 attributes of a block, as its first transaction states them: the parameters of the L1 fee in the layout of its formula. */
export interface L1Attributes {
  readonly l1Fee: Bedrock | Ecotone;
  /** Both are 0 in layouts from before Isthmus. */
  readonly operatorFee: OperatorFee;
}

export type Bedrock = ReturnType<typeof bedrock>;
export type Ecotone = ReturnType<typeof ecotone>;
export type OperatorFee = ReturnType<typeof isthmus>;

const NO_OPERATOR_FEE: OperatorFee = { operatorFeeScalar: 0n, operatorFeeConstant: 0n };

/**
 * The layouts by selector, with their lengths in bytes:
 * https://specs.optimism.io/protocol/deposits.html#l1-attributes-deposited-transaction-calldata and the pages of the later forks.
 * The first block of a fork still has the layout before it.
 */
const layouts: Readonly<Record<string, { length: number; read: (input: string) => L1Attributes }>> = {
  // setL1BlockValues
  '0x015d8eb9': { length: 260, read: (input) => ({ l1Fee: bedrock(input), operatorFee: NO_OPERATOR_FEE }) },
  // setL1BlockValuesEcotone
  '0x440a5e20': { length: 164, read: (input) => ({ l1Fee: ecotone(input), operatorFee: NO_OPERATOR_FEE }) },
  // setL1BlockValuesIsthmus
  '0x098999be': { length: 176, read: (input) => ({ l1Fee: ecotone(input), operatorFee: isthmus(input) }) },
  // setL1BlockValuesJovian, which appends the scalar of the DA footprint, not a fee
  '0x3db6be2b': { length: 178, read: (input) => ({ l1Fee: ecotone(input), operatorFee: isthmus(input) }) },
};

/**
 * Reads the L1 attributes of an OP stack block since Bedrock from its first transaction.
 * @throws ProofError when that is not the L1 attributes deposit, or has a layout that this code does not know
 */
export function readL1Attributes(first: Pick<Transaction, 'type' | 'from' | 'input'>): L1Attributes {
  const { type, from, input = '0x' } = first;
  if (type !== OP_DEPOSIT || from !== L1_ATTRIBUTES_DEPOSITOR) {
    throw new ProofError(
      'transactions[0]',
      'the first transaction of a block must be the L1 attributes deposit',
    );
  }
  const selector = input.slice(0, 10);
  const layout = layouts[selector];
  if (layout && input.length === 2 + 2 * layout.length) return layout.read(input);
  throw unknownRule(
    'transactions[0].input',
    `${selector} with ${input.length / 2 - 1} bytes is no known layout of the L1 attributes; if every endpoint reports it, this chain has forked: update Chain Insights`,
  );
}

const bedrock = (input: string) => ({
  formula: 'bedrock' as const,
  l1BaseFee: uint(input, 4 + 2 * 32, 32),
  overhead: uint(input, 4 + 6 * 32, 32),
  scalar: uint(input, 4 + 7 * 32, 32),
});

const ecotone = (input: string) => ({
  formula: 'ecotone' as const,
  baseFeeScalar: uint(input, 4, 4),
  blobBaseFeeScalar: uint(input, 8, 4),
  l1BaseFee: uint(input, 36, 32),
  l1BlobBaseFee: uint(input, 68, 32),
});

const isthmus = (input: string) => ({
  operatorFeeScalar: uint(input, 164, 4),
  operatorFeeConstant: uint(input, 168, 8),
});

const uint = (input: string, at: number, bytes: number): bigint =>
  BigInt(`0x${input.slice(2 + 2 * at, 2 + 2 * (at + bytes))}`);
