/**
 * Parts one after the other, in rows that are no wider than they may be. A part that is wider has a row of its own.
 * @param widthOf the width of some parts in one row
 */
export function rowsOf<T>(parts: readonly T[], widthOf: (row: readonly T[]) => number, most: number): T[][] {
  const rows: T[][] = [];
  for (const part of parts) {
    const row = rows.at(-1);
    if (row && widthOf([...row, part]) <= most) row.push(part);
    else rows.push([part]);
  }
  return rows;
}
