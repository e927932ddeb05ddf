import { isDeepStrictEqual } from 'node:util';
import type { SummedBlock } from '../../lambda/ingest/read-block.ts';
import { totalsToAttributes } from '../../lambda/store/attributes.ts';
import type { DayFigures } from '../../lambda/store/day-item.ts';

/** What a day consists of, by the names that the table has for it; fees are wei. A day without blocks has no first one. */
export const partsOfDay = ({ totals, first, last, definitionVersion }: DayFigures) => ({
  ...totalsToAttributes(totals),
  first_block: first,
  last_block: last,
  definition_version: definitionVersion,
});

/** The same for what an endpoint tells of one block. */
export function partsOfBlock({ hash, timestamp, totals }: SummedBlock) {
  const { block_count, ...parts } = totalsToAttributes(totals);
  return { hash, time: new Date(timestamp * 1_000), ...parts };
}

/** The parts that are not the same on both sides. */
export const differingParts = <Parts extends object>(a: Parts, b: Parts): readonly (keyof Parts & string)[] =>
  keysOf(a).filter((part) => !isDeepStrictEqual(a[part], b[part]));

/** The parts by name, in their order. */
export const keysOf = <Parts extends object>(parts: Parts) => Object.keys(parts) as (keyof Parts & string)[];

/** The first block of which two readings of a day tell different things. */
export interface BlockDifference {
  readonly number: number;
  /** What each tells of it; undefined where it does not lie in the day. */
  readonly one: SummedBlock | undefined;
  readonly other: SummedBlock | undefined;
}

/**
 * @param one the blocks of a day as one endpoint tells them, in order; `other` the same from another
 * @returns undefined when they tell the same of each
 */
export function firstDifference(
  one: readonly SummedBlock[],
  other: readonly SummedBlock[],
): BlockDifference | undefined {
  const first = Math.min(one[0]?.number ?? Infinity, other[0]?.number ?? Infinity);
  const at = (blocks: readonly SummedBlock[], number: number) => blocks[number - (blocks[0]?.number ?? 0)];
  for (let number = first; ; number++) {
    const [a, b] = [at(one, number), at(other, number)];
    if (!a && !b) return undefined;
    if (a && b && isDeepStrictEqual(partsOfBlock(a), partsOfBlock(b))) continue;
    return { number, one: a, other: b };
  }
}
