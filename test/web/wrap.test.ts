import fc from 'fast-check';
import { wrapItems } from '../../web/wrap.ts';

const widthOf = (row: readonly number[]) => row.reduce((sum, width) => sum + width, 0);

test('fills a row before it starts the next', () => {
  expect(wrapItems([3, 4, 3, 9, 1, 20, 2], widthOf, 10)).toEqual([[3, 4, 3], [9, 1], [20], [2]]);
  expect(wrapItems([], widthOf, 10)).toEqual([]);
});

test('loses no item, and exceeds the width only with single items', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30)), fc.nat(40), (parts, most) => {
      const rows = wrapItems(parts, widthOf, most);
      expect(rows.flat()).toEqual(parts);
      for (const row of rows) expect(row.length === 1 || widthOf(row) <= most).toBe(true);
    }),
  );
});
