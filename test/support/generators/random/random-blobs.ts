import type { Chain } from '#core/chains/chains.ts';
import type { BlobRules, BlobSchedule } from '#core/chains/rule-types.ts';
import { hex, type Json } from '#test/support/generators/blocks/seal.ts';
import type { Random } from './random.ts';
import type { BlockPlace } from './random-place.ts';

type Place = Pick<BlockPlace, 'number' | 'timestamp'>;

/** Returns the prices of blobs that follow from the parent. Genesis has any: 1 wei up to e^40 wei. */
export function blobsAfter(
  schedule: BlobSchedule,
  random: Random,
  { number, timestamp }: Place,
  parent: Json,
): BlockPlace['blobs'] {
  const rules = schedule.findLast(({ from }) => from <= timestamp);
  if (!rules) return undefined;
  const [fraction, min] = [BigInt(rules.updateFraction), BigInt(rules.minPrice ?? 1)];
  const excessBlobGas =
    number === 0 ? random.bigintBelow(fraction * random.pick([1n, 10n, 40n])) : excessAfter(rules, parent);
  return { excessBlobGas, price: blobPriceOf(excessBlobGas, fraction, min), max: maxBlobsOf(rules, number) };
}

export const maxBlobsOf = ({ interval = 1, max }: BlobRules, number: number): number =>
  number % interval > 0 ? 0 : max;

/** `calc_excess_blob_gas` of https://eips.ethereum.org/EIPS/eip-7918, which BEP-657 calls for every fifth block alone. */
export function excessAfter(rules: BlobRules, parent: Json): bigint {
  const [excess, used, baseFee] = ['excessBlobGas', 'blobGasUsed', 'baseFeePerGas'].map((name) =>
    BigInt(`${parent[name] ?? 0}`),
  ) as [bigint, bigint, bigint];
  if (Number(parent.number) % (rules.interval ?? 1) > 0) return excess;
  const [target, max] = [BigInt(rules.target), BigInt(rules.max)];
  if (excess + used < target * 131_072n) return 0n;
  const price = blobPriceOf(excess, BigInt(rules.updateFraction), BigInt(rules.minPrice ?? 1));
  if (rules.hasReservePrice && 8_192n * baseFee > 131_072n * price)
    return excess + (used * (max - target)) / max;
  return excess + used - target * 131_072n;
}

/** Returns the blob gas of a block whose header has some: it follows from the parent and from the transactions. */
export function blobGasAfter(
  { rules }: Chain,
  { excessBlobGas, timestamp }: Json,
  transactions: readonly Json[],
  parent: Json = {},
): Json | undefined {
  if (excessBlobGas === undefined || !('blobSchedule' in rules)) return undefined;
  const active = rules.blobSchedule.findLast(({ from }) => from <= Number(timestamp));
  const blobs = transactions.flatMap(({ blobVersionedHashes }) => blobVersionedHashes ?? []).length;
  return active && { excessBlobGas: hex(excessAfter(active, parent)), blobGasUsed: hex(blobs * 131_072) };
}

/** `fake_exponential(min, excess, fraction)` of https://eips.ethereum.org/EIPS/eip-4844#helpers. */
export function blobPriceOf(excess: bigint, fraction: bigint, min = 1n): bigint {
  let [index, output, accumulator] = [1n, 0n, min * fraction];
  while (accumulator > 0n) {
    output += accumulator;
    accumulator = (accumulator * excess) / (fraction * index);
    index += 1n;
  }
  return output / fraction;
}
