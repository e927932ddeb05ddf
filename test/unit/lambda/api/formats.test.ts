import fc from 'fast-check';
import { CSV_TYPE, JSON_TYPE, type MediaType, serializeRows, sliceBody } from '#lambda/api/formats.ts';

interface FeesRow {
  readonly date: string;
  readonly fees: number | string | undefined;
}

const row: fc.Arbitrary<FeesRow> = fc.record({
  date: fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fees: fc.oneof(fc.nat(), fc.bigInt({ min: 0n }).map(String)),
});

const columns = { date: ({ date }: FeesRow) => date, fees: ({ fees }: FeesRow) => fees };
const bodyOf = (type: MediaType, rows: readonly FeesRow[], begin: number, end: number) =>
  sliceBody(serializeRows(type, columns, rows), begin, end);

test('a sliced body equals the serialization of its rows alone', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.nat(12), fc.nat(12), (rows, begin, length) => {
      const part = rows.slice(begin, begin + length);
      const end = Math.min(begin + length, rows.length);
      expect(bodyOf(JSON_TYPE, rows, begin, end)).toBe(JSON.stringify(part));
      expect(bodyOf(CSV_TYPE, rows, begin, end)).toBe(
        ['date,fees', ...part.map(({ date, fees }) => `${date},${fees}`)]
          .map((line) => `${line}\r\n`)
          .join(''),
      );
    }),
  );
});
