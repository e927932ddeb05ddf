/**
 * Wraps items into rows of a maximum width. An item that is wider has a row of its own.
 * @param widthOf returns the width of some items in one row
 */
export function wrapItems<T>(
  items: readonly T[],
  widthOf: (row: readonly T[]) => number,
  max: number,
): T[][] {
  const rows: T[][] = [];
  for (const item of items) {
    const row = rows.at(-1);
    if (row && widthOf([...row, item]) <= max) row.push(item);
    else rows.push([item]);
  }
  return rows;
}
