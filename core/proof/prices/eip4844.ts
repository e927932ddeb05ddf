import type { BlobRules, Rules } from '../../chains/rule-types.ts';
import type { BlobGas, BlockHeader } from '../../figures/block.ts';
import { changedRule, ProofError } from '../encoding/proof-error.ts';
import type { Transaction } from '../fields/read-transactions.ts';
import type { RpcHeader } from '../json/rpc-types.ts';

/** https://eips.ethereum.org/EIPS/eip-4844#parameters */
export const GAS_PER_BLOB = 131_072n;
const MIN_BASE_FEE_PER_BLOB_GAS = 1;

/** e to this power is more wei than exists. Without a limit, the price of a forged excess of 2^64 would take years to compute. */
const MAX_EXPONENT = 100n;

/** Returns the rules for blobs at a time; undefined on chains without blobs, and before the first fork with them. */
export const blobRulesAt = (rules: Rules, timestamp: number): BlobRules | undefined =>
  'blobSchedule' in rules ? rules.blobSchedule.findLast(({ from }) => timestamp >= from) : undefined;

/**
 * Returns a block's price of blob gas, in wei: https://eips.ethereum.org/EIPS/eip-4844#gas-accounting with the update fraction
 * of its time (https://eips.ethereum.org/EIPS/eip-7892).
 * @throws ProofError when the block can have no blobs, or no one could pay the price
 */
export function blobGasPrice(
  rules: Rules,
  { timestamp, excessBlobGas }: Pick<RpcHeader, 'timestamp' | 'excessBlobGas'>,
): bigint {
  if (!('blobSchedule' in rules)) throw new ProofError('type', 'this chain has no blob transactions');
  if (excessBlobGas == null) throw new ProofError('excessBlobGas', 'the block has blobs, but not this field');
  const blobRules = blobRulesAt(rules, Number(timestamp));
  if (!blobRules) throw new ProofError('excessBlobGas', 'the chain had no blobs at the time of this block');
  const price = priceOfExcess(blobRules, BigInt(excessBlobGas));
  if (price === undefined) throw new ProofError('excessBlobGas', 'it makes a price that no one could pay');
  return price;
}

/** Returns the price of blob gas, in wei; undefined if no one could pay it. */
function priceOfExcess(
  { updateFraction, minPrice = MIN_BASE_FEE_PER_BLOB_GAS }: BlobRules,
  excessBlobGas: bigint,
): bigint | undefined {
  const fraction = BigInt(updateFraction);
  if (excessBlobGas > MAX_EXPONENT * fraction) return undefined;
  return fakeExponential(BigInt(minPrice), excessBlobGas, fraction);
}

/** Returns factor × e^(numerator / denominator), approximated as https://eips.ethereum.org/EIPS/eip-4844#helpers defines it. */
export function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let sum = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    sum += term;
    term = (term * numerator) / (denominator * i);
  }
  return sum / denominator;
}

/*
 * The price of a blob follows from excessBlobGas, which follows from the parent's header. A fork may change the numbers of that rule and
 * leave no other trace in the block, so each header is checked against its parent.
 */

/** https://eips.ethereum.org/EIPS/eip-7918#specification */
const BLOB_BASE_COST = 8_192n;

/** Reads the members that decide the price of blobs in the next block. @param header proven */
export const readBlobGas = ({ excessBlobGas, blobGasUsed, baseFeePerGas }: RpcHeader): BlobGas | undefined =>
  excessBlobGas == null || blobGasUsed == null
    ? undefined
    : { excess: BigInt(excessBlobGas), used: BigInt(blobGasUsed), baseFee: BigInt(baseFeePerGas ?? 0) };

/**
 * Checks the blobs of a block against the schedule of its chain.
 * @throws ProofError when the header states another sum, or the block has more blobs than it may
 */
export function checkBlobs(
  rules: Rules,
  header: RpcHeader,
  transactions: readonly Pick<Transaction, 'blobs'>[],
): void {
  const blobGas = readBlobGas(header);
  const blobRules = blobRulesAt(rules, Number(header.timestamp));
  if (!blobGas || !blobRules) return;
  const blobs = transactions.reduce((sum, { blobs = 0 }) => sum + blobs, 0);
  if (blobGas.used !== BigInt(blobs) * GAS_PER_BLOB)
    throw changedRule('blobGasUsed', `it is ${blobGas.used}, and the block has ${blobs} blobs`);
  const max = mayHaveBlobs(blobRules, Number(header.number)) ? blobRules.max : 0;
  if (blobs > max) throw changedRule('blobGasUsed', `the block has ${blobs} blobs, and may have ${max}`);
}

type Linked = Pick<BlockHeader, 'number' | 'timestamp' | 'blobGas'>;

/**
 * Returns a problem if a block's excessBlobGas does not follow from its parent:
 * https://eips.ethereum.org/EIPS/eip-4844#header-extension, EIP-7691, EIP-7892 and EIP-7918. Both headers are proven.
 */
export function excessProblem(rules: Rules, parent: Linked, child: Linked): string | undefined {
  const blobRules = blobRulesAt(rules, child.timestamp);
  // Without either, no transaction with blobs has a price, and none is accepted.
  if (!blobRules || !child.blobGas) return undefined;
  const expected = excessAfter(blobRules, parent);
  if (child.blobGas.excess === expected) return undefined;
  const { field, message } = changedRule(
    'excessBlobGas',
    `it is ${child.blobGas.excess}, and ${expected} follows from block ${parent.number} by the schedule known here`,
  );
  return `${field}: ${message}`;
}

const mayHaveBlobs = ({ interval = 1 }: BlobRules, number: number): boolean => number % interval === 0;

/** Returns the excess of the block after one. @param rules in force at the time of the later block */
function excessAfter(rules: BlobRules, { number, blobGas }: Linked): bigint {
  // The later block is the first that may have blobs.
  if (!blobGas) return 0n;
  const { excess, used, baseFee } = blobGas;
  if (!mayHaveBlobs(rules, number)) return excess;
  const target = BigInt(rules.target) * GAS_PER_BLOB;
  if (excess + used < target) return 0n;
  // Rounded up, because the specification compares this share times GAS_PER_BLOB.
  const reserve = (BLOB_BASE_COST * baseFee + GAS_PER_BLOB - 1n) / GAS_PER_BLOB;
  if (rules.hasReservePrice && (priceOfExcess(rules, excess) ?? reserve) < reserve)
    return excess + (used * BigInt(rules.max - rules.target)) / BigInt(rules.max);
  return excess + used - target;
}
