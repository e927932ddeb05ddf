import { isDeepStrictEqual } from 'node:util';
import type { Chain } from '../../chains/chains.ts';
import { type BlockRef, describeBlock } from '../../figures/block.ts';
import type { DayFigures } from '../../figures/day-figures.ts';
import { mapMeasureAttributes } from '../../figures/measures.ts';
import { type TotalsAttributes, totalsToAttributes } from '../attributes/shared-attributes.ts';

/** The figures of a day by attribute name; fees in wei. */
interface DayParts extends TotalsAttributes {
  readonly parent_hash: string;
  readonly first_block: BlockRef | undefined;
  readonly last_block: BlockRef;
  readonly definition_version: number;
}

/** Returns the figures of a day by attribute name. */
export const partsOfDay = ({ totals, parentHash, first, last, definitionVersion }: DayFigures): DayParts => ({
  ...totalsToAttributes(totals),
  parent_hash: parentHash,
  first_block: first,
  last_block: last,
  definition_version: definitionVersion,
});

/** Parts that an imported day may lack, or that its blocks do not state. That is not a difference. */
const OPTIONAL_PARTS: ReadonlySet<string> = new Set([
  'hours',
  'distribution',
  ...Object.keys(mapMeasureAttributes((name) => name)),
]);

export const differingParts = <Parts extends object>(a: Parts, b: Parts): readonly (keyof Parts & string)[] =>
  keysOf(a).filter(
    (part) =>
      !isDeepStrictEqual(a[part], b[part]) &&
      !(OPTIONAL_PARTS.has(part) && (a[part] === undefined || b[part] === undefined)),
  );

export const keysOf = <Parts extends object>(parts: Parts): (keyof Parts & string)[] =>
  Object.keys(parts) as (keyof Parts & string)[];

/** Lists the figures that differ, such as `transaction_count 3 → 4, first_block none → 8 (0x2c6a1b3d…)`. */
export function describeChanges(old: DayFigures, now: DayFigures): string {
  const [a, b] = [partsOfDay(old), partsOfDay(now)];
  return differingParts(a, b)
    .map((part) => `${part} ${describePart(a[part])} → ${describePart(b[part])}`)
    .join(', ');
}

/**
 * Lists the figures in which a proof contradicts an archive. Before Polygon's state-sync transactions had a type, some nodes listed them and
 * others did not, and no root covers them. They pay nothing, so the other transactions are compared.
 */
export function describeContradiction(
  { rules }: Pick<Chain, 'rules'>,
  archived: DayFigures,
  proven: DayFigures,
): string {
  const mayList = rules.family === 'polygon' && proven.last.number < rules.stateSyncTypeFrom;
  return describeChanges(archived, mayList ? withProtocolTransactions(proven, archived.totals) : proven);
}

/** Returns the figures with another count of protocol transactions, which pay nothing. */
function withProtocolTransactions(
  { totals, ...rest }: DayFigures,
  { protocolTransactions }: DayFigures['totals'],
): DayFigures {
  const transactions = totals.transactions - totals.protocolTransactions + protocolTransactions;
  return { ...rest, totals: { ...totals, transactions, protocolTransactions } };
}

const describePart = (part: BlockRef | number | bigint | string | undefined): string =>
  typeof part === 'object' ? describeBlock(part) : String(part ?? 'none');

export const describeStart = ({ day, first, last, parentHash }: DayFigures): string =>
  first
    ? `${day} begins with block ${describeBlock(first)}, whose parent is ${parentHash}`
    : `${day} has no blocks after ${describeBlock(last)}`;

/** Returns whether the first block of a day follows the last one of the day before. A day without blocks has the same last block. */
export const isContiguous = (before: DayFigures, { parentHash, first, last }: DayFigures): boolean =>
  parentHash === before.last.hash &&
  (first ? first.number === before.last.number + 1 : last.hash === before.last.hash);
