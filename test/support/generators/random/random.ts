import { createHash } from 'node:crypto';
import { uniformBigInt } from 'pure-rand/distribution/uniformBigInt';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** A deterministic stream of random values. */
export interface Random {
  /** An integer from 0 to `n - 1`. */
  below(n: number): number;
  bigintBelow(n: bigint): bigint;
  /** Returns true with probability `p`. Consumes one value, whatever `p` is. */
  chance(p: number): boolean;
  /** Returns an element of a non-empty list. */
  pick<T extends NonNullable<unknown> | null>(list: readonly T[]): T;
}

/**
 * @param labels name a stream that is independent of all others of the seed
 */
export function randomFrom(seed: number, ...labels: readonly (string | number)[]): Random {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...labels]))
    .digest();
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  const below = (n: number) => uniformInt(generator, 0, n - 1);
  return {
    below,
    bigintBelow: (n) => uniformBigInt(generator, 0n, n - 1n),
    chance: (p) => below(2 ** 30) < p * 2 ** 30,
    pick: (list) => {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}
