import type { BlobSchedule } from '../../chains/rule-types.ts';
import { ProofError } from '../encoding/proof-error.ts';

/** https://eips.ethereum.org/EIPS/eip-4844#parameters */
const GAS_PER_BLOB = 131_072n;
const MIN_BASE_FEE_PER_BLOB_GAS = 1n;

/** e to this power is more wei than exists. The price of a forged excess of 2^64 would take years to compute. */
const MAX_EXPONENT = 100n;

/** Returns the gas of a transaction's blobs. */
export const blobGasOf = (blobVersionedHashes: readonly string[]): bigint =>
  GAS_PER_BLOB * BigInt(blobVersionedHashes.length);

/**
 * Returns a block's price of blob gas, in wei: https://eips.ethereum.org/EIPS/eip-4844#gas-accounting with the update fraction
 * of its time (https://eips.ethereum.org/EIPS/eip-7892).
 * @throws ProofError when no fork with blobs was active yet, or no one could pay the price
 */
export function blobGasPrice(schedule: BlobSchedule, timestamp: number, excessBlobGas: bigint): bigint {
  const active = schedule.findLast(({ from }) => timestamp >= from);
  if (!active) throw new ProofError('excessBlobGas', 'the chain had no blobs at the time of this block');
  const updateFraction = BigInt(active.updateFraction);
  if (excessBlobGas > MAX_EXPONENT * updateFraction) {
    throw new ProofError('excessBlobGas', 'it makes a price that no one could pay');
  }
  return fakeExponential(MIN_BASE_FEE_PER_BLOB_GAS, excessBlobGas, updateFraction);
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
