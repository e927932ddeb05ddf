import { feeParts, mapFeeAttributes } from '../../lambda/chains/fee-parts.ts';
import { abbreviate, differingParts, keysOf, type partsOfDay } from '../../lambda/store/compare-figures.ts';
import { formatCount, formatTable } from '../print.ts';

type DayParts = ReturnType<typeof partsOfDay>;

const LABELS: Readonly<Record<string, string>> = {
  block_count: 'blocks',
  transaction_count: 'transactions',
  protocol_transaction_count: 'protocol transactions',
  ...mapFeeAttributes((name) => `${feeParts[name].label}, wei`),
  first_block: 'first block',
  last_block: 'last block',
  definition_version: 'definition',
};

/** Shows two sides of a day part by part, and marks the parts that differ. */
export function partsTable(titles: readonly [string, string], a: DayParts, b: DayParts): string {
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

function showPart(part: DayParts[keyof DayParts]): string {
  if (typeof part === 'object') return `${part.number} ${abbreviate(part.hash)}`;
  return part === undefined ? 'none' : formatCount(part);
}
