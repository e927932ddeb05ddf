import type { BlobRules, BlobSchedule } from '../../chains/rule-types.ts';
import { ProofError } from '../encoding/proof-error.ts';

/** https://eips.ethereum.org/EIPS/eip-4844#parameters */
export const GAS_PER_BLOB = 131_072n;
const MIN_BASE_FEE_PER_BLOB_GAS = 1n;

/** e to this power is more wei than exists. Without a limit, the price of a forged excess of 2^64 would take years to compute. */
const MAX_EXPONENT = 100n;

/** Returns the gas of a transaction's blobs. */
export const blobGasOf = (blobVersionedHashes: readonly string[]): bigint =>
  GAS_PER_BLOB * BigInt(blobVersionedHashes.length);

/** Returns the rules that are in force at a time, or undefined before the first fork with blobs. */
export const blobRulesAt = (schedule: BlobSchedule, timestamp: number): BlobRules | undefined =>
  schedule.findLast(({ from }) => timestamp >= from);

/**
 * Returns a block's price of blob gas, in wei: https://eips.ethereum.org/EIPS/eip-4844#gas-accounting with the update fraction
 * of its time (https://eips.ethereum.org/EIPS/eip-7892).
 * @throws ProofError when no fork with blobs was active yet, or no one could pay the price
 */
export function blobGasPrice(schedule: BlobSchedule, timestamp: number, excessBlobGas: bigint): bigint {
  const rules = blobRulesAt(schedule, timestamp);
  if (!rules) throw new ProofError('excessBlobGas', 'the chain had no blobs at the time of this block');
  return priceOfExcess(rules, excessBlobGas);
}

/** Returns the price of blob gas, in wei. @throws ProofError when no one could pay it */
function priceOfExcess({ updateFraction }: BlobRules, excessBlobGas: bigint): bigint {
  const fraction = BigInt(updateFraction);
  if (excessBlobGas <= MAX_EXPONENT * fraction)
    return fakeExponential(MIN_BASE_FEE_PER_BLOB_GAS, excessBlobGas, fraction);
  throw new ProofError('excessBlobGas', 'it makes a price that no one could pay');
}

/** Returns whether blob gas costs less than a price, in wei. */
export const isBlobGasBelow = (rules: BlobRules, excessBlobGas: bigint, price: bigint): boolean =>
  excessBlobGas <= MAX_EXPONENT * BigInt(rules.updateFraction) && priceOfExcess(rules, excessBlobGas) < price;

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
