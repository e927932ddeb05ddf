import fc from 'fast-check';
import { rowsOf } from '../../web/rows.ts';

const widthOf = (row: readonly number[]) => row.reduce((sum, width) => sum + width, 0);

test('a row is filled before the next is begun', () => {
  expect(rowsOf([3, 4, 3, 9, 1, 20, 2], widthOf, 10)).toEqual([[3, 4, 3], [9, 1], [20], [2]]);
  expect(rowsOf([], widthOf, 10)).toEqual([]);
});

test('no part is lost, and no row of several is too wide', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), fc.nat(40), (parts, most) => {
      const rows = rowsOf(parts, widthOf, most);
      expect(rows.flat()).toEqual(parts);
      for (const row of rows) expect(row.length === 1 || widthOf(row) <= most).toBe(true);
    }),
  );
});
