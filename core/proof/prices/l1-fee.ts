import { L1_ATTRIBUTES_DEPOSITOR } from '../../chains/protocol-transactions.ts';
import { unprovenOf } from '../../chains/provable.ts';
import type { OpStackRules, Rules } from '../../chains/rule-types.ts';
import { OP_DEPOSIT } from '../../chains/transaction-types.ts';
import { ProofError, unknownRule } from '../encoding/proof-error.ts';
import type { Transaction } from '../fields/read-transactions.ts';
import type { RpcHeader } from '../json/rpc-types.ts';
import { fastLzLength } from './fast-lz.ts';

type Uints<Name extends string> = Readonly<Record<Name, bigint>>;

interface Bedrock extends Uints<'l1BaseFee' | 'overhead' | 'scalar'> {
  readonly formula: 'bedrock';
}

interface Ecotone extends Uints<'baseFeeScalar' | 'blobBaseFeeScalar' | 'l1BaseFee' | 'l1BlobBaseFee'> {
  readonly formula: 'ecotone';
}

type OperatorFee = Uints<'operatorFeeScalar' | 'operatorFeeConstant'>;

const readBedrock = (input: string): Bedrock => ({
  formula: 'bedrock',
  l1BaseFee: word(input, 2),
  overhead: word(input, 6),
  scalar: word(input, 7),
});

/** Reads one of the words after the selector. */
const word = (input: string, index: number): bigint => uint(input, 4 + 32 * index, 32);

const readEcotone = (input: string): Ecotone => ({
  formula: 'ecotone',
  baseFeeScalar: uint(input, 4, 4),
  blobBaseFeeScalar: uint(input, 8, 4),
  l1BaseFee: uint(input, 36, 32),
  l1BlobBaseFee: uint(input, 68, 32),
});

const readIsthmus = (input: string): OperatorFee => ({
  operatorFeeScalar: uint(input, 164, 4),
  operatorFeeConstant: uint(input, 168, 8),
});
const readNoOperatorFee = (): OperatorFee => ({ operatorFeeScalar: 0n, operatorFeeConstant: 0n });

const uint = (input: string, at: number, bytes: number): bigint =>
  BigInt(`0x${input.slice(2 + 2 * at, 2 + 2 * (at + bytes))}`);

/** A layout of the L1 attributes, with its length in bytes. */
interface Layout {
  readonly length: number;
  readonly l1Fee: (input: string) => Bedrock | Ecotone;
  readonly operatorFee: (input: string) => OperatorFee;
}

/**
 * The layouts by selector:
 * https://specs.optimism.io/protocol/deposits.html#l1-attributes-deposited-transaction-calldata and the pages of the later forks.
 * The first block of a fork still has the layout before it.
 */
const layouts: Readonly<Record<string, Layout>> = {
  // setL1BlockValues
  '0x015d8eb9': { length: 260, l1Fee: readBedrock, operatorFee: readNoOperatorFee },
  // setL1BlockValuesEcotone
  '0x440a5e20': { length: 164, l1Fee: readEcotone, operatorFee: readNoOperatorFee },
  // setL1BlockValuesIsthmus
  '0x098999be': { length: 176, l1Fee: readEcotone, operatorFee: readIsthmus },
  // setL1BlockValuesJovian, which appends the scalar of the DA footprint, not a fee
  '0x3db6be2b': { length: 178, l1Fee: readEcotone, operatorFee: readIsthmus },
};

/**
 * Reads the L1 attributes of an OP stack block since Bedrock from its first transaction.
 * @throws ProofError when that is not the L1 attributes deposit, or has a layout that this code does not know
 */
export function readL1Attributes({
  type,
  from,
  input = '0x',
}: Pick<Transaction, 'type' | 'from' | 'input'>): { l1Fee: Bedrock | Ecotone; operatorFee: OperatorFee } {
  if (type !== OP_DEPOSIT || from !== L1_ATTRIBUTES_DEPOSITOR)
    throw new ProofError(
      'transactions[0]',
      'the first transaction of a block must be the L1 attributes deposit',
    );
  const selector = input.slice(0, 10);
  const layout = layouts[selector];
  if (layout && input.length === 2 + 2 * layout.length)
    return { l1Fee: layout.l1Fee(input), operatorFee: layout.operatorFee(input) };
  throw unknownRule(
    'transactions[0].input',
    `${selector} with ${input.length / 2 - 1} bytes is not a known layout of the L1 attributes; if every endpoint reports it, this chain has forked: update Chain Insights`,
  );
}

/** Returns the L1 fee in wei of a transaction with this payload: its signed bytes, as transactionsRoot commits to them. */
type L1Fee = (payload: Uint8Array) => bigint;

/** The prices that an OP stack block takes from L1. */
export interface L1Prices {
  readonly rules: OpStackRules;
  readonly l1Fee: L1Fee;
  readonly operatorFee: OperatorFee;
}

/**
 * Returns the prices that an OP stack block takes from L1, or undefined if there are none, or none are proven.
 * @param first transaction, which the OP stack's genesis lacks
 */
