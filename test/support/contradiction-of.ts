import type { ArchiveRow } from '#cli/history/row.ts';
import type { Chain } from '#core/chains/chains.ts';
import type { Totals } from '#core/figures/totals.ts';
import { describeContradiction } from '#core/store/days/compare-figures.ts';

/** Describes how the row of a range differs from its proven blocks, as an audit does. */
export function contradictionOf(chain: Chain, { date, last, totals }: ArchiveRow, proven: Totals): string {
  const place = { day: date, parentHash: '0x', last: { number: last, hash: '0x' }, definitionVersion: 1 };
  return describeContradiction(chain, { ...place, totals }, { ...place, totals: proven });
}
