import type { BlockRef } from '../../lambda/chains/block.ts';
import { feeParts, mapFeeAttributes } from '../../lambda/chains/fee-parts.ts';
import { formatCount, formatTable } from '../print.ts';
import { differingParts, keysOf } from './compare.ts';

/** What the parts are called in words. */
const PART_NAMES: Readonly<Record<string, string>> = {
  block_count: 'blocks',
  transaction_count: 'transactions',
  protocol_transaction_count: 'protocol transactions',
  ...mapFeeAttributes((name) => `${feeParts[name].label}, wei`),
  first_block: 'first block',
  last_block: 'last block',
  definition_version: 'definition',
};

/**
 * Two sides of a day or of a block, part by part, and a mark where they differ.
 * @param names what the sides are called
 */
export function partsTable<Parts extends object>(
  names: readonly [string, string],
  a: Parts,
  b: Parts,
): string {
  const differing = new Set<string>(differingParts(a, b));
  const rows = keysOf(a).map((part) => {
    return [PART_NAMES[part] ?? part, shown(a[part]), shown(b[part]), differing.has(part) ? '≠' : ''];
  });
  const [head = [], ...body] = sidesToTheRight([['part', ...names, ''], ...rows]);
  return formatTable(head, body);
}

/** Wei have more digits than a number of JavaScript, and the table aligns only numbers. */
function sidesToTheRight(rows: readonly (readonly string[])[]): string[][] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [0, width(1), width(2), 0];
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)));
}

function shown(part: unknown): string {
  if (typeof part === 'bigint' || typeof part === 'number') return formatCount(part);
  if (typeof part === 'string') return shortened(part);
  if (part instanceof Date) return part.toISOString();
  return isBlockRef(part) ? `${part.number} ${shortened(part.hash)}` : 'none';
}

/** A hash, as much of it as tells it from others. */
const shortened = (hash: string) => `${hash.slice(0, 10)}…`;

const isBlockRef = (part: unknown): part is BlockRef =>
  typeof part === 'object' && part !== null && 'hash' in part;
