import type { BlobSchedule } from '#core/chains/rule-types.ts';
import type { Random } from './random.ts';
import type { BlockPlace } from './random-place.ts';

/** Draws an excess of blob gas, and the price that follows at a time: 1 wei up to e^40 wei. */
export function randomBlobs(random: Random, schedule: BlobSchedule, timestamp: number): BlockPlace['blobs'] {
  const fraction = BigInt(schedule.findLast(({ from }) => from <= timestamp)?.updateFraction ?? 0);
  if (fraction === 0n) return undefined;
  const excessBlobGas = random.bigintBelow(fraction * random.pick([1n, 10n, 40n]));
  return { excessBlobGas, price: blobPriceOf(excessBlobGas, fraction) };
}

/** `fake_exponential(1, excess, fraction)` of https://eips.ethereum.org/EIPS/eip-4844#helpers. */
export function blobPriceOf(excess: bigint, fraction: bigint): bigint {
  let [index, output, accumulator] = [1n, 0n, fraction];
  while (accumulator > 0n) {
    output += accumulator;
    accumulator = (accumulator * excess) / (fraction * index);
    index += 1n;
  }
  return output / fraction;
}
