import { isDeepStrictEqual } from 'node:util';
import type { BlockRef } from '../../lambda/chains/block.ts';
import { feeParts, mapFeeAttributes } from '../../lambda/chains/fee-parts.ts';
import type { SummedBlock } from '../../lambda/ingest/blocks/read.ts';
import { totalsToAttributes } from '../../lambda/store/attributes.ts';
import { abbreviate, differingParts, keysOf } from '../../lambda/store/compare-figures.ts';
import { formatCount, formatTable } from '../print.ts';

/** Returns the figures of a block by attribute name; fees in wei. */
export function partsOfBlock({ hash, timestamp, totals }: SummedBlock) {
  const { block_count, ...parts } = totalsToAttributes(totals);
  return { hash, time: new Date(timestamp * 1_000), ...parts };
}

/** The first block that two endpoints report differently. */
export interface BlockDifference {
  readonly number: number;
  /** Undefined when the block is not part of the day. */
  readonly one: SummedBlock | undefined;
  readonly other: SummedBlock | undefined;
}

/**
 * Compares the blocks of a day, in order, as two endpoints report them.
 * @returns undefined when all blocks are equal
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

const LABELS: Readonly<Record<string, string>> = {
  block_count: 'blocks',
  transaction_count: 'transactions',
  protocol_transaction_count: 'protocol transactions',
  ...mapFeeAttributes((name) => `${feeParts[name].label}, wei`),
  first_block: 'first block',
  last_block: 'last block',
  definition_version: 'definition',
};

/** Shows two sides of a day or a block part by part, and marks the parts that differ. */
export function partsTable<Parts extends object>(
  titles: readonly [string, string],
  a: Parts,
  b: Parts,
): string {
  const differing = new Set<string>(differingParts(a, b));
  const rows = keysOf(a).map((part) => {
    return [LABELS[part] ?? part, showPart(a[part]), showPart(b[part]), differing.has(part) ? '≠' : ''];
  });
  const [head = [], ...body] = alignSidesRight([['part', ...titles, ''], ...rows]);
  return formatTable(head, body);
}

/** Pads both sides, since the table aligns only cells of type number, and wei exceed their precision. */
function alignSidesRight(rows: readonly (readonly string[])[]): string[][] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [0, width(1), width(2), 0];
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)));
}

function showPart(part: unknown): string {
  if (typeof part === 'bigint' || typeof part === 'number') return formatCount(part);
  if (typeof part === 'string') return abbreviate(part);
  if (part instanceof Date) return part.toISOString();
  return isBlockRef(part) ? `${part.number} ${abbreviate(part.hash)}` : 'none';
}

const isBlockRef = (part: unknown): part is BlockRef =>
  typeof part === 'object' && part !== null && 'hash' in part;
