import * as z from 'zod/mini';
import { type FeeCounts, sortedCounts } from '../../figures/fee-buckets.ts';

/** Base64 of pairs of LEB128 integers: the distance of a bucket from the one before, and its count. Ascending. */
export const feeCountsSchema = z.pipe(z.string(), z.transform(decodeFeeCounts));

export function encodeFeeCounts(counts: FeeCounts): string {
  const bytes: number[] = [];
  let before = 0;
  for (const [bucket, count] of sortedCounts(counts)) {
    for (let value of [bucket - before, count]) {
      for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
      bytes.push(value);
    }
    before = bucket;
  }
  return Buffer.from(bytes).toString('base64');
}

function decodeFeeCounts(text: string): FeeCounts {
  const integers: number[] = [];
  let [value, unit] = [0, 1];
  for (const byte of Buffer.from(text, 'base64')) {
    value += (byte % 0x80) * unit;
    unit *= 0x80;
    if (byte >= 0x80) continue;
    integers.push(value);
    [value, unit] = [0, 1];
  }
  const counts = new Map<number, number>();
  let bucket = 0;
  for (let index = 0; index + 1 < integers.length; index += 2) {
    bucket += integers[index] as number;
    counts.set(bucket, integers[index + 1] as number);
  }
  return counts;
}
