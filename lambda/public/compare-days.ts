import { dayOf, type UtcDay } from '../../core/figures/calendar.ts';
import type { PublicRow } from '../../core/rows/day-row.ts';
import type { ChainReader } from '../../core/store/table/table.ts';
import { days, readDayRows } from '../api/series/days.ts';

/* Compares the final days of two services of the same chain. Figures are exact, so two honest services differ in none. */

/** A day as cells of CSV, by column. A figure that is not known is empty. */
export type DayCells = Readonly<Record<string, string | undefined>>;

type Sides = Readonly<Record<'here' | 'there', string>>;

export interface Comparison {
  /** Number of days of which everything that was compared is equal. */
  readonly equal: number;
  readonly differing: readonly {
    readonly date: UtcDay;
    readonly parts: Readonly<Record<string, Sides>>;
    readonly evidence: Sides;
  }[];
  readonly only_here: readonly UtcDay[];
  readonly only_there: readonly UtcDay[];
  /** Days with figures that follow other definitions: all of them with another `definition_version`, else those of the named version. */
  readonly not_compared: readonly (Sides & { readonly date: UtcDay; readonly version: Version })[];
}

/** Columns of the versions, each with the columns whose figures follow it. */
const versions = {
  definition_version: /./,
  measures_version: /^(failed_transaction_count|base_fees|priority_fees|gas_used|blob_count)$/,
  distribution_version: /^(median|p10|p90)_fee_/,
};
type Version = keyof typeof versions;
const versionNames = Object.keys(versions) as Version[];

/** Columns that say how and when a service learned of a day, or why it has no dollars. */
const OWN =
  /^(date|evidence|revision|ingested_at|restatement_count|unpriced_reason|price_evidence|finality.*|archive.*|.*_version)$/;
const DOLLARS = /^(fees_usd|price_.*)$/;

const compared = Object.keys(days.day.columns).filter((column) => !OWN.test(column));
const columns = ['date', 'evidence', ...versionNames, ...compared];

/** Returns the cells of a row of `/days` that are compared or shown. */
export const comparedCells = (row: PublicRow): DayCells =>
  Object.fromEntries(columns.map((name) => [name, String(days.day.columns[name]?.(row) ?? '')]));

/** Reads all final days of a chain since its first, and compares them with those of another service. */
export async function compareChain(
  store: ChainReader,
  firstDay: UtcDay,
  theirs: readonly DayCells[],
): Promise<Comparison> {
  const own = await readDayRows(store, firstDay, dayOf(Date.now() / 1_000));
  return comparisonOf(own.map(comparedCells), theirs);
}

/** @param theirs of another service, which may have left out any column */
export function comparisonOf(own: readonly DayCells[], theirs: readonly DayCells[]): Comparison {
  const [here, there] = [byDate(own), byDate(theirs)];
  const pairs = [...here].flatMap(([date, a]) => {
    const b = there.get(date);
    return b ? [comparePair(date, a, b)] : [];
  });
  return {
    equal: pairs.filter(({ isEqual }) => isEqual).length,
    differing: pairs.flatMap(({ differing }) => differing),
    only_here: [...here.keys()].filter((date) => !there.has(date)),
    only_there: [...there.keys()].filter((date) => !here.has(date)),
    not_compared: pairs.flatMap((pair) => pair.notCompared),
  };
}

const byDate = (cells: readonly DayCells[]) => new Map(cells.map((day) => [day.date ?? '', day]));

function comparePair(date: UtcDay, a: DayCells, b: DayCells) {
  const sidesOf = (column: string): Sides => ({ here: a[column] ?? '', there: b[column] ?? '' });
  const differs = (column: string) => (a[column] ?? '') !== (b[column] ?? '');
  const others = versionNames.filter(differs);
  const isOther = others.includes('definition_version');
  // One side may lack the state that proves a price.
  const isPriced = Boolean(a.fees_usd && b.fees_usd);
  const parts = compared.filter(
    (column) =>
      differs(column) &&
      !others.some((version) => versions[version].test(column)) &&
      (isPriced || !DOLLARS.test(column)),
  );
  const notCompared = others.filter((version) => !isOther || version === 'definition_version');
  return {
    isEqual: !isOther && parts.length === 0,
    differing:
      parts.length === 0 ? [] : [{ date, parts: byName(parts, sidesOf), evidence: sidesOf('evidence') }],
    notCompared: notCompared.map((version) => ({ date, version, ...sidesOf(version) })),
  };
}

const byName = <T>(names: readonly string[], of: (name: string) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(names.map((name) => [name, of(name)]));