export function l1PricesOf(
  rules: Rules,
  { number, timestamp }: RpcHeader,
  first: Transaction | undefined,
): L1Prices | undefined {
  if (rules.family !== 'op-stack' || unprovenOf(rules, Number(number)) || !first) return undefined;
  const { l1Fee, operatorFee } = readL1Attributes(first);
  return { rules, l1Fee: l1FeeOf(rules, Number(timestamp), l1Fee), operatorFee };
}

/**
 * Chooses the L1 fee's formula for the transactions of one block that are not deposits.
 * https://specs.optimism.io/protocol/exec-engine.html#l1-cost-fees-l1-fee-vault and
 * https://github.com/ethereum-optimism/op-geth core/types/rollup_cost.go.
 * @throws ProofError when the layout of the L1 attributes belongs to a later fork than the block's time
 */
export function l1FeeOf(rules: OpStackRules, timestamp: number, parameters: Bedrock | Ecotone): L1Fee {
  // The first block of Ecotone still has Bedrock's layout and formula, so the layout decides before the time does.
  if (parameters.formula === 'bedrock') return bedrock(parameters, timestamp < rules.regolithTime);
  if (timestamp < rules.ecotoneTime) {
    throw new ProofError('transactions[0].input', 'L1 attributes of Ecotone in a block before Ecotone');
  }
  return timestamp < rules.fjordTime ? ecotone(parameters) : fjord(parameters);
}

/**
 * Returns the L1 fee that a receipt from before Bedrock states. Null is honest where nothing was paid. Elsewhere the node has lost the value,
 * as op-geth does when it syncs from a snapshot: https://github.com/ethereum-optimism/op-geth/issues/270.
 * @throws ProofError when the node left it out. It never counts as 0
 */
export function statedL1Fee(l1Fee: string | null | undefined, isPaid: boolean): bigint {
  if (l1Fee === null && !isPaid) return 0n;
  if (l1Fee !== null && l1Fee !== undefined) return BigInt(l1Fee);
  const problem =
    'the node left it out, as a node does that has synced from a snapshot; add one that keeps the L1 fees of blocks before Bedrock';
  throw new ProofError('l1Fee', problem, { isIncomplete: true });
}

const GAS_PER_ZERO = 4;
const GAS_PER_NONZERO = 16;
/** Before Regolith, the fee assumed further bytes for a signature, which the payload already contains. */
const ASSUMED_SIGNATURE_GAS = 68 * GAS_PER_NONZERO;

function bedrock({ l1BaseFee, overhead, scalar }: Bedrock, isBeforeRegolith: boolean): L1Fee {
  const fixedGas = overhead + BigInt(isBeforeRegolith ? ASSUMED_SIGNATURE_GAS : 0);
  const price = l1BaseFee * scalar;
  return (payload) => ((BigInt(calldataGas(payload)) + fixedGas) * price) / 1_000_000n;
}

function ecotone(parameters: Ecotone): L1Fee {
  const price = pricePerByte(parameters);
  return (payload) => (BigInt(calldataGas(payload)) * price) / 16_000_000n;
}

const MIN_SIZE = 100_000_000;
const SIZE_PER_COMPRESSED_BYTE = 836_500;
const SIZE_INTERCEPT = -42_585_600;

/** Sizes are estimates in millionths of a byte. */
function fjord(parameters: Ecotone): L1Fee {
  const price = pricePerByte(parameters);
  return (payload) => {
    const size = SIZE_INTERCEPT + SIZE_PER_COMPRESSED_BYTE * fastLzLength(payload);
    return (BigInt(Math.max(MIN_SIZE, size)) * price) / 1_000_000_000_000n;
  };
}

const pricePerByte = ({ l1BaseFee, l1BlobBaseFee, baseFeeScalar, blobBaseFeeScalar }: Ecotone): bigint =>
  16n * baseFeeScalar * l1BaseFee + blobBaseFeeScalar * l1BlobBaseFee;

function calldataGas(payload: Uint8Array): number {
  let nonzero = 0;
  for (let at = 0; at < payload.length; at++) if (payload[at] !== 0) nonzero++;
  return GAS_PER_ZERO * (payload.length - nonzero) + GAS_PER_NONZERO * nonzero;
}

/**
 * Returns the operator fee of one transaction that is not a deposit, in wei; 0 before Isthmus.
 * Isthmus: https://specs.optimism.io/protocol/isthmus/exec-engine.html#operator-fee
 * Jovian: https://specs.optimism.io/protocol/jovian/exec-engine.html#operator-fee
 */
export function operatorFee(
  rules: OpStackRules,
  timestamp: number,
  gasUsed: bigint,
  { operatorFeeScalar, operatorFeeConstant }: OperatorFee,
): bigint {
  if (timestamp < rules.isthmusTime) return 0n;
  return timestamp < rules.jovianTime
    ? (gasUsed * operatorFeeScalar) / 1_000_000n + operatorFeeConstant
    : gasUsed * operatorFeeScalar * 100n + operatorFeeConstant;
}
