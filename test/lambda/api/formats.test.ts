import fc from 'fast-check';
import { bodyOf, CSV_TYPE, JSON_TYPE, type Row, write } from '../../../lambda/api/formats.ts';

const row = fc.tuple(
  fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.oneof(fc.nat(), fc.bigInt({ min: 0n }).map(String)),
);

const cut = (type: typeof JSON_TYPE | typeof CSV_TYPE, rows: readonly Row[], begin: number, end: number) =>
  bodyOf(type, 'fees', write(type, 'fees', rows), begin, end);

test('a body that is cut out is the one that its rows alone would make', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.nat(12), fc.nat(12), (rows, begin, length) => {
      const part = rows.slice(begin, begin + length);
      const end = Math.min(begin + length, rows.length);
      expect(cut(JSON_TYPE, rows, begin, end)).toBe(
        JSON.stringify(part.map(([date, fees]) => ({ date, fees }))),
      );
      expect(cut(CSV_TYPE, rows, begin, end)).toBe(
        ['date,fees', ...part.map((each) => each.join())].map((line) => `${line}\r\n`).join(''),
      );
    }),
  );
});

test('a range that ends before it begins has no rows', () => {
  const rows: Row[] = [['2026-11-18', 1]];
  expect(cut(JSON_TYPE, rows, 1, 0)).toBe('[]');
  expect(cut(CSV_TYPE, rows, 1, 0)).toBe('date,fees\r\n');
});
