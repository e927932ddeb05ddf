import fc from 'fast-check';
import { CSV_TYPE, type DayValue, JSON_TYPE, serializeRows, sliceBody } from '../../../lambda/api/formats.ts';

const row = fc.tuple(
  fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.oneof(fc.nat(), fc.bigInt({ min: 0n }).map(String)),
);

const bodyOf = (
  type: typeof JSON_TYPE | typeof CSV_TYPE,
  rows: readonly DayValue[],
  begin: number,
  end: number,
) => sliceBody(type, 'fees', serializeRows(type, 'fees', rows), begin, end);

test('a sliced body equals the serialization of its rows alone', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.nat(12), fc.nat(12), (rows, begin, length) => {
      const part = rows.slice(begin, begin + length);
      const end = Math.min(begin + length, rows.length);
      expect(bodyOf(JSON_TYPE, rows, begin, end)).toBe(
        JSON.stringify(part.map(([date, fees]) => ({ date, fees }))),
      );
      expect(bodyOf(CSV_TYPE, rows, begin, end)).toBe(
        ['date,fees', ...part.map((each) => each.join())].map((line) => `${line}\r\n`).join(''),
      );
    }),
  );
});

test('a range that ends before it begins has no rows', () => {
  const rows: DayValue[] = [['2026-11-18', 1]];
  expect(bodyOf(JSON_TYPE, rows, 1, 0)).toBe('[]');
  expect(bodyOf(CSV_TYPE, rows, 1, 0)).toBe('date,fees\r\n');
});
