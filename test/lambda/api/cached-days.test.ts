import fc from 'fast-check';
import {
  type CachedDays,
  type DayRange,
  enclosingRange,
  missingRanges,
  replaceRows,
  rowBounds,
  staleRanges,
  toCachedDays,
  uncachedRanges,
} from '../../../lambda/api/cached-days.ts';
import { type DayValue, JSON_TYPE } from '../../../lambda/api/formats.ts';
import { addDays, countDays, type UtcDay } from '../../../lambda/chains/utc-day.ts';
import type { Coverage } from '../../../lambda/store/coverage.ts';

const row = (day: UtcDay, value = 1): DayValue => [day, value];
const range = (first: UtcDay, last = first): DayRange => ({ first, last });

const day = fc.nat(20).map((days) => addDays('2026-11-01', days));
const days = fc.uniqueArray(day).map((list) => list.toSorted());
const dayRange = fc.tuple(day, fc.nat(9)).map(([first, more]) => range(first, addDays(first, more)));
const listed = ({ first, last }: DayRange): UtcDay[] =>
  Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));

test('lists the days without a row as contiguous ranges', () => {
  const rows = ['2026-11-02', '2026-11-03', '2026-11-06'].map((each) => row(each));
  expect(missingRanges(range('2026-11-01', '2026-11-07'), rows)).toEqual([
    range('2026-11-01'),
    range('2026-11-04', '2026-11-05'),
    range('2026-11-07'),
  ]);
  expect(missingRanges(range('2026-11-02', '2026-11-03'), rows.slice(0, 2))).toEqual([]);
});

test('missing ranges and rows together are every day of the range, once', () => {
  fc.assert(
    fc.property(dayRange, days, (all, final) => {
      const rows = final.filter((each) => all.first <= each && each <= all.last);
      const missing = missingRanges(
        all,
        rows.map((each) => row(each)),
      ).flatMap(listed);
      expect([...missing, ...rows].toSorted()).toEqual(listed(all));
    }),
  );
});

test('uncached ranges and the cached range together are the enclosing range, without overlap', () => {
  fc.assert(
    fc.property(fc.option(dayRange, { nil: undefined }), dayRange, (cached, wanted) => {
      const all = [...(cached ? listed(cached) : []), ...uncachedRanges(cached, wanted).flatMap(listed)];
      expect(all.toSorted()).toEqual(listed(enclosingRange(cached, wanted)));
    }),
  );
});

test('row bounds select exactly the rows of a range', () => {
  fc.assert(
    fc.property(days, dayRange, (final, wanted) => {
      const [begin, end] = rowBounds(
        final.map((each) => row(each)),
        wanted,
      );
      expect(final.slice(begin, end)).toEqual(
        final.filter((each) => wanted.first <= each && each <= wanted.last),
      );
    }),
  );
});

test('replaced rows stay sorted and unique, and drop days that are gone', () => {
  const rows = ['2026-11-01', '2026-11-03', '2026-11-05'].map((each) => row(each, 1));
  const read: [DayRange, DayValue[]][] = [
    [range('2026-11-02', '2026-11-03'), [row('2026-11-02', 2)]],
    [range('2026-11-06'), [row('2026-11-06', 3)]],
    [range('2026-11-06', '2026-11-07'), [row('2026-11-06', 3), row('2026-11-07', 4)]],
  ];
  expect(replaceRows(rows, read)).toEqual([
    row('2026-11-01', 1),
    row('2026-11-02', 2),
    row('2026-11-05', 1),
    row('2026-11-06', 3),
    row('2026-11-07', 4),
  ]);
});

describe('stale ranges', () => {
  const rows = ['2026-11-01', '2026-11-02', '2026-11-04'].map((each) => row(each));
  const cached = (given: Partial<CachedDays> = {}): CachedDays => ({
    ...toCachedDays('fees', 5, range('2026-11-01', '2026-11-04'), rows),
    ...given,
  });
  const coverage = (given: Partial<Coverage>): Coverage => ({
    from: '2026-11-01',
    through: '2026-11-02',
    last: '2026-11-04',
    revision: 6,
    changes: [],
    changesSince: 0,
    ...given,
  });

  test('are empty when the coverage is unchanged or nothing is cached', () => {
    expect(staleRanges(cached(), coverage({ revision: 5 }))).toEqual([]);
    expect(staleRanges(cached({ range: undefined, rows: [] }), coverage({}))).toEqual([]);
  });

  test('include days that were missing, which may be final by now', () => {
    expect(staleRanges(cached(), coverage({}))).toEqual([range('2026-11-03')]);
  });

  test('include cached days that were restated since, and no others', () => {
    const changes = [
      { day: '2026-11-01', revision: 5 },
      { day: '2026-11-02', revision: 6 },
      { day: '2026-11-09', revision: 6 },
    ];
    expect(staleRanges(cached(), coverage({ changes }))).toEqual([range('2026-11-02'), range('2026-11-03')]);
  });

  test('become the whole cached range when there are more than eight', () => {
    const changes = Array.from({ length: 9 }, () => ({ day: '2026-11-02', revision: 6 }));
    expect(staleRanges(cached(), coverage({ changes }))).toEqual([range('2026-11-01', '2026-11-04')]);
  });

  test('are undefined when the list of changes is too short, or the table was replaced', () => {
    expect(staleRanges(cached(), coverage({ revision: 9, changesSince: 6 }))).toBeUndefined();
    expect(staleRanges(cached(), coverage({ revision: 9, changesSince: 5 }))).toEqual([range('2026-11-03')]);
    expect(staleRanges(cached(), coverage({ revision: 4 }))).toBeUndefined();
  });
});

test('serializes the rows with the offset of each', () => {
  const { serialized } = toCachedDays('fees', 1, range('2026-11-01', '2026-11-02'), [row('2026-11-01', 7)]);
  expect(serialized[JSON_TYPE]).toEqual({ text: '{"date":"2026-11-01","fees":7}', offsets: [0, 31] });
});
